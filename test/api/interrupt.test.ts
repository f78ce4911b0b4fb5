// interrupt(): ends what runs, leaves what waits, and refuses without an open database.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, asError, assertCode, once, rows, single, value } from '../support/calls.js';
import { numbers, open, temporaryFile } from '../support/database.js';

/** Interrupts again and again until the call is answered, since nobody can see from here when it starts to run. */
async function interruptUntil<T>(db: sqlite3.Database, answered: Promise<T>): Promise<T> {
  const tick = setInterval(() => db.interrupt(), 5);
  try {
    return await answered;
  } finally {
    clearInterval(tick);
  }
}

describe('interrupt()', () => {
  test('ends a running query with SQLITE_INTERRUPT', async (t) => {
    const db = await open(t);
    const endless = answer(db, 'get', `select count(*) from (${numbers()})`);
    const { args } = await interruptUntil(db, endless);
    assert.equal(args.length, 1);
    const error = asError(args[0]);
    assertCode(error, 'SQLITE_INTERRUPT', 9);
    assert.equal(error.message, 'SQLITE_INTERRUPT: interrupted');
  });

  for (const method of ['run', 'all', 'exec']) {
    test(`ends a running ${method}()`, async (t) => {
      const db = await open(t);
      const { args } = await interruptUntil(db, answer(db, method, `select count(*) from (${numbers()})`));
      assertCode(asError(args[0]), 'SQLITE_INTERRUPT', 9);
    });
  }

  test('in a row callback ends the each() it belongs to, and leaves what is queued', async (t) => {
    const db = await open(t);
    const rowErrors: string[] = [];
    let rowCount = 0;
    const completed = once('each', (complete) => {
      db.each(
        numbers(),
        (error: Error | null) => {
          if (error !== null) {
            rowErrors.push(error.message);
            return;
          }
          rowCount += 1;
          if (rowCount === 1) {
            db.interrupt();
          }
        },
        complete,
      );
    });
    const queued = Promise.all([single(db, 'select 6 as v'), rows(db, numbers(500)), value(db, 'exec', 'select 1')]);
    const { args } = await completed;
    assertCode(asError(args[0]), 'SQLITE_INTERRUPT', 9);
    assert.equal(args[1], rowCount);
    assert.deepEqual(rowErrors, ['SQLITE_INTERRUPT: interrupted']);
    const [six, many] = await queued;
    assert.equal(six, 6);
    assert.equal(many.length, 500);
  });

  test('on an idle database changes nothing for later calls', async (t) => {
    const db = await open(t);
    db.interrupt();
    assert.equal(await single(db, 'select 1 as v'), 1);
    const statement = db.prepare(numbers());
    assert.equal(await single(statement), 1);
    await answer(statement, 'reset');
    db.interrupt();
    assert.equal(await single(statement), 1);
    await answer(statement, 'finalize');
  });

  test('leaves the statement it ended usable', async (t) => {
    const db = await open(t);
    const statement = db.prepare(`select count(*) as v from (select 1 from (${numbers()}) limit ?)`);
    const { args } = await interruptUntil(db, answer(statement, 'get', Number.MAX_SAFE_INTEGER));
    assertCode(asError(args[0]), 'SQLITE_INTERRUPT', 9);
    assert.equal(await single(statement, 10), 10);
    await answer(statement, 'finalize');
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('works while a close() is queued behind the query', async (t) => {
    const db = await open(t);
    const endless = answer(db, 'get', `select count(*) from (${numbers()})`);
    const closed = answer(db, 'close');
    const tick = setInterval(() => {
      if (db.open) {
        try {
          db.interrupt();
        } catch (error) {
          assert.match(String(error), /Database is closing/);
        }
      }
    }, 5);
    assertCode(asError((await endless).args[0]), 'SQLITE_INTERRUPT', 9);
    assert.deepEqual((await closed).args, [null]);
    clearInterval(tick);
  });

  test('rolls back the transaction of a statement that writes, as SQLite does', async (t) => {
    const db = await open(t, temporaryFile(t));
    await value(db, 'exec', 'create table t(v); begin; insert into t values(1)');
    const { args } = await interruptUntil(db, answer(db, 'run', `insert into t ${numbers()}`));
    assertCode(asError(args[0]), 'SQLITE_INTERRUPT', 9);
    assert.deepEqual(await rows(db, 'select v from t'), []);
    await value(db, 'exec', 'begin; insert into t values(2); commit');
  });

  test('leaves other databases alone', async (t) => {
    const [one, other] = [await open(t), await open(t)];
    const endless = answer(one, 'get', `select count(*) from (${numbers()})`);
    const slow = single(other, `select count(*) as v from (${numbers(400_000)})`);
    assertCode(asError((await interruptUntil(one, endless)).args[0]), 'SQLITE_INTERRUPT', 9);
    assert.equal(await slow, 400_000);
  });

  test('throws before the database is open, while it closes and when it is closed', async () => {
    const db = new sqlite3.Database(':memory:');
    assert.throws(() => db.interrupt(), { name: 'Error', message: 'Database is not open' });
    await answer(db, 'wait');
    const closed = answer(db, 'close');
    assert.throws(() => db.interrupt(), { name: 'Error', message: 'Database is closing' });
    await closed;
    assert.throws(() => db.interrupt(), { name: 'Error', message: 'Database is not open' });
  });

  test('returns the database', async (t) => {
    const db = await open(t);
    const returned: unknown = Reflect.apply(db.interrupt, db, []);
    assert.equal(returned, db);
  });
});
