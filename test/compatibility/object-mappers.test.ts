// What knex, Sequelize, TypeORM and n8n rely on when they use the package as their driver for SQLite.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import sqlite3, { OPEN_CREATE, OPEN_FULLMUTEX, OPEN_READONLY, OPEN_READWRITE, OPEN_URI } from 'sqlite-tandem';
import { type Answer, answer, assertCode, failure, once, row, rows, single, value } from '../support/calls.js';
import { open, temporaryFile } from '../support/database.js';

/** What libraries read from the `this` of a callback. */
const told = ({ self }: Answer): { lastID: unknown; changes: unknown; name: string } => {
  const statement = self as sqlite3.RunResult;
  return { lastID: statement.lastID, changes: statement.changes, name: statement.constructor.name };
};

/** Two connections to one file; the first holds the write lock, the second does not wait for it. */
async function locked(t: test.TestContext): Promise<[holder: sqlite3.Database, other: sqlite3.Database]> {
  const file = temporaryFile(t);
  const [holder, other] = [await open(t, file), await open(t, file)];
  other.configure('busyTimeout', 0);
  await value(holder, 'exec', 'create table t(v); begin immediate');
  return [holder, other];
}

describe('knex:', () => {
  test('any OPEN_* name is truthy', () => {
    const names = Object.keys(sqlite3).filter((name) => name.startsWith('OPEN_'));
    assert.ok(names.includes('OPEN_READWRITE') && names.includes('OPEN_SHAREDCACHE'));
    for (const name of names) {
      const flag: unknown = Reflect.get(sqlite3, name);
      assert.ok(typeof flag === 'number' && flag > 0, name);
    }
  });

  test('flags found by name and joined open a database, with the callback in third place', async () => {
    const flags = ['OPEN_READWRITE', 'OPEN_CREATE'].reduce((sum, name) => sum | Number(Reflect.get(sqlite3, name)), 0);
    const { self, args } = await once('open', (callback) => new sqlite3.Database(':memory:', flags, callback));
    assert.deepEqual(args, [null]);
    assert.ok(self instanceof sqlite3.Database);
    assert.deepEqual((await answer(self, 'close')).args, [null]);
  });

  test('methods are found by name on the connection', async (t) => {
    const db = await open(t);
    for (const method of ['run', 'all', 'get', 'each', 'exec', 'prepare']) {
      assert.equal(typeof Reflect.get(db, method), 'function', method);
    }
    assert.equal(Reflect.get(db, 'no such method'), undefined);
  });

  test('run() with an array of bindings tells this.lastID and this.changes', async (t) => {
    const db = await open(t);
    await value(db, 'run', 'create table t(id integer primary key, v)', []);
    const inserted = await answer(db, 'run', 'insert into t(v) values(?), (?)', ['a', 'b']);
    assert.deepEqual(told(inserted), { lastID: 2, changes: 2, name: 'Statement' });
    assert.equal(told(await answer(db, 'run', 'update t set v = ? where id = ?', ['c', 1])).changes, 1);
  });

  test('bindings may be undefined', async (t) => {
    const db = await open(t);
    assert.deepEqual((await answer(db, 'run', 'create table t(v)', undefined)).args, [null]);
    assert.deepEqual(await rows(db, 'select 1 as v', undefined), [{ v: 1 }]);
  });

  test('a stream has all rows of all() at once', async (t) => {
    const db = await open(t);
    const all = await rows(db, 'select value as v from json_each(?)', ['[1,2,3]']);
    assert.deepEqual(all, [{ v: 1 }, { v: 2 }, { v: 3 }]);
  });
});

