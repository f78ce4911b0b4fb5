// each(): rows in order, the complete callback, and errors before and between rows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, asError, assertCode, each, once, row, send, value } from '../support/calls.js';
import { numbers, open } from '../support/database.js';

const FAILS_AT_4 =
  'select case column1 when 4 then abs(-9223372036854775807 - 1) else column1 end as v from (values (1), (2), (3), (4), (5))';

describe('each()', () => {
  test('returns the database and calls both callbacks on the same statement', async (t) => {
    const db = await open(t);
    const selves: unknown[] = [];
    const { self, args } = await once('each', (complete) => {
      const onRow = function (this: unknown): void {
        selves.push(this);
      };
      assert.equal(db.each(numbers(2), onRow, complete), db);
    });
    assert.ok(self instanceof sqlite3.Statement);
    assert.deepEqual(selves, [self, self]);
    assert.deepEqual(args, [null, 2]);
  });

  test('passes null and the row to the row callback', async (t) => {
    const db = await open(t);
    const { args } = await answer(db, 'each', "select 1 as a, 'b' as b");
    assert.deepEqual(args, [null, { a: 1, b: 'b' }]);
  });

  test('passes null and 0 to complete when there are no rows', async (t) => {
    const db = await open(t);
    const { rows, rowErrors, complete } = await each(db, 'select 1 where 0');
    assert.deepEqual([rows, rowErrors, complete.args], [[], [], [null, 0]]);
  });

  for (const count of [1, 1000, 50_000]) {
    test(`delivers ${count} rows in order before complete`, async (t) => {
      const db = await open(t);
      const { rows, order, complete } = await each(db, numbers(count));
      assert.equal(rows.length, count);
      assert.ok(rows.every(({ v }, at) => v === at + 1));
      assert.equal(order.length, count);
      assert.deepEqual(complete.args, [null, count]);
    });
  }

  test('calls a function that is both callbacks for the rows and for the end', async (t) => {
    const db = await open(t);
    const calls: unknown[][] = [];
    const both = (...args: unknown[]): number => calls.push(args);
    db.each(numbers(2), both, both);
    await answer(db, 'wait');
    assert.deepEqual(calls, [
      [null, { v: 1 }],
      [null, { v: 2 }],
      [null, 2],
    ]);
  });

  test('delivers all rows of several that run on one database and of a prepared statement', async (t) => {
    const db = await open(t);
    const statement = db.prepare(`select v + ? as v from (${numbers(3000)})`);
    const deliveries = await Promise.all([
      each(db, numbers(3000)),
      each(statement, 0),
      each(db, `select v + ? as v from (${numbers(3000)})`, 0),
      each(statement, [0]),
    ]);
    for (const { rows, complete } of deliveries) {
      assert.deepEqual(complete.args, [null, 3000]);
      assert.ok(rows.every(({ v }, at) => v === at + 1));
    }
    await answer(statement, 'finalize');
  });

  test('takes parameters in all forms', async (t) => {
    const db = await open(t);
    const sql = 'select ?1 as a, ?2 as b';
    for (const parameters of [[1, 2], [[1, 2]], [{ 1: 1, 2: 2 }]]) {
      assert.deepEqual((await each(db, sql, ...parameters)).rows, [{ a: 1, b: 2 }]);
    }
  });

  test('works without a complete callback and without any', async (t) => {
    const db = await open(t);
    const seen: unknown[] = [];
    db.each('create table t(v)');
    db.each(numbers(3), (_error: Error | null, got: unknown) => seen.push(got));
    assert.deepEqual(await row(db, 'select count(*) as n from t'), { n: 0 });
    assert.deepEqual(seen, [{ v: 1 }, { v: 2 }, { v: 3 }]);
  });

  test('delivers the rows of an insert with RETURNING', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    const { rows } = await each(db, 'insert into t values(1), (2) returning v');
    assert.deepEqual(rows, [{ v: 1 }, { v: 2 }]);
    assert.deepEqual(await row(db, 'select count(*) as n from t'), { n: 2 });
  });

  test('of a statement starts from the first row each time', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers(3));
    assert.equal((await each(statement)).rows.length, 3);
    await answer(statement, 'reset');
    await row(statement);
    assert.equal((await each(statement)).rows.length, 3);
    await answer(statement, 'finalize');
  });

  test('finalizes its statement, so that the database closes', async (t) => {
    const db = await open(t);
    await each(db, numbers(10));
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('calls complete before the callback of the next call', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    db.each(
      numbers(2000),
      () => order.at(-1) === 'row' || order.push('row'),
      () => order.push('complete'),
    );
    db.get('select 1', () => order.push('get'));
    await answer(db, 'wait');
    assert.deepEqual(order, ['row', 'complete', 'get']);
  });

  test('lets a row callback use the database', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    const { args } = await once('each', (complete) => {
      db.each(
        numbers(200),
        (_error: Error | null, { v }: { v: number }) => db.run('insert into t values(?)', v),
        complete,
      );
    });
    assert.deepEqual(args, [null, 200]);
    assert.deepEqual(await row(db, 'select count(*) as n, sum(v) as sum from t'), { n: 200, sum: 20_100 });
  });

  test('lets a row callback finalize the statement, and a call after that is a misuse', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers(3));
    const late: unknown[] = [];
    const { args } = await once('each', (complete) => {
      statement.each((_error: Error | null, { v }: { v: number }) => {
        if (v === 1) {
          statement.finalize();
          statement.run((error: Error | null) => late.push(error?.message));
        }
      }, complete);
    });
    assert.deepEqual(args, [null, 3]);
    await answer(db, 'wait');
    assert.deepEqual(late, ['SQLITE_MISUSE: Statement is already finalized']);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });
});

