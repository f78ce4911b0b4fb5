// Transactions of the promise API: nobody slips in, nothing is left open, mistakes are told instead of corrupting.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Transaction } from 'sqlite-tandem/promises';
import { temporaryFile } from '../support/database.js';
import { deferred, failureOf, open, openTable, sqliteFailure, valuesOf } from './support.js';

const insert = (on: Pick<Transaction, 'run'>, value: number): Promise<unknown> =>
  on.run('INSERT INTO t (v) VALUES (?)', [value]);

describe('a transaction', () => {
  test('is committed with what its function returns', async (t) => {
    const db = await openTable(t);
    const result = await db.transaction(async (tx) => {
      await insert(tx, 1);
      return tx.get('SELECT count(*) AS n FROM t');
    });
    assert.deepEqual(result, { n: 1 });
    assert.deepEqual(await valuesOf(db), [1]);
    assert.equal(await db.transaction(() => 'synchronous'), 'synchronous');
  });

  test('is rolled back when its function throws, with that error', async (t) => {
    const db = await openTable(t);
    const mistake = new Error('mistake');
    const work = async (tx: Transaction): Promise<void> => {
      await insert(tx, 1);
      throw mistake;
    };
    assert.equal(await failureOf(db.transaction(work)), mistake);
    assert.equal(await failureOf(db.transaction(() => Promise.reject(mistake))), mistake);
    assert.deepEqual(await valuesOf(db), []);
    await db.transaction((tx) => insert(tx, 2));
    assert.deepEqual(await valuesOf(db), [2]);
  });

  test('is rolled back when it cannot be committed', async (t) => {
    const db = await open(t);
    await db.exec(
      'CREATE TABLE a (id INTEGER PRIMARY KEY); ' + 'CREATE TABLE b (a REFERENCES a DEFERRABLE INITIALLY DEFERRED)',
    );
    const error = await sqliteFailure(
      db.transaction((tx) => tx.run('INSERT INTO b VALUES (1)')),
      'SQLITE_CONSTRAINT',
    );
    assert.equal(error.extendedCode, 'SQLITE_CONSTRAINT_FOREIGNKEY');
    assert.deepEqual(await db.all('SELECT * FROM b'), []);
    await db.transaction((tx) => tx.run('INSERT INTO a VALUES (1)'));
  });

  test('goes on after an error that its function handles', async (t) => {
    const db = await openTable(t);
    await db.transaction(async (tx) => {
      await insert(tx, 1);
      await sqliteFailure(tx.run('nonsense'), 'SQLITE_ERROR');
      await insert(tx, 2);
    });
    assert.deepEqual(await valuesOf(db), [1, 2]);
  });

  test('that SQLite has rolled back takes no more calls: nothing is executed outside of it', async (t) => {
    const db = await openTable(t);
    const errors: Error[] = [];
    await db
      .transaction(async (tx) => {
        await insert(tx, 1);
        const lost = [
          tx.run("INSERT OR ROLLBACK INTO t (id, v) VALUES (1, 'again')"),
          insert(tx, 2),
          tx.exec('INSERT INTO t (v) VALUES (3)'),
        ];
        for (const call of lost) errors.push(await failureOf(call));
      })
      .catch((error: Error) => errors.push(error));
    assert.deepEqual(await valuesOf(db), []);
    assert.match(errors[1]?.message ?? '', /the transaction has been rolled back or committed already/);
    assert.match(errors[2]?.message ?? '', /the transaction has been rolled back or committed already/);
    assert.equal(errors.length, 4);
  });

  test('refuses modes and functions that are none', async (t) => {
    const db = await open(t);
    const call = (...args: unknown[]): Promise<Error> => failureOf(Reflect.apply(db.transaction, db, args));
    assert.ok((await call()) instanceof TypeError);
    assert.match((await call(() => 1, { mode: 'fast' })).message, /option mode/);
    assert.match((await call(() => 1, { other: 1 })).message, /option other/);
    await db.transaction(async (tx) => {
      const nested = tx.transaction(() => 1, { mode: 'immediate' });
      assert.match((await failureOf(nested)).message, /option mode/);
    });
  });
});

