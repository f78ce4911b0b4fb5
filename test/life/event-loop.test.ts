// The event loop goes on: during large results, while rows are delivered, and with bounded memory.
import { describe, test } from 'node:test';
import { expectProgram, type Kit } from '../support/child.js';

/**
 * Runs a call and prints whether the event loop got turns while it went on; for each(), between its first row and its
 * last. How long they took is not asked: a busy machine would decide that.
 */
const watchLoop = ({ sqlite3: { Database }, argument, print }: Kit): void => {
  const { method, sql } = argument as { method: 'all' | 'each'; sql: string };
  const db = new Database(':memory:', () => {
    let turns = 0;
    let running = true;
    const turn = (): void => {
      turns += 1;
      if (running) {
        setImmediate(turn);
      }
    };
    const done = (error: Error | null, result: unknown[] | number): void => {
      running = false;
      print(error);
      print(Array.isArray(result) ? result.length : result);
      print(turns >= 4 ? 'turns' : `${turns} turns`);
    };
    if (method === 'all') {
      setImmediate(turn);
      db.all(sql, done);
    } else {
      db.each(
        sql,
        () => {
          if (turns === 0) {
            turn();
          }
        },
        done,
      );
    }
  });
};

const MANY =
  "with recursive n(v) as (select 1 union all select v + 1 from n where v < 400000) select v, v * 2 as w, 'text of the row ' || v as t from n";

describe('the event loop', () => {
  test('gets its turns during an all() of many rows', async () => {
    await expectProgram(watchLoop, {
      output: [null, 400_000, 'turns'],
      argument: { method: 'all', sql: MANY },
    });
  });

  test('gets its turns while each() delivers many rows', async () => {
    await expectProgram(watchLoop, {
      output: [null, 400_000, 'turns'],
      argument: { method: 'each', sql: MANY },
    });
  });

  test('gets its turns between row callbacks of each() that take long', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        let turns = 0;
        let running = true;
        const turn = (): void => {
          turns += 1;
          if (running) setImmediate(turn);
        };
        const numbers = 'with recursive c(x) as (select 1 union all select x + 1 from c where x < 320) select x from c';
        db.each(
          numbers,
          () => {
            if (turns === 0) turn();
            const end = performance.now() + 1;
            while (performance.now() < end);
          },
          (error, count) => {
            running = false;
            print(error);
            print(count);
            print(turns >= 8 ? 'turns' : `${turns} turns`);
          },
        );
      },
      { output: [null, 320, 'turns'] },
    );
  });

  test('gets its turns while one large query runs that returns one row', async () => {
    await expectProgram(watchLoop, {
      output: [null, 1, 'turns'],
      argument: { method: 'all', sql: `select count(*), max(t) from (${MANY})` },
    });
  });

  test('gets its turns while thousands of small answers are delivered', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:', () => {
          let answers = 0;
          let turns = 0;
          const count = 20_000;
          const turn = (): void => {
            turns += 1;
            if (answers < count) {
              setImmediate(turn);
            }
          };
          setImmediate(turn);
          for (let at = 0; at < count; at += 1) {
            db.get('select 1', () => {
              answers += 1;
              if (answers === count) {
                print(turns >= 5 ? 'turns' : `${turns} turns`);
              }
            });
          }
        });
      },
      { output: ['turns'] },
    );
  });

  test('serves a second database while the first delivers rows', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const [first, second] = [new Database(':memory:'), new Database(':memory:')];
        let ended = false;
        let answers = 0;
        const ask = (): void => {
          second.get('select 1', () => {
            answers += 1;
            if (!ended) {
              ask();
            }
          });
        };
        second.wait(() => {
          first.each(
            'with recursive n(v) as (select 1 union all select v + 1 from n where v < 300000) select v from n',
            () => undefined,
            () => {
              ended = true;
              print(answers >= 10 ? 'served' : `${answers} answers`);
            },
          );
          ask();
        });
      },
      { output: ['served'] },
    );
  });
});

describe('memory', () => {
  test('stays bounded when the first row callback of each() takes long', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        const base = process.memoryUsage().rss;
        let highest = 0;
        let count = 0;
        // 600 MB in all if nothing held SQLite back.
        const sql =
          'with recursive n(v) as (select 1 union all select v + 1 from n where v < 6000) select v, zeroblob(100000) as b from n';
        db.each(
          sql,
          () => {
            count += 1;
            const end = count === 1 ? performance.now() + 1500 : 0;
            do {
              highest = Math.max(highest, process.memoryUsage().rss - base);
            } while (performance.now() < end);
          },
          (error: Error | null, rows: number) => {
            print([error, rows]);
            print(highest < 200 * 2 ** 20 ? 'bounded' : `${Math.round(highest / 2 ** 20)} MiB more`);
          },
        );
      },
      { output: [[null, 6000], 'bounded'] },
    );
  });

  test('stays bounded when large results are queued and nobody takes them', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:', () => {
          let answers = 0;
          for (let at = 0; at < 300; at += 1) {
            db.get('select zeroblob(2000000) as b', (error: Error | null) => {
              answers += error === null ? 1 : 0;
            });
          }
          // The queue is full of work; the event loop stands still and takes nothing.
          const base = process.memoryUsage().rss;
          let highest = 0;
          const end = performance.now() + 1500;
          while (performance.now() < end) {
            highest = Math.max(highest, process.memoryUsage().rss - base);
          }
          db.wait(() => {
            print(answers);
            print(highest < 200 * 2 ** 20 ? 'bounded' : `${Math.round(highest / 2 ** 20)} MiB more`);
          });
        });
      },
      { output: [300, 'bounded'] },
    );
  });

  test('is given back after rows were delivered', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        const round = (left: number, done: () => void): void => {
          if (left === 0) {
            done();
            return;
          }
          db.all(
            'with recursive n(v) as (select 1 union all select v + 1 from n where v < 2000) select v, randomblob(2000) as b from n',
            () => {
              globalThis.gc?.();
              round(left - 1, done);
            },
          );
        };
        round(10, () => {
          const before = process.memoryUsage().rss;
          round(60, () => {
            const grown = (process.memoryUsage().rss - before) / 2 ** 20;
            print(grown < 60 ? 'bounded' : `grown by ${grown} MiB`);
          });
        });
      },
      { output: ['bounded'], nodeOptions: ['--expose-gc'] },
    );
  });

  test('of a row that is kept does not keep the rows around it', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        const kept: unknown[] = [];
        const sql =
          "with recursive n(v) as (select 1 union all select v + 1 from n where v < 3000) select v, 'a text of its own ' || hex(randomblob(150)) as t from n";
        const round = (left: number): void => {
          if (left === 0) {
            globalThis.gc?.();
            const { heapUsed, arrayBuffers } = process.memoryUsage();
            const used = (heapUsed + arrayBuffers) / 2 ** 20;
            // 100 results of a megabyte each, of which one row in each is kept.
            print(used < 50 ? 'bounded' : `${Math.round(used)} MiB for ${kept.length} rows`);
            return;
          }
          db.all(sql, (_error: Error | null, rows: unknown[]) => {
            kept.push(rows[1500]);
            round(left - 1);
          });
        };
        round(100);
      },
      { output: ['bounded'], nodeOptions: ['--expose-gc'] },
    );
  });
});