describe('an each() that fails', () => {
  test('midway delivers the rows, the error to the row callback, then the error and the count to complete', async (t) => {
    const db = await open(t);
    const { rows, rowErrors, order, complete } = await each(db, FAILS_AT_4);
    assert.deepEqual(rows, [{ v: 1 }, { v: 2 }, { v: 3 }]);
    assert.deepEqual(order, ['row', 'row', 'row', 'error']);
    assert.equal(rowErrors[0]?.message, 'SQLITE_ERROR: integer overflow');
    assert.equal(complete.args.length, 2);
    assert.equal(asError(complete.args[0]).message, rowErrors[0]?.message);
    assert.equal(complete.args[1], 3);
  });

  test('midway passes the error alone to the row callback', async (t) => {
    const db = await open(t);
    const calls: unknown[][] = [];
    await once('each', (complete) => {
      db.each(FAILS_AT_4, (...args: unknown[]) => calls.push(args), complete);
    });
    assert.deepEqual(
      calls.map((args) => args.length),
      [2, 2, 2, 1],
    );
  });

  test('midway without a complete callback tells the row callback', async (t) => {
    const db = await open(t);
    const errors: string[] = [];
    db.each(FAILS_AT_4, (error: Error | null) => error && errors.push(error.message));
    await answer(db, 'wait');
    assert.deepEqual(errors, ['SQLITE_ERROR: integer overflow']);
  });

  test('behind many rows counts the rows it delivered', async (t) => {
    const db = await open(t);
    const sql = `select case v when 20001 then abs(-9223372036854775807 - 1) else v end as v from (${numbers(30_000)})`;
    const { rows, rowErrors, complete } = await each(db, sql);
    assert.equal(rows.length, 20_000);
    assert.equal(rowErrors.length, 1);
    assert.equal(complete.args[1], 20_000);
  });

  test('to prepare tells complete alone', async (t) => {
    const db = await open(t);
    const { rows, rowErrors, complete } = await each(db, 'select nope');
    assert.deepEqual([rows, rowErrors], [[], []]);
    assert.equal(asError(complete.args[0]).message, 'SQLITE_ERROR: no such column: nope');
    assert.equal(complete.self, undefined);
  });

  test('to prepare tells the row callback when there is no other', async (t) => {
    const db = await open(t);
    const { self, args } = await answer(db, 'each', 'select nope');
    assert.equal(args.length, 1);
    assert.equal(asError(args[0]).message, 'SQLITE_ERROR: no such column: nope');
    assert.equal(self, undefined);
  });

  test('to bind tells the row callback and complete, and delivers no row', async (t) => {
    const db = await open(t);
    const { rows, rowErrors, complete } = await each(db, 'select ? as v', 1, 2);
    assert.deepEqual(rows, []);
    assert.equal(rowErrors.length, 1);
    assertCode(asError(rowErrors[0]), 'SQLITE_RANGE', 25);
    assert.equal(asError(complete.args[0]).message, rowErrors[0]?.message);
    assert.equal(complete.args[1], 0);
  });

  test('leaves the statement and the database usable', async (t) => {
    const db = await open(t);
    const statement = db.prepare(FAILS_AT_4);
    await each(statement);
    const { rows, rowErrors } = await each(statement);
    assert.deepEqual([rows.length, rowErrors.length], [3, 1]);
    await answer(statement, 'finalize');
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test("emits no 'error' when it has a callback", async (t) => {
    const db = await open(t);
    const events: unknown[] = [];
    db.on('error', (error) => events.push(error));
    send(db, 'each', FAILS_AT_4, () => undefined);
    send(db, 'each', 'select nope', () => undefined);
    await each(db, FAILS_AT_4);
    assert.deepEqual(events, []);
  });
});