describe('calls of others', () => {
  test('wait until the transaction has ended, and keep their order', async (t) => {
    const db = await openTable(t);
    const gate = deferred();
    const order: string[] = [];
    const log = (name: string, promise: Promise<unknown>): Promise<unknown> => promise.then(() => order.push(name));
    const first = db.transaction(async (tx) => {
      await insert(tx, 1);
      await gate.promise;
      await insert(tx, 2);
    });
    const calls = [
      log('first', first),
      log('insert', insert(db, 3)),
      log('exec', db.exec('INSERT INTO t (v) VALUES (4)')),
      log(
        'second',
        db.transaction((tx) => insert(tx, 5)),
      ),
      log('last', insert(db, 6)),
    ];
    await immediate();
    gate.resolve();
    await Promise.all(calls);
    assert.deepEqual(order, ['first', 'insert', 'exec', 'second', 'last']);
    assert.deepEqual(await valuesOf(db), [1, 2, 3, 4, 5, 6]);
  });

  test('do not vanish with a transaction that is rolled back', async (t) => {
    const db = await openTable(t);
    const failing = db.transaction(async (tx) => {
      await insert(tx, 1);
      throw new Error('back');
    });
    const [, kept] = await Promise.allSettled([failing, insert(db, 2)]);
    assert.equal(kept.status, 'fulfilled');
    assert.deepEqual(await valuesOf(db), [2]);
  });

  test('through prepared statements wait, too', async (t) => {
    const db = await openTable(t);
    const statement = await db.prepare('INSERT INTO t (v) VALUES (?)');
    const failing = db.transaction(async (tx) => {
      await insert(tx, 1);
      throw new Error('back');
    });
    await Promise.allSettled([failing, statement.run([2])]);
    assert.deepEqual(await valuesOf(db), [2]);
  });
});

describe('nested transactions', () => {
  test('are rolled back alone', async (t) => {
    const db = await openTable(t);
    await db.transaction(async (tx) => {
      await insert(tx, 1);
      await failureOf(
        tx.transaction(async (inner) => {
          await insert(inner, 2);
          await inner.transaction((innermost) => insert(innermost, 3));
          throw new Error('back');
        }),
      );
      await tx.transaction((inner) => insert(inner, 4));
    });
    assert.deepEqual(await valuesOf(db), [1, 4]);
  });

  test('that are called at once run one after the other', async (t) => {
    const db = await openTable(t);
    await db.transaction(async (tx) => {
      const work = (value: number) => async (inner: Transaction) => {
        await insert(inner, value);
        await immediate();
        await insert(inner, value);
      };
      await Promise.all([tx.transaction(work(1)), tx.transaction(work(2))]);
    });
    assert.deepEqual(await valuesOf(db), [1, 1, 2, 2]);
  });
});

