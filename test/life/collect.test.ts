// Garbage collection: what users drop is finalized and closed, and what they close is given back.
import { describe, test } from 'node:test';
import { expectProgram } from '../support/child.js';
import { temporaryFile } from '../support/database.js';

const GC = { nodeOptions: ['--expose-gc'] } as const;

describe('statements that were dropped', () => {
  test('are collected and finalized, so that the database closes', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        const dropped: WeakRef<object>[] = [];
        for (let at = 0; at < 300; at += 1) {
          const statement = db.prepare('select ? as v', at);
          statement.get();
          dropped.push(new WeakRef(statement));
        }
        const closeWhenCollected = (): void => {
          globalThis.gc?.();
          if (dropped.some((reference) => reference.deref() !== undefined)) {
            setImmediate(closeWhenCollected);
            return;
          }
          // Finalizers run some time after the collection; until they have, closing is refused.
          db.close((error: Error | null) => (error === null ? print('closed') : setImmediate(closeWhenCollected)));
        };
        db.wait(closeWhenCollected);
      },
      { output: ['closed'], ...GC },
    );
  });

  test('while their calls are queued are collected only after the answers', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        let sum = 0;
        for (let at = 1; at <= 200; at += 1) {
          db.prepare('select ? as v').get(at, (error: Error | null, row?: { v: number }) => {
            if (error !== null) {
              print(error.message);
            }
            sum += row?.v ?? 0;
          });
          if (at % 20 === 0) {
            globalThis.gc?.();
          }
        }
        db.wait(() => print(sum));
      },
      { output: [20_100], ...GC },
    );
  });

  test('in the middle of their rows hold no lock after they were collected', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const db = new Database(argument as string);
        const other = new Database(argument as string);
        other.configure('busyTimeout', 1);
        db.exec('create table t(v); insert into t values(1), (2), (3)');
        db.prepare('select v from t').get(() => {
          const writeWhenCollected = (): void => {
            globalThis.gc?.();
            other.run('insert into t values(4)', (error: Error | null) =>
              error === null ? print('written') : setImmediate(writeWhenCollected),
            );
          };
          setImmediate(writeWhenCollected);
        });
      },
      { output: ['written'], argument: temporaryFile(t), ...GC },
    );
  });

  test('do not pile up in memory', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        // A statement as large as this takes some 80 KB.
        const columns = Array.from({ length: 100 }, (_, at) => `?${at + 1} + ${at} as c${at}`);
        const sql = `select ${columns.join(', ')}`;
        const round = (left: number, done: () => void): void => {
          if (left === 0) {
            done();
            return;
          }
          for (let at = 0; at < 50; at += 1) {
            db.prepare(sql).get(1);
          }
          db.wait(() => {
            globalThis.gc?.();
            setImmediate(() => round(left - 1, done));
          });
        };
        round(5, () => {
          const before = process.memoryUsage().rss;
          round(40, () => {
            const grown = (process.memoryUsage().rss - before) / 2 ** 20;
            print(grown < 60 ? 'bounded' : `grown by ${grown} MiB`);
          });
        });
      },
      { output: ['bounded'], ...GC },
    );
  });
});

