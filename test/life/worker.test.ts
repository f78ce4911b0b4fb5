// Worker threads: they end at any moment, by themselves or from outside, and nothing but the worker ends.
import { describe, test } from 'node:test';
import { expectProgram, type Program, sourceOf } from '../support/child.js';

/** Keeps a database busy in every way and reports once work is under way. */
const busyWorker: Program = ({ sqlite3: { Database }, require }) => {
  const { parentPort } = require('node:worker_threads') as typeof import('node:worker_threads');
  const count = 'with recursive n(v) as (select 1 union all select v + 1 from n where v < 20000) select v from n';
  const db = new Database(':memory:');
  db.on('error', () => undefined);
  const more = (): void => {
    db.all(count, more);
    const statement = db.prepare('select ?', 1);
    statement.get(() => statement.finalize());
    db.each(count, () => undefined);
  };
  more();
  more();
  const endless = new Database(':memory:');
  endless.get(
    'with recursive n(v) as (select 1 union all select v + 1 from n) select count(*) from n',
    () => undefined,
  );
  db.get('select 1', () => parentPort?.postMessage('busy'));
};

/** A worker that answers one query and has nothing else to do; its database stays open. */
const shortWorker: Program = ({ sqlite3: { Database }, require }) => {
  const { parentPort } = require('node:worker_threads') as typeof import('node:worker_threads');
  const db = new Database(':memory:');
  db.prepare('select 1');
  db.get('select 3 as v', (_error: Error | null, row: unknown) => parentPort?.postMessage(row));
};

