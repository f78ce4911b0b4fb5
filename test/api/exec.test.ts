// exec(): several statements in one text.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, assertCode, failure, once, rows, single, value } from '../support/calls.js';
import { numbers, open } from '../support/database.js';

describe('exec()', () => {
  test('returns the database and calls back on it with null alone', async (t) => {
    const db = await open(t);
    const { self, args } = await once('exec', (callback) => assert.equal(db.exec('create table t(v)', callback), db));
    assert.equal(self, db);
    assert.deepEqual(args, [null]);
  });

  test('runs all statements of the text in order', async (t) => {
    const db = await open(t);
    await value(
      db,
      'exec',
      'create table t(v); insert into t values(1); update t set v = v + 1; insert into t values(5);',
    );
    assert.deepEqual(await rows(db, 'select v from t'), [{ v: 2 }, { v: 5 }]);
  });

  test('runs triggers with statements inside, strings and comments with semicolons', async (t) => {
    const db = await open(t);
    await value(
      db,
      'exec',
      `create table t(v); create table log(v); -- a comment; with a semicolon
       create trigger r after insert on t begin insert into log values(new.v); insert into log values(';'); end;
       /* another; one */ insert into t values('a;b');`,
    );
    assert.deepEqual(await rows(db, 'select v from log'), [{ v: 'a;b' }, { v: ';' }]);
  });

  test('drops the rows of queries', async (t) => {
    const db = await open(t);
    assert.deepEqual((await answer(db, 'exec', `${numbers(2000)}; select 1; pragma table_list`)).args, [null]);
  });

  for (const sql of ['', ' \n', ';', ';;;', '-- a comment', '/* a comment */']) {
    test(`accepts ${JSON.stringify(sql)}`, async (t) => {
      const db = await open(t);
      assert.deepEqual((await answer(db, 'exec', sql)).args, [null]);
    });
  }

  test('stops at the first statement that fails and keeps what was done before', async (t) => {
    const db = await open(t);
    const sql = 'create table t(v); insert into t values(1); insert into nope values(2); insert into t values(3)';
    const error = await failure(db, 'exec', sql);
    assertCode(error, 'SQLITE_ERROR', 1);
    assert.equal(error.message, 'SQLITE_ERROR: no such table: nope');
    assert.deepEqual(await rows(db, 'select v from t'), [{ v: 1 }]);
  });

  test('stops at a syntax error in a later statement', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'exec', 'create table t(v); insrt into t values(1)');
    assert.equal(error.message, 'SQLITE_ERROR: near "insrt": syntax error');
    assert.deepEqual(await rows(db, 'select v from t'), []);
  });

  test('stops when a statement fails while it runs', async (t) => {
    const db = await open(t);
    const sql = 'create table t(v unique); insert into t values(1); insert into t values(1); insert into t values(2)';
    assertCode(await failure(db, 'exec', sql), 'SQLITE_CONSTRAINT', 19);
    assert.deepEqual(await rows(db, 'select v from t'), [{ v: 1 }]);
  });

  test('leaves a transaction open when it fails inside one, and the next call can roll it back', async (t) => {
    const db = await open(t);
    await failure(db, 'exec', 'create table t(v); begin; insert into t values(1); insert into nope values(1)');
    await value(db, 'exec', 'rollback');
    assert.deepEqual(await rows(db, 'select v from t'), []);
  });

  test('refuses SQL with NUL and runs nothing behind it', async (t) => {
    const db = await open(t);
    assertCode(await failure(db, 'exec', 'create table t(v);\0 drop table t'), 'SQLITE_MISUSE', 21);
    const names = await rows(db, 'select name from sqlite_schema');
    assert.ok(names.length <= 1);
  });

  test('takes a long text', async (t) => {
    const db = await open(t);
    const inserts = Array.from({ length: 3000 }, (_, at) => `insert into t values('${'ä'.repeat(20)}${at}');`);
    await value(db, 'exec', `create table t(v); begin; ${inserts.join('\n')} commit;`);
    assert.equal(await single(db, 'select count(*) as v from t'), 3000);
  });

  test('leaves no statement open', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'select 1; create table t(v)');
    await failure(db, 'exec', 'select 1; select nope');
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('works without a callback', async (t) => {
    const db = await open(t);
    db.exec('create table t(v); insert into t values(4)');
    assert.equal(await single(db, 'select v from t'), 4);
  });
});
