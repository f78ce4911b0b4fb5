// Async context: a callback and a listener see the store of the call that caused them.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, send, value } from '../support/calls.js';
import { numbers, open, temporaryFolder } from '../support/database.js';

const storage = new AsyncLocalStorage<string>();

describe('the async context', () => {
  test('in each callback is that of its call, for queued calls of all kinds', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1 as v');
    const seen: string[] = [];
    const calls: [object, string, unknown[]][] = [
      [db, 'run', ['create table t(v)']],
      [db, 'get', ['select 1']],
      [db, 'all', ['select 1']],
      [db, 'map', ['select 1']],
      [db, 'exec', ['select 1']],
      [db, 'wait', []],
      [db, 'prepare', ['select nope']],
      [db, 'get', ['select nope']],
      [statement, 'bind', []],
      [statement, 'run', []],
      [statement, 'get', []],
      [statement, 'all', []],
      [statement, 'reset', []],
      [statement, 'finalize', []],
      [statement, 'get', []],
    ];
    calls.forEach(([target, method, args], at) => {
      storage.run(`call ${at}`, () => {
        send(target, method, ...args, () => seen.push(`${method}: ${storage.getStore()}`));
      });
    });
    await answer(db, 'wait');
    assert.deepEqual(
      seen,
      calls.map(([, method], at) => `${method}: call ${at}`),
    );
  });

  test('is none in a callback whose call had none', async (t) => {
    const db = await storage.run('opened', () => open(t));
    const seen: unknown[] = [];
    storage.exit(() => {
      db.get('select 1', () => seen.push(storage.getStore()));
      db.each('select 1', () => seen.push(storage.getStore()));
    });
    storage.run('waiting', () => db.wait());
    await answer(db, 'wait');
    assert.deepEqual(seen, [undefined, undefined]);
  });

  test('of each() is that of its call in all row callbacks and in complete', async (t) => {
    const db = await open(t);
    const seen = new Map<string, Set<unknown>>();
    for (const name of ['one', 'two']) {
      const stores = new Set<unknown>();
      seen.set(name, stores);
      storage.run(name, () => {
        db.each(
          numbers(5000),
          () => stores.add(storage.getStore()),
          () => stores.add(`${storage.getStore()} complete`),
        );
      });
    }
    await answer(db, 'wait');
    for (const [name, stores] of seen) {
      assert.deepEqual([...stores], [name, `${name} complete`]);
    }
  });

  test('stays with what a callback starts', async (t) => {
    const db = await open(t);
    const seen: string[] = [];
    const started = ['a', 'b'].map((name) =>
      storage.run(name, async () => {
        await value(db, 'get', 'select 1');
        seen.push(`${name}: ${storage.getStore()} after await`);
        await new Promise<void>((resolve) => {
          db.get('select 1', () => {
            process.nextTick(() => seen.push(`${name}: ${storage.getStore()} in tick`));
            setImmediate(() => {
              seen.push(`${name}: ${storage.getStore()} in immediate`);
              resolve();
            });
          });
        });
      }),
    );
    await Promise.all(started);
    assert.deepEqual(seen.sort(), [
      'a: a after await',
      'a: a in immediate',
      'a: a in tick',
      'b: b after await',
      'b: b in immediate',
      'b: b in tick',
    ]);
  });

  test('is as before when a synchronous answer has come', async (t) => {
    const db = await open(t);
    await value(db, 'close');
    const seen: unknown[] = [];
    storage.run('caller', () => {
      db.get('select 1', () => seen.push(storage.getStore()));
      seen.push(storage.getStore());
    });
    assert.deepEqual(seen, ['caller', 'caller']);
  });

  test("in the constructor's callback and in 'open' listeners is that of the constructor", async () => {
    const seen: unknown[] = [];
    const db = storage.run('constructor', () => {
      return new sqlite3.Database(':memory:', () => seen.push(storage.getStore()));
    });
    storage.run('listener', () => db.on('open', () => seen.push(storage.getStore())));
    await storage.run('later', () => value(db, 'close'));
    assert.deepEqual(seen, ['constructor', 'constructor']);
  });

  test("in 'close' listeners is that of close()", async (t) => {
    const db = await open(t);
    const seen: unknown[] = [];
    storage.run('listener', () => db.on('close', () => seen.push(storage.getStore())));
    storage.run('close', () => db.close(() => seen.push(storage.getStore())));
    await answer(db, 'wait');
    assert.deepEqual(seen, ['close', 'close']);
  });

  test("in 'error' listeners is that of the call that failed", async (t) => {
    const db = await open(t);
    const seen: unknown[] = [];
    storage.run('listener', () => db.on('error', () => seen.push(storage.getStore())));
    storage.run('run', () => db.run('select nope'));
    storage.run('exec', () => db.exec('nonsense'));
    storage.run('statement', () => {
      const statement = db.prepare('select ?');
      storage.run('bind', () => statement.run(1, 2));
      statement.finalize();
    });
    await answer(db, 'wait');
    assert.deepEqual(seen, ['run', 'exec', 'bind']);
  });

  test('in callbacks after a failed open is that of their calls', async (t) => {
    const seen: unknown[] = [];
    const look = (): void => {
      seen.push(storage.getStore());
    };
    const db = storage.run('open', () => new sqlite3.Database(`${temporaryFolder(t)}/missing/x.db`, look));
    storage.run('get', () => db.get('select 1', look));
    storage.run('exec', () => db.exec('select 1', look));
    await storage.run('close', () => answer(db, 'close'));
    assert.deepEqual(seen, ['open', 'get', 'exec']);
  });

  test('of a callback does not leak into the next one', async (t) => {
    const db = await open(t);
    const seen: unknown[] = [];
    storage.run('first', () => db.get('select 1', () => seen.push(storage.getStore())));
    db.get('select 1', () => seen.push(storage.getStore()));
    await answer(db, 'wait');
    assert.deepEqual(seen, ['first', undefined]);
    assert.equal(storage.getStore(), undefined);
  });
});