describe('a worker', () => {
  test('ends by itself with an open database and an open statement', async () => {
    await expectProgram(
      ({ argument, require, print }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const worker = new Worker(argument, { eval: true });
        worker.on('message', print);
        worker.on('exit', print);
      },
      { output: [{ v: 3 }, 0], argument: sourceOf(shortWorker) },
    );
  });

  test('can be loaded again and again, one after the other and at the same time', async () => {
    await expectProgram(
      ({ argument, require, print }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const runOne = (): Promise<unknown> =>
          new Promise((resolve, reject) => {
            const worker = new Worker(argument, { eval: true });
            worker.on('error', reject);
            worker.on('exit', resolve);
          });
        const runAll = async (): Promise<void> => {
          for (let at = 0; at < 4; at += 1) {
            print(await runOne());
          }
          print(await Promise.all([runOne(), runOne(), runOne(), runOne()]));
        };
        void runAll();
      },
      { output: [0, 0, 0, 0, [0, 0, 0, 0]], argument: sourceOf(shortWorker) },
    );
  });

  test('that is terminated while queries run and results are delivered ends alone', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const db = new Database(':memory:');
        const terminateOne = async (delay: number): Promise<void> => {
          const worker = new Worker(argument, { eval: true });
          await new Promise((resolve) => worker.once('message', resolve));
          // Different delays meet the worker in different states.
          await new Promise((resolve) => setTimeout(resolve, delay));
          await worker.terminate();
        };
        const runAll = async (): Promise<void> => {
          for (let at = 0; at < 12; at += 1) {
            await terminateOne(at * 3);
          }
          db.get('select 5 as v', (_error: Error | null, row: unknown) => print(row));
        };
        void runAll();
      },
      { output: [{ v: 5 }], argument: sourceOf(busyWorker) },
    );
  });

  test('that is terminated before its database is open ends alone', async () => {
    await expectProgram(
      ({ path, require, print }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const source = `const { parentPort } = require('node:worker_threads');
          const { Database } = require(${JSON.stringify(path)});
          new Database(':memory:').get('select 1', () => undefined);
          parentPort.postMessage('started');
          for (;;) { new Database(':memory:', () => undefined).close(); if (Date.now() % 50 === 0) break; }`;
        const runAll = async (): Promise<void> => {
          for (let at = 0; at < 8; at += 1) {
            const worker = new Worker(source, { eval: true });
            await new Promise((resolve) => worker.once('message', resolve));
            await worker.terminate();
          }
          print('all ended');
        };
        void runAll();
      },
      { output: ['all ended'] },
    );
  });

  test('that waits for a lock is terminated without waiting for it', async () => {
    const waitingWorker: Program = ({ sqlite3: { Database }, require }) => {
      const { parentPort, workerData } = require('node:worker_threads') as typeof import('node:worker_threads');
      const db = new Database((workerData as { file: string }).file);
      db.configure('busyTimeout', 600_000);
      db.wait(() => parentPort?.postMessage('waiting'));
      db.run('insert into t values(1)', () => undefined);
    };
    await expectProgram(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const { mkdtempSync, rmSync } = require('node:fs') as typeof import('node:fs');
        const { tmpdir } = require('node:os') as typeof import('node:os');
        const folder = mkdtempSync(`${tmpdir()}/sqlite-tandem-test-`);
        const file = `${folder}/x.db`;
        const holder = new Database(file);
        holder.exec('create table t(v); begin immediate', () => {
          const worker = new Worker(argument, { eval: true, workerData: { file } });
          worker.once('message', async () => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            await worker.terminate();
            holder.exec('commit', (error: Error | null) => {
              print(error);
              holder.close(() => rmSync(folder, { recursive: true }));
            });
          });
        });
      },
      { output: [null], argument: sourceOf(waitingWorker) },
    );
  });

  test('that calls process.exit() in mid-query ends alone, with its code', async () => {
    const exitingWorker: Program = ({ sqlite3: { Database } }) => {
      const db = new Database(':memory:');
      db.get('with recursive n(v) as (select 1 union all select v + 1 from n) select count(*) from n', () => undefined);
      const other = new Database(':memory:');
      other.each(
        'with recursive n(v) as (select 1 union all select v + 1 from n) select v from n',
        (_error: Error | null, { v }: { v: number }) => {
          if (v === 500) {
            process.exit(9);
          }
        },
      );
    };
    await expectProgram(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const db = new Database(':memory:');
        const worker = new Worker(argument, { eval: true });
        worker.on('exit', (code) => {
          print(code);
          db.get('select 6 as v', (_error: Error | null, row: unknown) => print(row));
        });
      },
      { output: [9, { v: 6 }], argument: sourceOf(exitingWorker) },
    );
  });

  test("whose callback throws reports 'error' to its parent and ends alone", async () => {
    const throwingWorker: Program = ({ sqlite3: { Database } }) => {
      const db = new Database(':memory:');
      db.get('select 1', () => {
        throw new Error('in the worker');
      });
      db.get('with recursive n(v) as (select 1 union all select v + 1 from n) select count(*) from n', () => undefined);
    };
    await expectProgram(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const db = new Database(':memory:');
        const worker = new Worker(argument, { eval: true });
        worker.on('error', (error) => print(error.message));
        worker.on('exit', (code) => {
          print(code);
          db.get('select 8 as v', (_error: Error | null, row: unknown) => print(row));
        });
      },
      { output: ['in the worker', 1, { v: 8 }], argument: sourceOf(throwingWorker) },
    );
  });

  test('works beside the main thread on the same file', async () => {
    const writingWorker: Program = ({ sqlite3: { Database }, require }) => {
      const { workerData } = require('node:worker_threads') as typeof import('node:worker_threads');
      const db = new Database((workerData as { file: string }).file);
      db.configure('busyTimeout', 60_000);
      for (let at = 0; at < 50; at += 1) {
        db.run('insert into t values(?)', at, (error: Error | null) => {
          if (error !== null) {
            throw error;
          }
        });
      }
      db.close();
    };
    await expectProgram(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const { mkdtempSync, rmSync } = require('node:fs') as typeof import('node:fs');
        const { tmpdir } = require('node:os') as typeof import('node:os');
        const folder = mkdtempSync(`${tmpdir()}/sqlite-tandem-test-`);
        const file = `${folder}/x.db`;
        const db = new Database(file);
        db.configure('busyTimeout', 60_000);
        db.exec('pragma journal_mode = wal; pragma synchronous = off; create table t(v)', () => {
          const ended = [1, 2].map(
            () =>
              new Promise((resolve) => {
                new Worker(argument, { eval: true, workerData: { file } }).on('exit', resolve);
              }),
          );
          for (let at = 0; at < 50; at += 1) {
            db.run('insert into t values(?)', at);
          }
          void Promise.all(ended).then((codes) => {
            print(codes);
            db.get('select count(*) as n from t', (_error: Error | null, row: unknown) => print(row));
            db.close(() => rmSync(folder, { recursive: true }));
          });
        });
      },
      { output: [[0, 0], { n: 150 }], argument: sourceOf(writingWorker) },
    );
  });

  test('that is busy does not hold up process.exit() of the main thread', async () => {
    await expectProgram(
      ({ argument, require }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const worker = new Worker(argument, { eval: true });
        worker.once('message', () => process.exit(6));
      },
      { output: [], code: 6, argument: sourceOf(busyWorker) },
    );
  });
});
