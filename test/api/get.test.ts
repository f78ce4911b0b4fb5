// get(): one row, no row, and the walk through a prepared statement's rows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, assertCode, each, failure, once, row, rows, single, value } from '../support/calls.js';
import { numbers, open, temporaryFile } from '../support/database.js';

describe('Database#get', () => {
  test('returns the database and calls back on a statement with null and the row', async (t) => {
    const db = await open(t);
    const { self, args } = await once('get', (callback) =>
      assert.equal(db.get("select 1 as a, 'x' as b, null as c", callback), db),
    );
    assert.ok(self instanceof sqlite3.Statement);
    assert.deepEqual(args, [null, { a: 1, b: 'x', c: null }]);
  });

  test('passes null alone when there is no row', async (t) => {
    const db = await open(t);
    assert.deepEqual((await answer(db, 'get', 'select 1 where 0')).args, [null]);
  });

  test('passes the first of many rows', async (t) => {
    const db = await open(t);
    assert.equal(await single(db, numbers(1000)), 1);
    assert.equal(await single(db, numbers()), 1);
  });

  test('passes null alone for a statement without columns', async (t) => {
    const db = await open(t);
    assert.deepEqual((await answer(db, 'get', 'create table t(v)')).args, [null]);
    assert.deepEqual((await answer(db, 'get', 'insert into t values(3)')).args, [null]);
    assert.equal(await single(db, 'select v from t'), 3);
  });

  test('runs without a callback', async (t) => {
    const db = await open(t);
    db.get('create table t(v)');
    db.get('select 1');
    assert.deepEqual(await rows(db, 'select name from sqlite_schema'), [{ name: 't' }]);
  });

  test('finalizes its statement, so that the database closes', async (t) => {
    const db = await open(t);
    await row(db, numbers());
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('leaves no lock behind, whatever follows the row', async (t) => {
    const file = temporaryFile(t);
    const [db, other] = [await open(t, file), await open(t, file)];
    await value(db, 'exec', 'create table t(v); insert into t values(1), (2)');
    await row(db, 'select v from t');
    assert.deepEqual((await answer(other, 'run', 'insert into t values(3)')).args, [null]);
  });

  test('reports an error while the row is computed', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'get', 'select abs(-9223372036854775807 - 1)');
    assertCode(error, 'SQLITE_ERROR', 1);
    assert.equal(error.message, 'SQLITE_ERROR: integer overflow');
  });
});

