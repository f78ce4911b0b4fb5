// signal and timeout: exactly the call they were given to, wherever it is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { AbortError, type Database } from 'sqlite-tandem/promises';
import { temporaryFile } from '../support/database.js';
import { deferred, endless, failureOf, open, openTable, valuesOf } from './support.js';

async function assertAborted(promise: Promise<unknown>, reason: unknown): Promise<void> {
  const error = await failureOf(promise);
  assert.ok(error instanceof AbortError, String(error));
  assert.equal(error.name, 'AbortError');
  assert.equal(error.code, 'ABORT_ERR');
  assert.equal(error.cause, reason);
}

async function assertTimedOut(promise: Promise<unknown>): Promise<void> {
  const error = await failureOf(promise);
  assert.ok(error instanceof DOMException, String(error));
  assert.equal(error.name, 'TimeoutError');
  assert.equal(error.code, DOMException.TIMEOUT_ERR);
}

/** Resolves when SQLite works on the call that was made last. */
async function running(db: Database): Promise<void> {
  const before = db.stats().sqliteBusyTime;
  while (db.stats().sqliteBusyTime === before) await immediate();
}

describe('an aborted signal', () => {
  test('keeps a call from being sent at all', async (t) => {
    const db = await openTable(t);
    const signal = AbortSignal.abort('reason');
    await assertAborted(db.run('INSERT INTO t (v) VALUES (1)', [], { signal }), 'reason');
    await assertAborted(db.exec('INSERT INTO t (v) VALUES (1)', { signal }), 'reason');
    await assertAborted(db.prepare('SELECT 1', { signal }), 'reason');
    await assertAborted(db.iterate('SELECT 1', [], { signal }).next(), 'reason');
    await assertAborted(
      db.transaction(() => assert.fail('called'), { signal }),
      'reason',
    );
    await assertAborted(db.backup('never.db', { signal }), 'reason');
    assert.deepEqual(await valuesOf(db), []);
  });
});

describe('abort', () => {
  test('interrupts the call that runs, and none of its neighbours', async (t) => {
    const db = await openTable(t);
    const controller = new AbortController();
    const before = db.run('INSERT INTO t (v) VALUES (1)');
    const call = db.get(endless, [], { signal: controller.signal });
    const behind = db.run('INSERT INTO t (v) VALUES (2)');
    await before;
    await running(db);
    controller.abort('enough');
    await assertAborted(call, 'enough');
    await behind;
    assert.deepEqual(await valuesOf(db), [1, 2]);
  });

  test('takes a call out of the queue: it is never executed', async (t) => {
    const db = await openTable(t);
    const [first, second] = [new AbortController(), new AbortController()];
    const blocker = db.get(endless, [], { signal: first.signal });
    const call = db.run('INSERT INTO t (v) VALUES (1)', [], { signal: second.signal });
    const neighbour = db.run('INSERT INTO t (v) VALUES (2)');
    second.abort();
    first.abort();
    await assertAborted(blocker, first.signal.reason);
    await assertAborted(call, second.signal.reason);
    await neighbour;
    assert.deepEqual(await valuesOf(db), [2]);
  });

  test('takes a call out of those that wait for a transaction', async (t) => {
    const db = await openTable(t);
    const controller = new AbortController();
    const gate = deferred();
    const transaction = db.transaction(() => gate.promise);
    const call = db.run('INSERT INTO t (v) VALUES (1)', [], { signal: controller.signal });
    const neighbour = db.run('INSERT INTO t (v) VALUES (2)');
    controller.abort();
    await assertAborted(call, controller.signal.reason);
    gate.resolve();
    await Promise.all([transaction, neighbour]);
    assert.deepEqual(await valuesOf(db), [2]);
  });

  test('is without effect behind the end of the call', async (t) => {
    const db = await openTable(t);
    const controller = new AbortController();
    await db.run('INSERT INTO t (v) VALUES (1)', [], { signal: controller.signal });
    const next = db.get('SELECT count(*) AS n FROM t');
    controller.abort();
    assert.deepEqual(await next, { n: 1 });
  });

  test('leaves a signal without listeners behind the end of the call', async (t) => {
    const db = await open(t);
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--;
      removeEventListener.apply(signal, args);
    };
    await db.get('SELECT 1', [], { signal });
    await failureOf(db.get('nonsense', [], { signal }));
    await db.transaction((tx) => tx.get('SELECT 1', [], { signal }), { signal });
    for await (const row of db.iterate('SELECT 1 AS v', [], { signal })) assert.deepEqual(row, { v: 1 });
    assert.equal(listeners, 0);
  });

  test('has one listener on a signal, however many calls have it, and tells all of them', async (t) => {
    const db = await open(t);
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const { addEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(signal, args);
    };
    // Each of them, since the next one begins while they are told.
    const calls = Array.from({ length: 20 }, () => db.get(endless, [], { signal }));
    const all = [...calls, db.iterate(endless, [], { signal }).next()];
    assert.equal(listeners, 1);
    controller.abort(new Error('enough'));
    await Promise.all(all.map((call) => assertAborted(call, signal.reason)));
  });

  test('interrupts a wait for a lock of another connection', async (t) => {
    const file = temporaryFile(t);
    const [one, two] = [await open(t, file), await open(t, file, { busyTimeout: 600_000 })];
    await one.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
    await one.transaction(
      async () => {
        const controller = new AbortController();
        const call = two.run('INSERT INTO t (v) VALUES (1)', [], { signal: controller.signal });
        await immediate();
        controller.abort();
        await assertAborted(call, controller.signal.reason);
      },
      { mode: 'exclusive' },
    );
    assert.deepEqual(await valuesOf(two), []);
  });

  test('of an open() that waits behind nothing leaves no database behind', async () => {
    const { open: openDatabase } = await import('sqlite-tandem/promises');
    await assertAborted(openDatabase(':memory:', { signal: AbortSignal.abort(1) }), 1);
    const controller = new AbortController();
    const opening = openDatabase(':memory:', { signal: controller.signal, pragmas: { user_version: 1 } });
    controller.abort(2);
    const [result] = await Promise.allSettled([opening]);
    // Whichever was first.
    if (result.status === 'fulfilled') await result.value.close();
    else assert.equal((result.reason as AbortError).cause, 2);
  });
});

