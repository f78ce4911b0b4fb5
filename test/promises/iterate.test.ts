// iterate(): all rows, in order, no more of them than wanted, and nothing left open.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Database, Rows } from 'sqlite-tandem/promises';
import { numbers } from '../support/database.js';
import { deferred, failureOf, open, openTable, sqliteFailure, valuesOf } from './support.js';

const value = { rowMode: 'value' } as const;

async function take<T>(rows: Rows<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const row of rows) {
    taken.push(row);
    if (taken.length === count) break;
  }
  return taken;
}

/** Whether no statement is open: SQLite refuses to leave WAL, or to detach, while one is. */
async function assertNothingOpen(db: Database): Promise<void> {
  await db.exec("ATTACH ':memory:' AS probe; DETACH probe; VACUUM");
}

describe('iterate', () => {
  test('gives every row, in order, in every row mode', async (t) => {
    const db = await open(t);
    const expected = Array.from({ length: 10_000 }, (_, i) => i + 1);
    assert.deepEqual(await take(db.iterate(numbers(10_000), [], value), Number.POSITIVE_INFINITY), expected);
    assert.deepEqual(await take(db.iterate(numbers(2)), 9), [{ v: 1 }, { v: 2 }]);
    assert.deepEqual(await take(db.iterate(numbers(2), [], { rowMode: 'array' }), 9), [[1], [2]]);
    assert.deepEqual(await take(db.iterate(numbers(2), [], { integers: 'bigint' }), 9), [{ v: 1n }, { v: 2n }]);
    assert.deepEqual(await take(db.iterate('SELECT 1 WHERE 0'), 9), []);
  });

  test('binds parameters, and takes them at the call', async (t) => {
    const db = await open(t);
    const list = [3];
    const rows = db.iterate(`${numbers(5)} WHERE v > ?`, list, value);
    list[0] = 0;
    assert.deepEqual(await take(rows, 9), [4, 5]);
  });

  test('closes the cursor at once when the loop is left', async (t) => {
    const db = await openTable(t, [1, 2, 3]);
    assert.deepEqual(await take(db.iterate(numbers(), [], value), 3), [1, 2, 3]);
    await assertNothingOpen(db);
    await assert.rejects(async () => {
      for await (const row of db.iterate(numbers())) throw new Error(String(row['v']));
    }, /^Error: 1$/);
    await assertNothingOpen(db);
  });

  test('lets other calls run between two chunks, also writes', async (t) => {
    const db = await openTable(t);
    let n = 0;
    for await (const row of db.iterate(numbers(500), [], value)) {
      await db.run('INSERT INTO t (v) VALUES (?)', [row]);
      n++;
    }
    assert.equal(n, 500);
    assert.equal((await valuesOf(db)).length, 500);
    await assertNothingOpen(db);
  });

  test('does not read ahead of the consumer without end', async (t) => {
    const db = await open(t);
    const rows = db.iterate(`SELECT v, zeroblob(1000) AS b FROM (${numbers()})`);
    await rows.next();
    const { undeliveredBytes, queueLength } = db.stats();
    assert.equal(undeliveredBytes, 0);
    assert.equal(queueLength, 0);
    await rows.return();
    await assertNothingOpen(db);
  });

  test('reads one chunk ahead, once the first has been used up', async (t) => {
    const db = await openTable(
      t,
      Array.from({ length: 1_000 }, (_, i) => i),
    );
    const count = async (before: number): Promise<number> => {
      const rows = db.iterate('SELECT v FROM t', [], value);
      for (let i = 0; i < before; i++) assert.equal((await rows.next()).value, i);
      // Behind what the iterator has asked for, so that its rows end there.
      await db.run('BEGIN');
      await db.run('DELETE FROM t');
      const seen = before + (await take(rows, Number.POSITIVE_INFINITY)).length;
      await db.run('ROLLBACK');
      return seen;
    };
    assert.equal(await count(1), 32);
    assert.equal(await count(32), 32);
    assert.equal(await count(33), 32 + 64 + 128);
    assert.equal(await count(32 + 64), 32 + 64 + 128);
    assert.equal(await count(32 + 64 + 1), 32 + 64 + 128 + 256);
    await assertNothingOpen(db);
  });

  test('tells an error of the chunk that was read ahead behind the rows before it, where it is asked for', async (t) => {
    const db = await open(t);
    const sql = `SELECT CASE WHEN v = 97 THEN abs(-9223372036854775807 - 1) ELSE v END FROM (${numbers(300)})`;
    const rows = db.iterate(sql, [], value);
    for (let i = 1; i <= 33; i++) assert.equal((await rows.next()).value, i);
    // Behind the chunk that fails.
    await db.get('SELECT 1');
    const unhandled: unknown[] = [];
    process.on('unhandledRejection', (error) => unhandled.push(error));
    await new Promise(setImmediate);
    assert.deepEqual(unhandled, []);
    for (let i = 34; i <= 96; i++) assert.equal((await rows.next()).value, i);
    async function consume(): Promise<void> {
      await rows.next();
    }
    const error = (await failureOf(consume())) as Error;
    assert.match(String(error), /integer overflow/);
    assert.match(error.stack ?? '', /consume/);
    await assertNothingOpen(db);
  });

  test('can be left, or its database closed, while a chunk is read ahead', async (t) => {
    const db = await open(t);
    for (const leave of [(rows: Rows<unknown>) => rows.return(), () => db.close()]) {
      // The third chunk takes for ever.
      const rows = db.iterate(`SELECT v FROM (${numbers()}) WHERE v < 97`, [], value);
      for (let i = 1; i <= 33; i++) await rows.next();
      await leave(rows);
    }
  });

  test('gives several cursors that do not disturb each other, also of one statement', async (t) => {
    const db = await open(t);
    const statement = await db.prepare(`${numbers(300)} WHERE v > ?`, value);
    const [a, b] = [statement.iterate([0]), statement.iterate([100])];
    const seen: unknown[] = [];
    for (let i = 0; i < 100; i++) {
      seen.push((await a.next()).value, (await b.next()).value, await statement.get([200]));
    }
    assert.deepEqual(seen.slice(-3), [100, 200, 201]);
    await Promise.all([a.return(), b.return()]);
    await assertNothingOpen(db);
  });

  test('tells an error where it happens: at the first step or in the middle', async (t) => {
    const db = await openTable(t);
    await sqliteFailure(db.iterate('nonsense').next(), 'SQLITE_ERROR');
    const sql = `SELECT CASE WHEN v = 200 THEN abs(-9223372036854775807 - 1) ELSE v END FROM (${numbers(300)})`;
    const seen: unknown[] = [];
    const rows = db.iterate(sql, [], value);
    await sqliteFailure(
      (async () => {
        for await (const row of rows) seen.push(row);
      })(),
      'SQLITE_ERROR',
    );
    assert.ok(seen.length < 200);
    assert.deepEqual(
      seen,
      Array.from({ length: seen.length }, (_, i) => i + 1),
    );
    assert.deepEqual(await rows.next(), { value: undefined, done: true });
    await assertNothingOpen(db);
  });

  test('tells wrong arguments at the first step', async (t) => {
    const db = await open(t);
    const rows = db.iterate('SELECT ?', []);
    assert.match((await failureOf(rows.next())).message, /parameter 1 has no value/);
    assert.equal((await rows.next()).done, true);
    assert.match((await failureOf(db.iterate('SELECT 1', [], { chunk: 1 } as object).next())).message, /option chunk/);
  });

  test('answers steps that are asked for at once in their order', async (t) => {
    const db = await open(t);
    const rows = db.iterate(numbers(70), [], value);
    const steps = await Promise.all(Array.from({ length: 72 }, () => rows.next()));
    assert.deepEqual(
      steps.map((step) => step.value),
      [...Array.from({ length: 70 }, (_, i) => i + 1), undefined, undefined],
    );
    assert.deepEqual(
      steps.map((step) => step.done),
      [...new Array<boolean>(70).fill(false), true, true],
    );
  });

  test('ends a step that is on its way when it is returned', async (t) => {
    const db = await open(t);
    const rows = db.iterate(`SELECT max(v) FROM (${numbers()})`);
    const step = rows.next();
    const end = rows.return();
    assert.deepEqual(await step, { value: undefined, done: true });
    assert.deepEqual(await end, { value: undefined, done: true });
    assert.deepEqual(await rows.next(), { value: undefined, done: true });
    await assert.rejects(rows.throw(new Error('thrown')), /thrown/);
    await assertNothingOpen(db);
  });

  test('executes a statement that writes to its end, whatever is read of it', async (t) => {
    const db = await openTable(t);
    const rows = db.iterate(`INSERT INTO t (v) SELECT v FROM (${numbers(200)}) RETURNING v`, [], value);
    assert.deepEqual((await rows.next()).value, 1);
    // It is committed: another write, and a transaction, find no open one.
    await db.transaction((tx) => tx.run('INSERT INTO t (v) VALUES (0)'));
    await rows.return();
    assert.equal((await valuesOf(db)).length, 201);
  });

  test('is a source for streams', async (t) => {
    const db = await open(t);
    const seen: unknown[] = [];
    for await (const row of Readable.from(db.iterate(numbers(1000), [], value))) seen.push(row);
    assert.equal(seen.length, 1000);
    const stream = Readable.from(db.iterate(numbers()));
    for await (const row of stream) {
      assert.deepEqual(row, { v: 1 });
      break;
    }
    await assertNothingOpen(db);
  });

  test('ends when its signal is aborted, also between two rows', async (t) => {
    const db = await openTable(t);
    const controller = new AbortController();
    let n = 0;
    const loop = async (): Promise<void> => {
      for await (const row of db.iterate(numbers(40), [], { signal: controller.signal })) {
        n++;
        if (row['v'] === 5) controller.abort('enough');
      }
    };
    const error = await failureOf(loop());
    assert.equal(error.name, 'AbortError');
    assert.equal(error.cause, 'enough');
    assert.equal(n, 5);
    await assertNothingOpen(db);
  });

  test('ends when its signal is aborted although rows that were read ahead are there, or nearly', async (t) => {
    const db = await open(t);
    // The second chunk ends at 96, the third, read ahead, at 224.
    for (const before of [33, 40, 96, 224]) {
      const controller = new AbortController();
      const rows = db.iterate(numbers(3000), [], { ...value, signal: controller.signal });
      for (let i = 1; i <= before; i++) assert.equal((await rows.next()).value, i);
      await db.get('SELECT 1');
      const waiting = before === 224 ? rows.next() : undefined;
      controller.abort('enough');
      const error = await failureOf(waiting ?? rows.next());
      assert.equal(error.name, 'AbortError');
      assert.equal(error.cause, 'enough');
      assert.deepEqual(await rows.next(), { value: undefined, done: true });
      await assertNothingOpen(db);
    }
  });

  test('ends when a chunk takes longer than its timeout', async (t) => {
    const db = await open(t);
    const rows = db.iterate(`SELECT max(v) FROM (${numbers()})`, [], { timeout: 1 });
    assert.equal((await failureOf(rows.next())).name, 'TimeoutError');
    await assertNothingOpen(db);
  });

  test('gives any prefix, then ends cleanly', async (t) => {
    const db = await openTable(t);
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 1, max: 300 }),
      async (total, wanted) => {
        const rows = await take(db.iterate(`${numbers(300)} WHERE v <= ?`, [total], value), wanted);
        assert.deepEqual(
          rows,
          Array.from({ length: Math.min(total, wanted) }, (_, i) => i + 1),
        );
      },
    );
    await fc.assert(property, { numRuns: 50 });
    await assertNothingOpen(db);
  });
});