describe('Statement#get', () => {
  test('walks the rows one by one, then passes null alone until reset()', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers(3));
    assert.deepEqual([await single(statement), await single(statement), await single(statement)], [1, 2, 3]);
    assert.deepEqual((await answer(statement, 'get')).args, [null]);
    assert.deepEqual((await answer(statement, 'get')).args, [null]);
    await answer(statement, 'reset');
    assert.equal(await single(statement), 1);
    await answer(statement, 'finalize');
  });

  test('walks on when the calls are queued at once', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers(3));
    const got = await Promise.all(Array.from({ length: 5 }, () => answer(statement, 'get')));
    assert.deepEqual(
      got.map(({ args }) => args),
      [[null, { v: 1 }], [null, { v: 2 }], [null, { v: 3 }], [null], [null]],
    );
    await answer(statement, 'finalize');
  });

  test('passes a row behind which the search for another would not end', async (t) => {
    const db = await open(t);
    const endless = 'with recursive n(v) as (select 1 union all select v + 1 from n) select v from n where v = 1';
    const statement = db.prepare(endless);
    for (let times = 0; times < 3; times += 1) {
      assert.equal(await single(statement), 1);
      await answer(statement, 'reset');
    }
    await answer(statement, 'finalize');
  });

  test('walks rows that are far apart, though each is removed when it has been passed', async (t) => {
    const db = await open(t);
    await value(
      db,
      'exec',
      `create table job(id integer primary key, open); insert into job select v, 0 from (${numbers(300_000)})`,
    );
    const ids = [1, 2, 3, 150_000, 150_001, 290_000];
    for (const change of ['delete from job where id = ?', 'update job set open = 0 where id = ?']) {
      await value(db, 'exec', `replace into job select value, 1 from json_each('${JSON.stringify(ids)}')`);
      const statement = db.prepare('select id as v from job where open');
      for (const expected of ids) {
        assert.equal(await single(statement), expected);
        await value(db, 'run', change, expected);
      }
      assert.deepEqual((await answer(statement, 'get')).args, [null]);
      await answer(statement, 'finalize');
    }
  });

  test('of a statement with one row passes it once, then null alone until reset()', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 8 as v');
    assert.equal(await single(statement), 8);
    assert.deepEqual((await answer(statement, 'get')).args, [null]);
    assert.deepEqual((await answer(statement, 'get')).args, [null]);
    await answer(statement, 'reset');
    assert.equal(await single(statement), 8);
    await answer(statement, 'finalize');
  });

  test('starts again when it gets parameters', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select column1 + ? as v from (values (1), (2))');
    assert.deepEqual([await single(statement, 10), await single(statement)], [11, 12]);
    assert.equal(await single(statement, 20), 21);
    assert.equal(await single(statement, [30]), 31);
    assert.equal(await single(statement, { 1: 40 }), 41);
    assert.equal(await single(statement), 42);
    await answer(statement, 'finalize');
  });

  test('does not start again for an empty array or object', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers(3));
    assert.deepEqual([await single(statement), await single(statement, []), await single(statement, {})], [1, 2, 3]);
    await answer(statement, 'finalize');
  });

  test('after all() passes null alone until reset()', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers(3));
    assert.equal((await rows(statement)).length, 3);
    assert.deepEqual((await answer(statement, 'get')).args, [null]);
    await answer(statement, 'reset');
    assert.equal(await single(statement), 1);
    await answer(statement, 'finalize');
  });

  test('after run() of an insert passes null alone and inserts nothing more until reset()', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    const statement = db.prepare('insert into t values(1)');
    await value(statement, 'run');
    assert.deepEqual((await answer(statement, 'get')).args, [null]);
    assert.equal(await single(db, 'select count(*) as v from t'), 1);
    await answer(statement, 'reset');
    assert.deepEqual((await answer(statement, 'get')).args, [null]);
    assert.equal(await single(db, 'select count(*) as v from t'), 2);
    await answer(statement, 'finalize');
  });

  test('lets all(), each() and run() start from the first row', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers(3));
    await single(statement);
    assert.deepEqual(await rows(statement), [{ v: 1 }, { v: 2 }, { v: 3 }]);
    await answer(statement, 'reset');
    await single(statement);
    assert.deepEqual((await each(statement)).rows, [{ v: 1 }, { v: 2 }, { v: 3 }]);
    await answer(statement, 'reset');
    await single(statement);
    assert.deepEqual((await answer(statement, 'run')).args, [null]);
    await answer(statement, 'reset');
    assert.equal(await single(statement), 1);
    await answer(statement, 'finalize');
  });

  test('is not disturbed by other calls between its rows', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v); insert into t values(1), (2), (3); create table other(v)');
    const statement = db.prepare('select v from t order by rowid');
    const got: unknown[] = [];
    for (let at = 0; at < 3; at += 1) {
      got.push(await single(statement));
      await value(db, 'run', 'insert into other select v from t');
      await row(db, 'select count(*) from other');
    }
    assert.deepEqual(got, [1, 2, 3]);
    await answer(statement, 'finalize');
  });

  test('releases the read lock when the row it passed was the only one', async (t) => {
    const file = temporaryFile(t);
    const [db, other] = [await open(t, file), await open(t, file)];
    other.configure('busyTimeout', 1);
    await value(db, 'exec', 'create table t(v); insert into t values(1)');
    const statement = db.prepare('select v from t');
    assert.equal(await single(statement), 1);
    assert.deepEqual((await answer(other, 'run', 'insert into t values(2)')).args, [null]);
    await answer(statement, 'finalize');
  });

  test('in the middle of its rows releases the read lock at reset()', async (t) => {
    const file = temporaryFile(t);
    const [db, other] = [await open(t, file), await open(t, file)];
    other.configure('busyTimeout', 1);
    await value(db, 'exec', 'create table t(v); insert into t values(1), (2), (3)');
    const statement = db.prepare('select v from t');
    await single(statement);
    assertCode(await failure(other, 'run', 'insert into t values(4)'), 'SQLITE_BUSY', 5);
    await answer(statement, 'reset');
    assert.deepEqual((await answer(other, 'run', 'insert into t values(4)')).args, [null]);
    await answer(statement, 'finalize');
  });

  test('keeps walking when the first row has been changed meanwhile', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v); insert into t values(1), (2)');
    const statement = db.prepare('select v from t order by rowid');
    assert.equal(await single(statement), 1);
    await value(db, 'run', 'update t set v = 5 where v = 1');
    assert.equal(await single(statement), 2);
    assert.deepEqual((await answer(statement, 'get')).args, [null]);
    await answer(statement, 'finalize');
  });

  test('after an error can be used again', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select abs(?) as v');
    assertCode(await failure(statement, 'get', -(2n ** 63n)), 'SQLITE_ERROR', 1);
    assert.equal(await single(statement, -4), 4);
    await answer(statement, 'finalize');
  });
});