describe('databases that were dropped', () => {
  test('are closed', { skip: process.platform === 'linux' ? false : 'reads /proc' }, async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { readdirSync, readlinkSync } = require('node:fs') as typeof import('node:fs');
        const openFiles = (): number =>
          readdirSync('/proc/self/fd').filter((descriptor) => {
            try {
              return readlinkSync(`/proc/self/fd/${descriptor}`) === (argument as string);
            } catch {
              return false;
            }
          }).length;
        let left = 20;
        const untilClosed = (): void => {
          globalThis.gc?.();
          if (openFiles() === 0) {
            print('all closed');
          } else {
            setImmediate(untilClosed);
          }
        };
        for (let at = 0; at < 20; at += 1) {
          new Database(argument as string).exec('create table if not exists t(v); select * from t', () => {
            left -= 1;
            if (left === 0) {
              print(openFiles() > 0);
              setImmediate(untilClosed);
            }
          });
        }
      },
      { output: [true, 'all closed'], argument: temporaryFile(t), ...GC },
    );
  });

  test('with statements that are still held keep working', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const statement = new Database(':memory:').prepare('select 6 as v');
        for (let at = 0; at < 5; at += 1) {
          globalThis.gc?.();
        }
        setImmediate(() => {
          globalThis.gc?.();
          statement.get((_error: Error | null, row: unknown) => {
            print(row);
            statement.finalize().close((error: Error | null) => print(error));
          });
        });
      },
      { output: [{ v: 6 }, null], ...GC },
    );
  });

  test('while calls are queued answer them', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        for (let at = 0; at < 10; at += 1) {
          new Database(':memory:').get('select ? as v', at, (_error: Error | null, row: unknown) => print(row));
          globalThis.gc?.();
        }
        setImmediate(() => globalThis.gc?.());
      },
      // Ten databases answer in an order of their own.
      { output: Array.from({ length: 10 }, (_, v) => ({ v })), sorted: true, ...GC },
    );
  });
});

describe('callbacks', () => {
  test('are let go once they were called', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        const statement = db.prepare('select 1 union all select 2');
        const references: WeakRef<object>[] = [];
        const callback = (): (() => void) => {
          const held = (): void => undefined;
          references.push(new WeakRef(held));
          return held;
        };
        for (let at = 0; at < 100; at += 1) {
          db.each('select 1 union all select 2', callback(), callback());
          db.get('select 1', callback());
          db.run('select nope', callback());
          db.prepare('select nope', callback());
          statement.all(callback());
          statement.each(callback(), callback());
        }
        const untilCollected = (): void => {
          globalThis.gc?.();
          if (references.some((reference) => reference.deref() !== undefined)) {
            setImmediate(untilCollected);
          } else {
            print(references.length);
            statement.finalize();
          }
        };
        db.wait(untilCollected);
      },
      { output: [800], ...GC },
    );
  });
});

describe('databases that were closed', () => {
  test('give back their memory and their threads', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, require, print }) => {
        const { existsSync, readdirSync } = require('node:fs') as typeof import('node:fs');
        const threads = (): number => (existsSync('/proc/self/task') ? readdirSync('/proc/self/task').length : 0);
        const round = (left: number, done: () => void): void => {
          if (left === 0) {
            done();
            return;
          }
          const db = new Database(':memory:');
          db.exec('create table t(v); insert into t values(zeroblob(500000))');
          db.all('select v from t');
          db.close(() => {
            globalThis.gc?.();
            setImmediate(() => round(left - 1, done));
          });
        };
        round(20, () => {
          const [before, threadsBefore] = [process.memoryUsage().rss, threads()];
          round(200, () => {
            const grown = (process.memoryUsage().rss - before) / 2 ** 20;
            print(grown < 40 ? 'bounded' : `grown by ${grown} MiB`);
            print(threads() <= threadsBefore + 2 ? 'bounded' : `${threads()} threads after ${threadsBefore}`);
          });
        });
      },
      { output: ['bounded', 'bounded'], ...GC },
    );
  });

  test('leave their thread to the next, and a program that opens no more has none after a while', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, require, print }) => {
        const { readdirSync } = require('node:fs') as typeof import('node:fs');
        const threads = (): string[] => (process.platform === 'linux' ? readdirSync('/proc/self/task') : []);
        const [before, seen] = [threads().length, new Set<string>()];
        const untilEnded = (): void => {
          if (threads().length > before) setTimeout(untilEnded, 20);
          else print('all ended');
        };
        const round = (left: number): void => {
          if (left === 0) {
            untilEnded();
            // One or two, unless the system lets a thread wait that is about to leave its database.
            print(seen.size <= before + 50 ? 'few' : `${seen.size} threads for 100 databases`);
            return;
          }
          const db = new Database(':memory:', () => {
            for (const thread of threads()) seen.add(thread);
            db.close(() => setImmediate(() => round(left - 1)));
          });
        };
        round(100);
      },
      { output: ['few', 'all ended'] },
    );
  });
});
