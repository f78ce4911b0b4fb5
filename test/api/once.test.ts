// Calls with SQL text on a database: what the statement is that their callbacks have as `this`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import sqlite3 from 'sqlite-tandem';
import { answer, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { open } from '../support/database.js';

const FINALIZED = 'SQLITE_MISUSE: Statement is already finalized';

type Method = 'run' | 'get' | 'all' | 'each';

const statementOf = (db: sqlite3.Database, method: Method): Promise<sqlite3.Statement> =>
  new Promise((resolve) => {
    const callback = function (this: sqlite3.Statement): void {
      resolve(this);
    };
    db[method]('select 1 as v', callback);
  });

for (const method of ['run', 'get', 'all', 'each'] as const) {
  describe(`the statement of db.${method}()`, () => {
    test('refuses calls at once when its callback has returned', async (t) => {
      const db = await open(t);
      const statement = await statementOf(db, method);
      await nextTurn();
      const messages: string[] = [];
      statement.get((error: Error | null) => messages.push(String(error?.message)));
      assert.deepEqual(messages, [FINALIZED]);
      assert.throws(() => statement.run(), { message: FINALIZED });
    });

    test('refuses calls in its callback in their turn', async (t) => {
      const db = await open(t);
      const log: string[] = [];
      await new Promise<void>((resolve) => {
        const callback = function (this: sqlite3.Statement): void {
          this.get((error: Error | null) => {
            log.push(String(error?.message));
            resolve();
          });
          log.push('returned');
        };
        db[method]('select 1 as v', callback);
      });
      assert.deepEqual(log, ['returned', FINALIZED]);
    });
  });
}

test('a replaced finalize() of Statement is called by the methods that take SQL', async (t) => {
  const db = await open(t);
  const original = Object.getOwnPropertyDescriptor(sqlite3.Statement.prototype, 'finalize');
  assert.ok(original !== undefined);
  const seen: unknown[] = [];
  try {
    Reflect.set(sqlite3.Statement.prototype, 'finalize', function (this: sqlite3.Statement, ...args: unknown[]) {
      seen.push(this.sql);
      return Reflect.apply(original.value as () => unknown, this, args) as unknown;
    });
    await value(db, 'get', 'select 1 as v');
    await answer(db, 'run', 'select 2');
  } finally {
    Object.defineProperty(sqlite3.Statement.prototype, 'finalize', original);
  }
  assert.deepEqual(seen, ['select 1 as v', 'select 2']);
});

test('a call whose parameters cannot be read keeps no memory for those it had read', async () => {
  await expectProgram(
    ({ sqlite3, print }) => {
      const db = new sqlite3.Database(':memory:');
      db.get('select 1', () => {
        const before = process.memoryUsage().arrayBuffers;
        try {
          db.get('select ?, ?', ['x'.repeat(50_000_000), Symbol('refused')]);
        } catch (error) {
          print((error as Error).name);
        }
        // V8 frees buffers in a thread of its own, some time after the collection.
        const look = (): void => {
          (globalThis as { gc?: () => void }).gc?.();
          if (process.memoryUsage().arrayBuffers - before < 10_000_000) print('freed');
          else setImmediate(look);
        };
        setImmediate(look);
      });
    },
    { output: ['TypeError', 'freed'], nodeOptions: ['--expose-gc'] },
  );
});