describe('a mistake', () => {
  test('of using the database inside its own transaction is explained', async (t) => {
    const db = await openTable(t);
    const statement = await db.prepare('SELECT 1');
    await db.transaction(async (tx) => {
      for (const call of [
        () => db.get('SELECT 1'),
        () => db.exec('SELECT 1'),
        () => db.prepare('SELECT 1'),
        () => db.iterate('SELECT 1').next(),
        () => db.transaction(() => 1),
        () => db.backup('copy.db'),
        () => db.close(),
        () => statement.get(),
      ]) {
        const error = await sqliteFailure(call(), 'SQLITE_MISUSE');
        assert.match(error.message, /inside its own transaction/);
      }
      await insert(tx, 1);
      await tx.transaction(async () => {
        assert.match((await failureOf(tx.get('SELECT 1'))).message, /inside its own transaction/);
        assert.match((await failureOf(db.get('SELECT 1'))).message, /inside its own transaction/);
      });
    });
    assert.deepEqual(await valuesOf(db), [1]);
  });

  test('is also explained around a transaction of another database', async (t) => {
    const [db, other] = [await openTable(t), await openTable(t)];
    await db.transaction(async (tx) => {
      await other.transaction(async (otherTx) => {
        await insert(otherTx, 1);
        await insert(tx, 2);
        assert.match((await failureOf(db.get('SELECT 1'))).message, /inside its own transaction/);
      });
      await insert(other, 3);
    });
    assert.deepEqual(await valuesOf(db), [2]);
    assert.deepEqual(await valuesOf(other), [1, 3]);
  });

  test('of using the database behind the end of the transaction is none', async (t) => {
    const db = await openTable(t);
    let later: Promise<unknown> | undefined;
    const gate = deferred();
    await db.transaction(async () => {
      later = gate.promise.then(() => insert(db, 1));
    });
    const second = db.transaction((tx) => insert(tx, 2));
    gate.resolve();
    await Promise.all([later, second]);
    assert.deepEqual((await valuesOf(db)).length, 2);
  });

  test('of not awaiting a call rolls everything back and names the call', async (t) => {
    const db = await openTable(t);
    let forgotten: Promise<unknown> | undefined;
    const error = await sqliteFailure(
      db.transaction(async (tx) => {
        await insert(tx, 1);
        forgotten = insert(tx, 2);
      }),
      'SQLITE_MISUSE',
    );
    assert.match(error.message, /INSERT INTO t .* an await is missing/);
    assert.equal(error.sql, 'INSERT INTO t (v) VALUES (?)');
    await forgotten;
    assert.deepEqual(await valuesOf(db), []);
  });

  test('of not awaiting a nested transaction rolls everything back, whatever that one does', async (t) => {
    const db = await openTable(t);
    const gate = deferred();
    let forgotten: Promise<unknown> | undefined;
    const error = await sqliteFailure(
      db.transaction(async (tx) => {
        const begun = deferred();
        forgotten = tx.transaction(async (inner) => {
          await insert(inner, 1);
          begun.resolve();
          await gate.promise;
          await insert(inner, 2);
        });
        forgotten.catch(() => {});
        await begun.promise;
      }),
      'SQLITE_MISUSE',
    );
    assert.match(error.message, /a nested transaction .* an await is missing/);
    const next = db.transaction(async (tx) => {
      await insert(tx, 3);
      gate.resolve();
      await failureOf(forgotten as Promise<unknown>);
      await insert(tx, 4);
    });
    await next;
    assert.deepEqual(await valuesOf(db), [3, 4]);
  });

  test('of not awaiting a nested transaction that has not begun leaves nothing open', async (t) => {
    const db = await openTable(t);
    let forgotten: Promise<unknown> | undefined;
    const failing = db.transaction(async (tx) => {
      forgotten = tx.transaction((inner) => insert(inner, 1));
      forgotten.catch(() => {});
    });
    await failureOf(failing);
    await failureOf(forgotten as Promise<unknown>);
    await db.transaction((tx) => insert(tx, 2));
    assert.deepEqual(await valuesOf(db), [2]);
  });

  test('of using the transaction behind its end is an error', async (t) => {
    const db = await openTable(t);
    let kept: Transaction | undefined;
    await db.transaction((tx) => {
      kept = tx;
    });
    assert.ok(kept !== undefined);
    for (const call of [
      insert(kept, 1),
      kept.exec('SELECT 1'),
      kept.transaction(() => 1),
      kept.iterate('SELECT 1').next(),
    ]) {
      assert.match((await sqliteFailure(call, 'SQLITE_MISUSE')).message, /the transaction has ended/);
    }
    assert.deepEqual(await valuesOf(db), []);
  });
});

describe('locks of other connections', () => {
  test('are waited for at the begin in mode immediate, without holding up other databases', async (t) => {
    const file = temporaryFile(t);
    const [one, two, other] = [await open(t, file), await open(t, file), await open(t)];
    await one.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
    const locked = deferred();
    const gate = deferred();
    const first = one.transaction(
      async (tx) => {
        await insert(tx, 1);
        locked.resolve();
        await gate.promise;
      },
      { mode: 'immediate' },
    );
    await locked.promise;
    const second = two.transaction((tx) => insert(tx, 2), { mode: 'immediate' });
    // The one that waits occupies no thread that others need.
    for (let i = 0; i < 20; i++) await other.get('SELECT 1');
    gate.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(await valuesOf(one), [1, 2]);
  });

  test('that are held longer than busyTimeout fail the begin, and the function is not called', async (t) => {
    const file = temporaryFile(t);
    const [one, two] = [await open(t, file), await open(t, file, { busyTimeout: 1 })];
    await one.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
    await one.transaction(
      async () => {
        const call = two.transaction(() => assert.fail('it was called'), { mode: 'exclusive' });
        await sqliteFailure(call, 'SQLITE_BUSY');
      },
      { mode: 'exclusive' },
    );
    await two.transaction((tx) => insert(tx, 1), { mode: 'exclusive' });
  });
});

describe('a nested transaction whose function never returns', () => {
  test('is rejected when the transaction around it ends', async (t) => {
    const db = await openTable(t);
    const begun = deferred();
    let inner: Promise<unknown> = Promise.resolve();
    const outer = db.transaction(async (tx) => {
      inner = tx.transaction(() => {
        begun.resolve();
        return new Promise(() => {});
      });
      inner.catch(() => {});
      await begun.promise;
    });
    assert.match((await sqliteFailure(outer, 'SQLITE_MISUSE')).message, /an await is missing/);
    const first = await Promise.race([inner.catch((error: Error) => error.message), db.get('SELECT 1')]);
    assert.match(String(first), /the transaction has ended/);
  });
});