describe('timeout', () => {
  test('ends a call that takes longer, with the error of AbortSignal.timeout()', async (t) => {
    const db = await open(t);
    await assertTimedOut(db.get(endless, [], { timeout: 1 }));
    await assertTimedOut(db.exec(endless, { timeout: 1 }));
    assert.deepEqual(await db.get('SELECT 1 AS v', [], { timeout: 60_000 }), { v: 1 });
  });

  test('ends a call that waits for its turn', async (t) => {
    const db = await openTable(t);
    const gate = deferred();
    const transaction = db.transaction(() => gate.promise);
    await assertTimedOut(db.run('INSERT INTO t (v) VALUES (1)', [], { timeout: 1 }));
    gate.resolve();
    await transaction;
    assert.deepEqual(await valuesOf(db), []);
  });
});

describe('a transaction that is cancelled', () => {
  test('is rolled back at once, although its function does not return', async (t) => {
    const db = await openTable(t);
    const controller = new AbortController();
    const written = deferred();
    const call = db.transaction(
      async (tx) => {
        await tx.run('INSERT INTO t (v) VALUES (1)');
        written.resolve();
        await new Promise(() => {});
      },
      { signal: controller.signal },
    );
    await written.promise;
    controller.abort('enough');
    await assertAborted(call, 'enough');
    assert.deepEqual(await valuesOf(db), []);
    await db.transaction((tx) => tx.run('INSERT INTO t (v) VALUES (2)'));
    assert.deepEqual(await valuesOf(db), [2]);
  });

  test('interrupts its running call, and refuses the ones that its function still makes', async (t) => {
    const db = await openTable(t);
    const controller = new AbortController();
    const { signal } = controller;
    const errors: Error[] = [];
    const [begun, done] = [deferred(), deferred()];
    const call = db.transaction(
      async (tx) => {
        begun.resolve();
        errors.push(await failureOf(tx.get(endless)));
        errors.push(await failureOf(tx.run('INSERT INTO t (v) VALUES (1)')));
        done.resolve();
      },
      { signal },
    );
    await begun.promise;
    await running(db);
    controller.abort('enough');
    await assertAborted(call, 'enough');
    await done.promise;
    assert.ok(errors.every((error) => error instanceof AbortError));
    assert.deepEqual(await valuesOf(db), []);
  });

  test('does not begin when it still waits for its turn', async (t) => {
    const db = await openTable(t);
    const gate = deferred();
    const first = db.transaction(() => gate.promise);
    await assertTimedOut(db.transaction(() => assert.fail('called'), { timeout: 1 }));
    gate.resolve();
    await first;
  });

  test('takes its nested transactions with it', async (t) => {
    const db = await openTable(t);
    const controller = new AbortController();
    const written = deferred();
    const call = db.transaction(
      async (tx) => {
        await tx.transaction(async (inner) => {
          await inner.run('INSERT INTO t (v) VALUES (1)');
          written.resolve();
          await inner.get(endless);
        });
      },
      { signal: controller.signal },
    );
    await written.promise;
    controller.abort();
    await assertAborted(call, controller.signal.reason);
    assert.deepEqual(await valuesOf(db), []);
  });

  test('at any moment around its end is committed or rolled back, and rejects nothing else', async (t) => {
    const db = await openTable(t);
    let committed = 0;
    for (let jobs = 0; jobs < 40; jobs++) {
      const controller = new AbortController();
      const later = async (): Promise<void> => {
        for (let i = 0; i < jobs; i++) await Promise.resolve();
        controller.abort();
      };
      const work = async (tx: Pick<Database, 'run'>): Promise<void> => {
        await tx.run('INSERT INTO t (v) VALUES (1)');
        void later();
      };
      // An unhandled rejection would fail this test.
      const [end] = await Promise.allSettled([db.transaction(work, { signal: controller.signal })]);
      if (end.status === 'fulfilled') committed++;
      assert.equal((await valuesOf(db)).length, committed);
    }
  });

  test('that is nested is rolled back alone', async (t) => {
    const db = await openTable(t);
    const controller = new AbortController();
    await db.transaction(async (tx) => {
      await tx.run('INSERT INTO t (v) VALUES (1)');
      const inner = tx.transaction(
        async (nested) => {
          await nested.run('INSERT INTO t (v) VALUES (2)');
          controller.abort('enough');
          await nested.get('SELECT 1');
        },
        { signal: controller.signal },
      );
      await assertAborted(inner, 'enough');
    });
    assert.deepEqual(await valuesOf(db), [1]);
  });
});