describe('sequelize:', () => {
  test('flags of the module open the file, OPEN_FULLMUTEX among them', async (t) => {
    const db = await open(t, temporaryFile(t), OPEN_READWRITE | OPEN_CREATE | OPEN_FULLMUTEX);
    assert.equal(db.open, true);
    const reader = await open(t, db.filename, OPEN_READONLY);
    assertCode(await failure(reader, 'run', 'create table t(v)'), 'SQLITE_READONLY', 8);
  });

  test('this.constructor.name is Statement, and lastID - changes + 1 is the first id of an insert', async (t) => {
    const db = await open(t);
    await value(db, 'run', 'create table t(id integer primary key, v)');
    await value(db, 'run', 'insert into t(v) values(0)');
    const { lastID, changes, name } = told(await answer(db, 'run', 'insert into t(v) values(1), (2), (3)'));
    assert.equal(name, 'Statement');
    assert.equal(Number(lastID) - Number(changes) + 1, 2);
    assert.equal(told(await answer(db, 'all', 'select * from t')).name, 'Statement');
  });

  test('run() without a callback takes effect before the next call', async (t) => {
    const db = await open(t);
    db.run('pragma foreign_keys = on');
    assert.deepEqual(await row(db, 'pragma foreign_keys'), { foreign_keys: 1 });
  });

  test('serialize() calls an async function, whose calls keep their order', async (t) => {
    const db = await open(t);
    const order: unknown[] = [];
    const answered = once('the last call', (callback) => {
      const returned = db.serialize(async () => {
        db.run('create table t(v)', () => order.push('create'));
        await Promise.resolve();
        db.run('insert into t values(1)', () => order.push('insert'));
        db.all('select * from t', callback);
      });
      assert.equal(returned, db);
    });
    assert.deepEqual((await answered).args, [null, [{ v: 1 }]]);
    assert.deepEqual(order, ['create', 'insert']);
  });

  test('the connection keeps a uuid, and its filename tells whether it is in memory', async (t) => {
    const db = await open(t);
    const uuid = randomUUID();
    assert.equal(Reflect.set(db, 'uuid', uuid), true);
    assert.equal(Reflect.get(db, 'uuid'), uuid);
    assert.equal(db.filename === ':memory:', true);
    assert.equal((await open(t, temporaryFile(t))).filename === ':memory:', false);
  });

  test('close() may have a callback or none', async (t) => {
    const [one, two] = [await open(t), await open(t)];
    assert.equal(one.close(), one);
    assert.deepEqual((await answer(two, 'close')).args, [null]);
  });

  test('an error takes a sql of its own', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'run', 'select nothing from nowhere');
    assert.equal(Reflect.set(error, 'sql', 'what the user wrote'), true);
    assert.equal(error.sql, 'what the user wrote');
  });

  test('code is SQLITE_CONSTRAINT for every constraint', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(u unique, n not null, c check (c > 0))');
    await value(db, 'run', 'insert into t values(1, 1, 1)');
    for (const values of ['1, 1, 1', '2, null, 1', '2, 1, 0']) {
      assertCode(await failure(db, 'run', `insert into t values(${values})`), 'SQLITE_CONSTRAINT', 19);
    }
  });

  test('the message names the columns behind "UNIQUE constraint failed: "', async (t) => {
    const db = await open(t);
    await value(db, 'exec', "create table person(name, mail, unique(name, mail)); insert into person values('a', 'b')");
    const error = await failure(db, 'run', "insert into person values('a', 'b')");
    assert.equal(/UNIQUE constraint failed: (.*)/.exec(error.message)?.[1], 'person.name, person.mail');
  });

  test('the message holds "FOREIGN KEY constraint failed"', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'pragma foreign_keys = on; create table a(id primary key); create table b(a references a)');
    const error = await failure(db, 'run', 'insert into b values(1)');
    assert.equal(error.message, 'SQLITE_CONSTRAINT: FOREIGN KEY constraint failed');
  });

  test('code is SQLITE_BUSY while another connection writes', async (t) => {
    const [, other] = await locked(t);
    assert.equal((await failure(other, 'run', 'insert into t values(1)')).code, 'SQLITE_BUSY');
  });

  test('parameters are named $name and $1', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select $name as a, $1 as b', { $name: 'x', $1: 2 }), { a: 'x', b: 2 });
  });

  test('version 7 imports OPEN_* by name', () => {
    assert.deepEqual([OPEN_READONLY, OPEN_READWRITE, OPEN_CREATE, OPEN_FULLMUTEX], [1, 2, 4, 65536]);
    assert.equal(OPEN_READWRITE, sqlite3.OPEN_READWRITE);
  });

  test('version 7 passes parameters in an object without a prototype', async (t) => {
    const db = await open(t);
    const parameters = Object.assign(Object.create(null) as object, { $a: 1, $b: 'two' });
    assert.deepEqual(await row(db, 'select $a as a, $b as b', parameters), { a: 1, b: 'two' });
  });

  test('version 7 makes text of a bigint, which an INTEGER column stores exactly', async (t) => {
    const db = await open(t);
    await value(db, 'run', 'create table t(v integer)');
    await value(db, 'run', 'insert into t values(?), (?)', [String(2n ** 62n), 2n ** 62n]);
    const all = await rows(db, 'select typeof(v) as type, cast(v as text) as text from t');
    assert.deepEqual(all, Array(2).fill({ type: 'integer', text: '4611686018427387904' }));
  });
});

