// What could end a transaction behind its back, and waits that have no end of their own.
import assert from 'node:assert/strict';
import { AsyncResource } from 'node:async_hooks';
import { describe, test } from 'node:test';
import type { Transaction } from 'sqlite-tandem/promises';
import { deferred, failureOf, openTable, sqliteFailure, valuesOf } from './support.js';

const insert = (on: Pick<Transaction, 'run'>, value: number): Promise<unknown> =>
  on.run('INSERT INTO t (v) VALUES (?)', [value]);

describe('a transaction', () => {
  test('is not ended by its own SQL: COMMIT and ROLLBACK are refused, and it goes on', async (t) => {
    const db = await openTable(t);
    const work = db.transaction(async (tx) => {
      await insert(tx, 1);
      const prepared = await tx.prepare('/* nobody sees this */ Commit');
      const calls: (() => Promise<unknown>)[] = [
        () => tx.run('ROLLBACK'),
        () => tx.get('end transaction'),
        () => tx.exec('INSERT INTO t (v) VALUES (2); COMMIT; INSERT INTO t (v) VALUES (3)'),
        () => tx.iterate('COMMIT').next(),
        () => prepared.run(),
        () => tx.transaction((inner) => inner.run('ROLLBACK')),
      ];
      for (const call of calls) {
        const error = await sqliteFailure(call(), 'SQLITE_MISUSE');
        assert.match(error.message, /would end the transaction behind the back of transaction\(\)/);
      }
      await tx.exec('SAVEPOINT mine; INSERT INTO t (v) VALUES (4); ROLLBACK TO mine; RELEASE mine');
      await insert(tx, 5);
    });
    await work;
    assert.deepEqual(await valuesOf(db), [1, 2, 5]);
    await db.exec('BEGIN; INSERT INTO t (v) VALUES (6); COMMIT');
    assert.deepEqual(await valuesOf(db), [1, 2, 5, 6]);
  });
});

describe('the database inside its own transaction', () => {
  test('is found out also when a transaction of another database has ended meanwhile', async (t) => {
    const [db, other] = [await openTable(t), await openTable(t)];
    const [ended, began] = [deferred(), deferred()];
    const long = db.transaction(async () => {
      began.resolve();
      await ended.promise;
      await insert(db, 1);
    });
    await other.transaction(() => began.promise);
    ended.resolve();
    assert.match((await sqliteFailure(long, 'SQLITE_MISUSE')).message, /inside its own transaction/);
    await failureOf(db.transaction(() => insert(db, 2)));
    assert.deepEqual(await valuesOf(db), []);
  });
});

describe('a wait that nobody can detect', () => {
  test('of a transaction for a call that lost its context is ended by a signal', async (t) => {
    const db = await openTable(t);
    const elsewhere = AsyncResource.bind((call: () => Promise<unknown>) => call());
    const controller = new AbortController();
    let call: Promise<unknown> | undefined;
    const work = async (): Promise<unknown> => {
      call = elsewhere(() => insert(db, 1));
      controller.abort();
      return call;
    };
    assert.equal((await failureOf(db.transaction(work, { signal: controller.signal }))).name, 'AbortError');
    await call;
    assert.deepEqual(await valuesOf(db), [1]);
  });

  test('of two transactions of two databases for each other is ended by a signal of one', async (t) => {
    const [one, other] = [await openTable(t), await openTable(t)];
    const [oneBegan, otherBegan] = [deferred(), deferred()];
    const controller = new AbortController();
    const first = one.transaction(
      async () => {
        oneBegan.resolve();
        await otherBegan.promise;
        await insert(other, 1);
      },
      { signal: controller.signal },
    );
    const second = other.transaction(async () => {
      otherBegan.resolve();
      await oneBegan.promise;
      const waiting = insert(one, 2);
      controller.abort();
      await waiting;
    });
    assert.equal((await failureOf(first)).name, 'AbortError');
    await second;
    assert.deepEqual(await valuesOf(one), [2]);
  });
});
