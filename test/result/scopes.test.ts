// Each answer in a callback scope of its own, the loop's turns in between, and a door that goes on after a fault.
import { describe, test } from 'node:test';
import { expectProgram, type Kit } from '../support/child.js';

/** Queues calls of every kind in one turn; each callback starts jobs of every kind. */
const watchJobs = ({ sqlite3: { Database }, print }: Kit): void => {
  const db = new Database(':memory:');
  const log: string[] = [];
  const watch = (name: string) => (): void => {
    log.push(name);
    process.nextTick(() => log.push(`${name} tick`));
    Promise.resolve()
      .then(() => log.push(`${name} promise`))
      .then(() => log.push(`${name} second promise`))
      .then(() => process.nextTick(() => log.push(`${name} tick of a promise`)));
    queueMicrotask(() => log.push(`${name} microtask`));
  };
  db.exec('create table t(a)', watch('exec'));
  db.run('insert into t values(1), (2)', watch('run'));
  db.get('select a from t', watch('get'));
  db.all('select a from t', watch('all'));
  db.each('select a from t', () => undefined, watch('each'));
  db.get('syntax error', watch('error'));
  db.wait(watch('wait'));
  db.close(() => {
    const names = ['exec', 'run', 'get', 'all', 'each', 'error', 'wait'];
    for (const name of names) print(log.filter((entry) => entry.split(' ')[0] === name).join(', '));
    // The jobs of one callback are done before the next callback.
    print(log.map((entry) => entry.split(' ')[0]).filter((name, i, all) => name !== all[i - 1]));
  });
};

const jobsOf = (name: string): string =>
  [
    name,
    `${name} tick`,
    `${name} promise`,
    `${name} microtask`,
    `${name} second promise`,
    `${name} tick of a promise`,
  ].join(', ');

describe('jobs that a callback starts', () => {
  test('are done before the next callback, in the order of Node', async () => {
    const names = ['exec', 'run', 'get', 'all', 'each', 'error', 'wait'];
    await expectProgram(watchJobs, { output: [...names.map(jobsOf), names] });
  });

  test('of row callbacks of one batch run after the batch, as in node-sqlite3', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        const log: string[] = [];
        db.each(
          'values (1), (2)',
          (_error: Error | null, row: { column1: number }) => {
            log.push(`row ${row.column1}`);
            process.nextTick(() => log.push(`tick ${row.column1}`));
          },
          () => print(log),
        );
      },
      { output: [['row 1', 'row 2', 'tick 1', 'tick 2']] },
    );
  });

  test('may make calls, whose answers come behind those that were queued before', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        const log: string[] = [];
        for (const name of ['a', 'b', 'c']) {
          db.wait(() => {
            log.push(name);
            process.nextTick(() => db.wait(() => log.push(`${name} tick`)));
            queueMicrotask(() => db.wait(() => log.push(`${name} microtask`)));
          });
        }
        process.on('exit', () => print(log));
      },
      { output: [['a', 'b', 'c', 'a tick', 'a microtask', 'b tick', 'b microtask', 'c tick', 'c microtask']] },
    );
  });
});

describe('the event loop', () => {
  test('fires timers and immediates while the rows of one all() arrive', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        db.wait(() => {
          let running = true;
          let timers = 0;
          let immediates = 0;
          const onTimer = (): void => {
            timers++;
            if (running) setTimeout(onTimer, 1);
          };
          const onImmediate = (): void => {
            immediates++;
            if (running) setImmediate(onImmediate);
          };
          onTimer();
          onImmediate();
          db.all(
            'with recursive n(v) as (select 1 union all select v + 1 from n where v < 300000) select v, v as w from n',
            (error: Error | null, rows: unknown[]) => {
              running = false;
              print([error, rows.length, timers > 5 || timers, immediates > 5 || immediates]);
            },
          );
        });
      },
      { output: [[null, 300_000, true, true]] },
    );
  });
});

/** Damages the next result, as a fault of ours would, and prints what is answered then. */
const damageOne = ({ sqlite3: { Database }, path, require, print }: Kit): void => {
  const { binding } = require(path.replace('index.js', 'native/binding.js')) as {
    binding: { take(bytes: Uint8Array, truncate: boolean): number };
  };
  const { take } = binding;
  let damaged = false;
  const first = new Database(':memory:');
  const second = new Database(':memory:');
  const answerOf = (name: string) => (error: Error | null, row: unknown) =>
    print([name, error === null ? null : error.message, row]);
  first.wait(() => {
    second.wait(() => {
      binding.take = (bytes, truncate) => {
        const size = take(bytes, truncate);
        if (size > 0 && !damaged) {
          damaged = true;
          bytes.fill(0, 8, size);
          second.get('select 2 as v', answerOf('second'));
          setTimeout(() => {
            second.get('select 3 as v', (error: Error | null, row: unknown) => {
              print(['later', error === null ? null : error.message, row]);
              process.exit();
            });
          }, 20);
        }
        return size;
      };
      first.get('select 1 as v', answerOf('first'));
    });
  });
};

test('a damaged result fails the calls of its database, and other databases are answered as ever', async () => {
  await expectProgram(damageOne, {
    output: [
      ['first', 'SQLITE_INTERNAL: damaged result', null],
      ['second', null, { v: 2 }],
      ['later', null, { v: 3 }],
    ],
  });
});
