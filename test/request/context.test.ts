// When a call carries its async context. In processes of their own, where nobody else uses hooks, as the test runner does.
import { describe, test } from 'node:test';
import { expectProgram } from '../support/child.js';

describe('the context of a call', () => {
  test('is empty when no storage was in use at the call, whatever callbacks have left behind since', () =>
    expectProgram(
      ({ sqlite3, print, require }) => {
        const { AsyncLocalStorage } = require('node:async_hooks');
        const storage = new AsyncLocalStorage();
        const db = new sqlite3.Database(':memory:');
        const tell = (name: string) => () => print([name, storage.getStore() ?? 'none']);
        db.get('select 1', () => {
          storage.enterWith('left behind');
          tell('first')();
          db.get('select 4', tell('fourth'));
        });
        db.get('select 2', tell('second'));
        db.each('select 3', tell('third, a row'), tell('third, the end'));
      },
      {
        output: [
          ['first', 'left behind'],
          ['second', 'none'],
          ['third, a row', 'none'],
          ['third, the end', 'none'],
          ['fourth', 'left behind'],
        ],
      },
    ));

  test('is carried from the first call in a storage on, also if calls came before', () =>
    expectProgram(
      ({ sqlite3, print, require }) => {
        const { AsyncLocalStorage } = require('node:async_hooks');
        const db = new sqlite3.Database(':memory:');
        const seen: unknown[] = [];
        for (let round = 0; round < 100; round++) {
          const storage = new AsyncLocalStorage();
          const note = (): void => {
            seen.push(storage.getStore());
          };
          db.get('select 1', note);
          storage.run(`in ${round}`, () => db.get('select 1', note));
          db.get('select 1', note);
        }
        db.wait(() => {
          const wrong = seen.filter((store, i) => store !== (i % 3 === 1 ? `in ${(i - 1) / 3}` : undefined));
          print([seen.length, wrong]);
        });
      },
      { output: [[300, []]] },
    ));

  test('is carried again after all storages were out of use', () =>
    expectProgram(
      ({ sqlite3, print, require }) => {
        const { AsyncLocalStorage } = require('node:async_hooks');
        const storage = new AsyncLocalStorage();
        const db = new sqlite3.Database(':memory:');
        const get = (name: string, then: () => void): void => {
          db.get('select 1', () => {
            print([name, storage.getStore() ?? 'none']);
            then();
          });
        };
        const again = (left: number): void => {
          if (left === 0) return;
          storage.run(`run ${left}`, () =>
            get('in use', () => {
              storage.disable();
              // More than are made in a row without looking.
              for (let i = 0; i < 100; i++) db.run('select 1');
              setImmediate(() => get('out of use', () => again(left - 1)));
            }),
          );
        };
        again(2);
      },
      {
        output: [
          ['in use', 'run 2'],
          ['out of use', 'none'],
          ['in use', 'run 1'],
          ['out of use', 'none'],
        ],
      },
    ));

  test('is carried by a program whose first call is in a storage', () =>
    expectProgram(
      ({ sqlite3, print, require }) => {
        const { AsyncLocalStorage } = require('node:async_hooks');
        const storage = new AsyncLocalStorage();
        storage.run('opened', () => {
          const db = new sqlite3.Database(':memory:', () => print(storage.getStore()));
          storage.run('read', () => db.get('select 1', () => print(storage.getStore())));
        });
      },
      { output: ['opened', 'read'] },
    ));

  test('is that of the call when its callback throws', () =>
    expectProgram(
      ({ sqlite3, print, require }) => {
        const { AsyncLocalStorage } = require('node:async_hooks');
        const storage = new AsyncLocalStorage();
        const db = new sqlite3.Database(':memory:');
        process.on('uncaughtException', (error) => print([error.message, storage.getStore() ?? 'none']));
        const fail = (message: string) => (): void => {
          throw new Error(message);
        };
        db.get('select 1', fail('without'));
        storage.run('with', () => db.get('select 1', fail('within')));
      },
      {
        output: [
          ['without', 'none'],
          ['within', 'with'],
        ],
      },
    ));

  test('is carried although the program has another Promise', () =>
    expectProgram(
      ({ path, print, require }) => {
        const resolve = (): object => ({ foreign: true });
        Object.assign(globalThis, { Promise: { resolve } });
        for (const file of Object.keys(require.cache)) delete require.cache[file];
        const { Database } = require(path);
        const { AsyncLocalStorage } = require('node:async_hooks');
        const storage = new AsyncLocalStorage();
        const db = new Database(':memory:');
        db.get('select 1', () => print(storage.getStore() ?? 'none'));
        storage.run('kept', () => db.get('select 1', () => print(storage.getStore())));
      },
      { output: ['none', 'kept'] },
    ));

  test('has the domain of the call', () =>
    expectProgram(
      ({ sqlite3, print, require }) => {
        const db = new sqlite3.Database(':memory:');
        db.get('select 1', () => {
          const domain = require('node:domain').create();
          domain.on('error', (error: Error) => print(error.message));
          domain.run(() =>
            db.get('select 1', () => {
              throw new Error('in the domain');
            }),
          );
          db.get('select 1', () => print('outside'));
        });
      },
      { output: ['in the domain', 'outside'] },
    ));

  test('is told to hooks as a resource of its own', () =>
    expectProgram(
      ({ sqlite3, print, require }) => {
        const { createHook, executionAsyncId } = require('node:async_hooks');
        const db = new sqlite3.Database(':memory:');
        db.wait(() => {
          const made = new Set<number>();
          const hook = createHook({
            init: (id: number, type: string) => {
              if (type === 'SQLITE') made.add(id);
            },
          }).enable();
          db.get('select 1', () => {
            print([made.size, made.has(executionAsyncId())]);
            hook.disable();
          });
        });
      },
      { output: [[1, true]] },
    ));

  test('costs no resource while nobody uses hooks', () =>
    expectProgram(
      ({ sqlite3, print, require }) => {
        const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
        // Where a storage does without hooks, there is no telling.
        const tellable = 'kResourceStore' in new AsyncLocalStorage();
        const ids = (): number => new AsyncResource('probe').asyncId();
        const db = new sqlite3.Database(':memory:');
        db.wait(() => {
          const before = ids();
          for (let i = 0; i < 1000; i++) db.get('select 1', () => {});
          const made = ids() - before;
          print(tellable ? made < 100 : made > 1000);
        });
      },
      { output: [true] },
    ));
});
