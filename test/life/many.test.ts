// Very many of everything: databases one after the other and at once, statements, workers; nothing adds up.
import { describe, test } from 'node:test';
import { expectProgram, type Program, sourceOf } from '../support/child.js';
import { temporaryFolder } from '../support/database.js';
import { amount } from './long.js';

const onLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' } as const;

describe('databases', () => {
  test('are opened and closed thousands of times, and leave neither threads, files nor memory', onLinux, async (t) => {
    const rounds = amount(1000, 10_000);
    await expectProgram(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { folder, rounds: wanted } = argument as { folder: string; rounds: number };
        const { readdirSync } = require('node:fs') as typeof import('node:fs');
        const count = (of: string): number => readdirSync(`/proc/self/${of}`).length;
        const state = () => ({ threads: count('task'), files: count('fd'), memory: process.memoryUsage().rss });
        let opened = 0;
        const play = (until: number, done: () => void): void => {
          if (opened === until) {
            done();
            return;
          }
          opened += 1;
          const db = new Database(opened % 2 === 0 ? ':memory:' : `${folder}/x.db`, (error: Error | null) => {
            if (error !== null) throw error;
          });
          db.exec('create table if not exists t(v)');
          db.get('select count(*) as v from t', (error: Error | null) => {
            if (error !== null) throw error;
          });
          db.close((error: Error | null) => {
            if (error !== null) throw error;
            play(until, done);
          });
        };
        play(wanted / 10, () => {
          const before = state();
          play(wanted, () => {
            const after = state();
            const grown = (after.memory - before.memory) / 2 ** 20;
            print([opened, after.threads <= before.threads + 2, after.files - before.files]);
            print(grown < 80 ? 'bounded' : `grown by ${grown} MiB`);
            print(readdirSync(folder));
          });
        });
      },
      { output: [[rounds, true, 0], 'bounded', ['x.db']], argument: { folder: temporaryFolder(t), rounds } },
    );
  });

  test('are open by the hundreds at once, and each of them works', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { readdirSync } = require('node:fs') as typeof import('node:fs');
        const folder = argument as string;
        let left = 500;
        let sum = 0;
        const databases = Array.from({ length: left }, (_none, at) => {
          const db = new Database(at % 2 === 0 ? ':memory:' : `${folder}/${at}.db`);
          db.exec('pragma synchronous = off; create table t(v)');
          db.run('insert into t values(?)', at);
          return db;
        });
        const closeAll = (): void => {
          let open = databases.length;
          for (const db of databases) {
            db.close((error: Error | null) => {
              if (error !== null) throw error;
              open -= 1;
              if (open === 0) print([sum, readdirSync(folder).length]);
            });
          }
        };
        for (const db of databases) {
          db.get('select v from t', (error: Error | null, row: { v: number }) => {
            if (error !== null) throw error;
            sum += row.v;
            left -= 1;
            if (left === 0) closeAll();
          });
        }
      },
      { output: [[(499 * 500) / 2, 250]], argument: temporaryFolder(t) },
    );
  });
});

describe('statements', () => {
  test('that are dropped without finalize by the thousands are all finalized', async () => {
    const wanted = amount(5000, 100_000);
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const db = new Database(':memory:');
        let left = argument as number;
        const count = 'select count(*) as v from sqlite_stmt';
        const untilFinalized = (): void => {
          globalThis.gc?.();
          // The one that counts is one of them.
          db.get(count, (error: Error | null, row: { v: number }) => {
            if (error !== null) throw error;
            if (row.v > 1) {
              setImmediate(untilFinalized);
              return;
            }
            print('all finalized');
            db.close((failure: Error | null) => print(failure));
          });
        };
        const some = (): void => {
          for (let at = 0; at < 500 && left > 0; at += 1, left -= 1) {
            // Not executed, executed, in the middle of its rows, failed.
            const statement = db.prepare(
              left % 4 === 3 ? 'select nope' : 'select ? union all select 2',
              left,
              () => undefined,
            );
            if (left % 4 === 1) statement.all(() => undefined);
            if (left % 4 === 2) statement.get(() => undefined);
          }
          db.wait(left > 0 ? some : untilFinalized);
        };
        some();
      },
      { output: ['all finalized', null], argument: wanted, nodeOptions: ['--expose-gc'] },
    );
  });
});

/** Writes its share into the file, reads it, and says how many rows of its own it found. */
const sharingWorker: Program = ({ sqlite3: { Database }, require }) => {
  const { parentPort, threadId, workerData } = require('node:worker_threads') as typeof import('node:worker_threads');
  const { file, share } = workerData as { file: string; share: number };
  const db = new Database(file);
  const rethrow = (error: Error | null): void => {
    if (error !== null) throw error;
  };
  db.configure('busyTimeout', 600_000);
  const insert = db.prepare('insert into t values(?, ?)');
  for (let at = 0; at < share; at += 1) {
    insert.run(threadId, at, rethrow);
    if (at % 5 === 0) db.all('select count(*) from t', rethrow);
  }
  insert.finalize();
  db.get('select count(*) as v from t where worker = ?', threadId, (error: Error | null, row: { v: number }) => {
    rethrow(error);
    db.close((failure: Error | null) => {
      rethrow(failure);
      parentPort?.postMessage(row.v);
    });
  });
};

describe('workers', () => {
  for (const journal of ['wal', 'delete']) {
    test(`sixteen of them and the main thread write one file (${journal}), and nothing is lost`, async (t) => {
      const share = amount(20, 100);
      await expectProgram(
        ({ sqlite3: { Database }, argument, require, print }) => {
          const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
          const { readdirSync } = require('node:fs') as typeof import('node:fs');
          const {
            source,
            folder,
            share: own,
            journal: mode,
          } = argument as {
            source: string;
            folder: string;
            share: number;
            journal: string;
          };
          const file = `${folder}/x.db`;
          const db = new Database(file);
          db.configure('busyTimeout', 600_000);
          const script = `pragma journal_mode = ${mode}; pragma synchronous = off; create table t(worker, v)`;
          db.exec(script, () => {
            const ended = Array.from(
              { length: 16 },
              () =>
                new Promise<unknown[]>((resolve, reject) => {
                  const said: unknown[] = [];
                  const worker = new Worker(source, { eval: true, workerData: { file, share: own } });
                  worker.on('message', (value) => said.push(value));
                  worker.on('error', reject);
                  worker.on('exit', (code) => resolve([...said, code]));
                }),
            );
            for (let at = 0; at < own; at += 1) db.run('insert into t values(0, ?)', at);
            void Promise.all(ended).then((all) => {
              print(all.every(([found, code]) => found === own && code === 0) ? 'each found its rows' : all);
              db.get('select count(*) as v, count(distinct worker) as w from t', (_error: Error | null, row: unknown) =>
                print(row),
              );
              db.get('pragma integrity_check', (_error: Error | null, row: unknown) => print(row));
              db.close((error: Error | null) => print([error, readdirSync(folder)]));
            });
          });
        },
        {
          output: ['each found its rows', { v: 17 * share, w: 17 }, { integrity_check: 'ok' }, [null, ['x.db']]],
          argument: { source: sourceOf(sharingWorker), folder: temporaryFolder(t), share, journal },
        },
      );
    });
  }
});
