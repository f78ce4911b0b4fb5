// all(): the array of rows, from none to many.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, failure, once, rows, value } from '../support/calls.js';
import { numbers, open } from '../support/database.js';

describe('all()', () => {
  test('returns the database and calls back on a statement with null and an array', async (t) => {
    const db = await open(t);
    const { self, args } = await once('all', (callback) => assert.equal(db.all(numbers(2), callback), db));
    assert.ok(self instanceof sqlite3.Statement);
    assert.deepEqual(args, [null, [{ v: 1 }, { v: 2 }]]);
  });

  test('passes an empty array when there are no rows', async (t) => {
    const db = await open(t);
    assert.deepEqual((await answer(db, 'all', 'select 1 where 0')).args, [null, []]);
    assert.deepEqual((await answer(db, 'all', 'create table t(v)')).args, [null, []]);
  });

  for (const count of [1, 99, 1000, 1001, 30_000]) {
    test(`passes ${count} rows in their order`, async (t) => {
      const db = await open(t);
      const got = await rows(db, `select v, 'text of ' || v as text, v / 2.0 as half from (${numbers(count)})`);
      assert.equal(got.length, count);
      got.forEach((row, at) => {
        assert.deepEqual(row, { v: at + 1, text: `text of ${at + 1}`, half: (at + 1) / 2 });
      });
    });
  }

  test('makes an object of its own for each row', async (t) => {
    const db = await open(t);
    const [first, second] = await rows(db, 'select 1 as a union all select 1');
    assert.notEqual(first, second);
    assert.deepEqual(first, second);
  });

  test('passes the rows of an insert with RETURNING, and the insert is done', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(id integer primary key, v)');
    assert.deepEqual(await rows(db, 'insert into t(v) values(5), (6) returning id, v'), [
      { id: 1, v: 5 },
      { id: 2, v: 6 },
    ]);
    assert.deepEqual(await rows(db, 'select count(*) as n from t'), [{ n: 2 }]);
  });

  test('passes the error alone when a later row fails', async (t) => {
    const db = await open(t);
    const sql = 'select abs(column1) from (values (1), (2), (-9223372036854775807 - 1))';
    assert.equal((await failure(db, 'all', sql)).message, 'SQLITE_ERROR: integer overflow');
  });

  test('passes the error alone when a row fails behind many', async (t) => {
    const db = await open(t);
    const sql = `select case v when 20000 then abs(-9223372036854775807 - 1) else v end as v from (${numbers(20_000)})`;
    assert.equal((await failure(db, 'all', sql)).message, 'SQLITE_ERROR: integer overflow');
    assert.deepEqual(await rows(db, 'select 1 as a'), [{ a: 1 }]);
  });

  test('of a statement repeats its result', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers(3));
    const first = await rows(statement);
    assert.deepEqual(await rows(statement), first);
    assert.equal(first.length, 3);
    await answer(statement, 'finalize');
  });

  test('of a statement sees what was written in between', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    const statement = db.prepare('select v from t');
    const counts: unknown[] = [];
    for (let at = 0; at < 3; at += 1) {
      counts.push((await rows(statement)).length);
      await value(db, 'run', 'insert into t values(1)');
    }
    assert.deepEqual(counts, [0, 1, 2]);
    await answer(statement, 'finalize');
  });

  test('runs without a callback', async (t) => {
    const db = await open(t);
    db.all('create table t(v)');
    db.all(numbers(5000));
    assert.deepEqual(await rows(db, 'select * from t'), []);
  });

  test('keeps several large results apart', async (t) => {
    const db = await open(t);
    const queries = Array.from({ length: 8 }, (_, at) => rows(db, `select v * ${at + 1} as v from (${numbers(4000)})`));
    const results = await Promise.all(queries);
    results.forEach((result, at) => {
      assert.equal(result.length, 4000);
      assert.deepEqual(result[3999], { v: 4000 * (at + 1) });
    });
  });

  test('passes rows with many columns', async (t) => {
    const db = await open(t);
    const columns = Array.from({ length: 1500 }, (_, at) => `${at} as c${at}`);
    const [row] = await rows(db, `select ${columns.join(', ')}`);
    assert.equal(Object.keys(row ?? {}).length, 1500);
    assert.equal(row?.['c1499'], 1499);
  });
});