describe('a cursor and transactions', () => {
  test('of others: its next chunk waits until they have ended', async (t) => {
    const db = await openTable(t);
    const rows = db.iterate(numbers(100), [], value);
    await rows.next();
    const gate = deferred();
    const transaction = db.transaction(() => gate.promise);
    const rest = take(rows, Number.POSITIVE_INFINITY);
    gate.resolve();
    await transaction;
    assert.equal((await rest).length, 99);
  });

  test('of others: one that changed the schema and is rolled back ends the rows with an error that says so', async (t) => {
    const db = await openTable(t);
    await db.exec(`INSERT INTO t (v) ${numbers(100)}`);
    const rows = db.iterate('SELECT v FROM t', [], value);
    await rows.next();
    await db
      .transaction(async (tx) => {
        await tx.run('INSERT INTO t (v) VALUES (1)');
        throw new Error('back');
      })
      .catch(() => {});
    const unharmed = await take(rows, 50);
    assert.equal(unharmed.length, 50);
    const others = db.iterate('SELECT v FROM t', [], value);
    await others.next();
    await db
      .transaction(async (tx) => {
        await tx.exec('CREATE TABLE other (v)');
        throw new Error('back');
      })
      .catch(() => {});
    const error = await sqliteFailure(take(others, 100), 'SQLITE_ABORT');
    assert.equal(error.extendedCode, 'SQLITE_ABORT_ROLLBACK');
    assert.match(error.message, /a transaction that had changed the schema was rolled back during the iteration/);
    await assertNothingOpen(db);
  });

  test('inside one: it sees what that one wrote', async (t) => {
    const db = await openTable(t);
    await db.transaction(async (tx) => {
      await tx.run('INSERT INTO t (v) VALUES (1), (2)');
      assert.deepEqual(await take(tx.iterate('SELECT v FROM t', [], value), 9), [1, 2]);
    });
  });

  test('that is not finished at its end is a forgotten one', async (t) => {
    const db = await openTable(t);
    let rows: Rows<unknown> | undefined;
    const error = await sqliteFailure(
      db.transaction(async (tx) => {
        rows = tx.iterate(numbers());
        await rows.next();
      }),
      'SQLITE_MISUSE',
    );
    assert.match(error.message, /an await is missing/);
    await assertNothingOpen(db);
    assert.deepEqual(await rows?.return(), { value: undefined, done: true });
  });
});
