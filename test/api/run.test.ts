// run(): lastID and changes, statements that return rows, and that nothing is left open behind it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, assertCode, failure, once, row, rows, send, single, value } from '../support/calls.js';
import { numbers, open, temporaryFile } from '../support/database.js';

/** `lastID` and `changes` of the statement a run() called back on. */
async function counts(target: object, ...args: unknown[]): Promise<[lastID: unknown, changes: unknown]> {
  const { self, args: got } = await answer(target, 'run', ...args);
  assert.deepEqual(got, [null]);
  assert.ok(self instanceof sqlite3.Statement);
  return [Reflect.get(self, 'lastID'), Reflect.get(self, 'changes')];
}

describe('Database#run', () => {
  test('returns the database and calls back on a statement with null alone', async (t) => {
    const db = await open(t);
    const { self, args } = await once('run', (callback) => assert.equal(db.run('create table t(v)', callback), db));
    assert.deepEqual(args, [null]);
    assert.ok(self instanceof sqlite3.Statement);
    assert.equal(self.constructor.name, 'Statement');
    assert.equal(self.sql, 'create table t(v)');
  });

  test('gives the id and the count of an insert, an update and a delete', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(id integer primary key, v)');
    assert.deepEqual(await counts(db, "insert into t(v) values('a')"), [1, 1]);
    assert.deepEqual(await counts(db, "insert into t(v) values('b'), ('c')"), [3, 2]);
    assert.deepEqual(await counts(db, 'update t set v = 0'), [3, 3]);
    assert.deepEqual(await counts(db, 'delete from t where id > 1'), [3, 2]);
    assert.deepEqual(await counts(db, 'delete from t where id > 1'), [3, 0]);
  });

  test('repeats the last id and count of the connection after a query', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    assert.deepEqual(await counts(db, 'insert into t values(1), (2)'), [2, 2]);
    assert.deepEqual(await counts(db, 'select 1'), [2, 2]);
  });

  test('gives each of many queued inserts its own id', async (t) => {
    const db = await open(t);
    db.run('create table t(id integer primary key, v)');
    const statement = db.prepare('insert into t(v) values(?)');
    const pending = Array.from({ length: 200 }, (_, at) =>
      at % 2 === 0 ? counts(db, 'insert into t(v) values(?)', at) : counts(statement, at),
    );
    const got = await Promise.all(pending);
    assert.deepEqual(
      got,
      got.map((_, at) => [at + 1, 1]),
    );
    assert.deepEqual(
      await rows(db, 'select v from t order by id'),
      got.map((_, at) => ({ v: at })),
    );
    await answer(statement, 'finalize');
  });

  test('keeps ids beyond 32 bits exact, up to the largest safe integer', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(id integer primary key)');
    assert.deepEqual(await counts(db, 'insert into t values(2147483648)'), [2 ** 31, 1]);
    assert.deepEqual(await counts(db, 'insert into t values(9007199254740991)'), [Number.MAX_SAFE_INTEGER, 1]);
    assert.deepEqual(await counts(db, 'insert into t values(-9007199254740991)'), [Number.MIN_SAFE_INTEGER, 1]);
  });

  test('drops the rows of a query', async (t) => {
    const db = await open(t);
    assert.deepEqual((await answer(db, 'run', numbers(1000))).args, [null]);
  });

  test('works without a callback', async (t) => {
    const db = await open(t);
    db.run('create table t(v)');
    db.run('insert into t values(?)', 9);
    assert.equal(await single(db, 'select v from t'), 9);
  });

  test('ignores what is behind the first statement', async (t) => {
    const db = await open(t);
    await value(db, 'run', 'create table t(v); insert into t values(1)');
    assert.deepEqual(await rows(db, 'select * from t'), []);
  });

  for (const tail of [';', ' ; ', ';;', '; -- end', ' /* end */', '\n--end\n', ' ;\t;\n']) {
    test(`takes SQL that ends in ${JSON.stringify(tail)}`, async (t) => {
      const db = await open(t);
      await value(db, 'run', `create table t(v)${tail}`);
      assert.deepEqual((await answer(db, 'run', `insert into t values(1)${tail}`)).args, [null]);
      assert.equal(await single(db, `select v from t${tail}`), 1);
    });
  }

  for (const sql of ['', '  ', ';', '-- only a comment', '/* a comment */ ;']) {
    test(`answers ${JSON.stringify(sql)} with a misuse`, async (t) => {
      const db = await open(t);
      const error = await failure(db, 'run', sql);
      assertCode(error, 'SQLITE_MISUSE', 21);
      assert.equal(error.message, 'SQLITE_MISUSE: not an error');
    });
  }

  test('refuses SQL with NUL instead of cutting it', async (t) => {
    const db = await open(t);
    assertCode(await failure(db, 'run', 'create table t(v)\0; drop table t'), 'SQLITE_MISUSE', 21);
    assert.deepEqual(await rows(db, 'select * from sqlite_schema'), []);
  });
});