describe('typeorm:', () => {
  test('verbose() returns the module, whose OPEN_URI makes a URI of the file name', async () => {
    const sqlite = sqlite3.verbose();
    assert.equal(sqlite, sqlite3);
    const flags = sqlite.OPEN_URI | sqlite.OPEN_READWRITE | sqlite.OPEN_CREATE;
    const { self, args } = await once('open', (callback) => {
      new sqlite.Database('file:typeorm?mode=memory', flags, callback);
    });
    assert.deepEqual(args, [null]);
    assert.ok(self instanceof sqlite3.Database);
    assert.equal((await row(self, 'pragma database_list'))['file'], '');
    await value(self, 'close');
    assert.equal(OPEN_URI, 64);
  });

  test('the flags may be left out or undefined, and the callback is called', async () => {
    for (const flags of [[], [undefined]]) {
      const { self, args } = await once('open', (callback) => {
        Reflect.construct(sqlite3.Database, [':memory:', ...flags, callback]);
      });
      assert.deepEqual(args, [null]);
      assert.ok(self instanceof sqlite3.Database);
      await value(self, 'close');
    }
  });

  test('parameters may be an array or undefined', async (t) => {
    const db = await open(t);
    assert.deepEqual(await rows(db, 'select ? as v', [1]), [{ v: 1 }]);
    assert.deepEqual(await rows(db, 'select 1 as v', undefined), [{ v: 1 }]);
  });

  test('this.changes is undefined after all()', async (t) => {
    const db = await open(t);
    await value(db, 'run', 'create table t(v)');
    const inserted = told(await answer(db, 'run', 'insert into t values(1)', undefined));
    assert.deepEqual([inserted.lastID, inserted.changes], [1, 1]);
    const selected = told(await answer(db, 'all', 'select * from t'));
    assert.deepEqual([selected.lastID, selected.changes], [undefined, undefined]);
  });

  test('err.toString() contains SQLITE_BUSY:', async (t) => {
    const [, other] = await locked(t);
    const error = await failure(other, 'run', 'insert into t values(1)');
    assert.ok(error.toString().indexOf('SQLITE_BUSY:') !== -1, error.toString());
  });

  test('get() of a prepared statement pulls row by row until undefined, then finalize() lets go', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select value as v from json_each(?)', ['[1,2,3]']);
    const pulled: unknown[] = [];
    for (let next = await value(statement, 'get'); next !== undefined; next = await value(statement, 'get')) {
      pulled.push(next);
    }
    assert.deepEqual(pulled, [{ v: 1 }, { v: 2 }, { v: 3 }]);
    assert.deepEqual((await answer(statement, 'finalize')).args, []);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });
});

describe('n8n:', () => {
  test("err.message.includes('SQLITE_BUSY')", async (t) => {
    const [, other] = await locked(t);
    assert.ok((await failure(other, 'run', 'insert into t values(1)')).message.includes('SQLITE_BUSY'));
  });

  test('one connection writes and read-only connections read the same file', async (t) => {
    const file = temporaryFile(t);
    const writer = await open(t, file);
    await value(writer, 'exec', 'pragma journal_mode = wal; create table t(v)');
    const readers = [await open(t, file, OPEN_READONLY), await open(t, file, OPEN_READONLY)];
    await value(writer, 'exec', 'begin; insert into t values(1)');
    const during = await Promise.all(readers.map((reader) => single(reader, 'select count(*) as v from t')));
    await value(writer, 'exec', 'commit');
    const after = await Promise.all(readers.map((reader) => single(reader, 'select count(*) as v from t')));
    assert.deepEqual(
      [during, after],
      [
        [0, 0],
        [1, 1],
      ],
    );
  });
});