describe('a run() that returns rows', () => {
  test('counts the changes of an insert with RETURNING', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(id integer primary key, v)');
    assert.deepEqual(await counts(db, 'insert into t(v) values(1), (2), (3) returning id'), [3, 3]);
    assert.deepEqual(await counts(db, 'update t set v = v + 1 returning v'), [3, 3]);
    assert.deepEqual(await counts(db, 'delete from t where id = 2 returning *'), [3, 1]);
  });

  test('has committed when it calls back', async (t) => {
    const file = temporaryFile(t);
    const [db, other] = [await open(t, file), await open(t, file)];
    await value(db, 'exec', 'create table t(v)');
    const statement = db.prepare('insert into t values(?), (2) returning v');
    assert.deepEqual(await counts(statement, 1), [2, 2]);
    assert.deepEqual(await rows(other, 'select v from t'), [{ v: 1 }, { v: 2 }]);
    assert.deepEqual((await answer(other, 'run', 'insert into t values(3)')).args, [null]);
    await answer(statement, 'finalize');
  });

  test('of a query leaves no read lock behind', async (t) => {
    const file = temporaryFile(t);
    const [db, other] = [await open(t, file), await open(t, file)];
    await value(db, 'exec', 'create table t(v); insert into t values(1), (2), (3)');
    const statement = db.prepare('select v from t');
    await value(statement, 'run');
    assert.deepEqual((await answer(other, 'run', 'insert into t values(4)')).args, [null]);
    await answer(statement, 'finalize');
  });

  test('reports an error in a later row', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'run', 'select abs(column1) from (values (1), (-9223372036854775807 - 1))');
    assert.equal(error.message, 'SQLITE_ERROR: integer overflow');
  });
});

describe('a run() that fails', () => {
  test('changes nothing and leaves the statement usable', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v unique); insert into t values(1)');
    const statement = db.prepare('insert into t values(?)');
    assertCode(await failure(statement, 'run', 1), 'SQLITE_CONSTRAINT', 19);
    assert.deepEqual(await counts(statement, 2), [2, 1]);
    await answer(statement, 'finalize');
  });

  test('with SQLITE_BUSY is reset, so that a later transaction commits', async (t) => {
    const file = temporaryFile(t);
    const [db, holder] = [await open(t, file), await open(t, file)];
    db.configure('busyTimeout', 1);
    await value(db, 'exec', 'create table t(v)');
    await value(holder, 'exec', 'begin immediate');
    const statement = db.prepare('insert into t values(?)');
    assertCode(await failure(statement, 'run', 1), 'SQLITE_BUSY', 5);
    await value(holder, 'exec', 'rollback');
    await value(db, 'exec', 'begin; insert into t values(2); commit');
    assert.deepEqual(await counts(statement, 3), [2, 1]);
    assert.deepEqual(await rows(holder, 'select v from t'), [{ v: 2 }, { v: 3 }]);
    await answer(statement, 'finalize');
  });

  test('with a constraint in a transaction leaves the transaction to be committed', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v unique); begin; insert into t values(1)');
    const statement = db.prepare('insert into t values(1)');
    assertCode(await failure(statement, 'run'), 'SQLITE_CONSTRAINT', 19);
    assert.deepEqual((await answer(db, 'exec', 'commit')).args, [null]);
    assert.deepEqual(await row(db, 'select count(*) as n from t'), { n: 1 });
    await answer(statement, 'finalize');
  });
});

describe('lastID and changes of a statement', () => {
  test('are plain own properties that come with the first successful run()', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    const statement = db.prepare('insert into t values(1)');
    assert.equal(Object.hasOwn(statement, 'lastID'), false);
    assert.equal(Object.hasOwn(statement, 'changes'), false);
    await value(statement, 'run');
    const plain = { writable: true, enumerable: true, configurable: true };
    assert.deepEqual(Object.getOwnPropertyDescriptor(statement, 'lastID'), { value: 1, ...plain });
    assert.deepEqual(Object.getOwnPropertyDescriptor(statement, 'changes'), { value: 1, ...plain });
    await answer(statement, 'finalize');
  });

  test('keep their values when a later run() fails', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v unique)');
    const statement = db.prepare('insert into t values(?)');
    assert.deepEqual(await counts(statement, 5), [1, 1]);
    await failure(statement, 'run', 5);
    assert.equal(Reflect.get(statement, 'lastID'), 1);
    assert.equal(Reflect.get(statement, 'changes'), 1);
    await answer(statement, 'finalize');
  });

  test('are not set by get(), all(), each() and exec()', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v); insert into t values(1)');
    const seen: unknown[] = [];
    const look = function (this: object): void {
      seen.push(Object.hasOwn(this, 'lastID') || Object.hasOwn(this, 'changes'));
    };
    send(db, 'get', 'select v from t', look);
    send(db, 'all', 'insert into t values(2) returning v', look);
    send(db, 'each', 'select v from t where v = 1', look, look);
    send(db, 'exec', 'insert into t values(3)', look);
    await answer(db, 'wait');
    assert.deepEqual(seen, [false, false, false, false, false]);
  });

  test('are those of the run() that calls back, also when more are queued behind it', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    const statement = db.prepare('insert into t select value from json_each(?)');
    const seen: unknown[] = [];
    for (const list of ['[1]', '[1, 2]', '[1, 2, 3]']) {
      statement.run(list, function () {
        seen.push([this.lastID, this.changes]);
      });
    }
    await answer(statement, 'finalize');
    assert.deepEqual(seen, [
      [1, 1],
      [3, 2],
      [6, 3],
    ]);
  });
});
