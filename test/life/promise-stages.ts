// The same as stages.ts for the promise API: cursors, transactions, cancelled calls and backups in the middle of things.
import type { Program } from '../support/child.js';
import type { Ending, Plan } from './endings.js';

const stages = [
  'open() was called',
  'open() was answered',
  'calls are queued',
  'a long step runs',
  'a cursor is parked',
  'a chunk of rows is fetched',
  'an iteration ends while a chunk is fetched',
  'a loop goes over rows',
  'a transaction is open',
  'a nested transaction is open',
  'a transaction waits for something else',
  'calls wait for a transaction',
  'a transaction is committed',
  'a writer waits for a lock',
  'a call is cancelled',
  'a timeout is set',
  'a backup is half done',
  'close() was called',
  'close() waits for a transaction',
  'close() was answered',
] as const;

/** Brings a database of the promise API to the stage, and ends; the file is as in stages.ts. */
const promiseStageProgram: Program = ({ path, argument, require }) => {
  const promises = path.replace(/index\.js$/, 'promises.js');
  const { open } = require(promises) as typeof import('sqlite-tandem/promises');
  type Database = import('sqlite-tandem/promises').Database;
  const { file, end, ...ending } = argument as Ending;
  const stage = ending.stage as (typeof stages)[number];
  const { parentPort } = require('node:worker_threads') as typeof import('node:worker_threads');
  const copy = file.replace(/[^/\\]*$/, 'copy.db');
  const goesOn = end === 'the end of the loop';
  if (end === 'terminate()') parentPort?.on('message', () => undefined);
  const finish = (): void => {
    if (end === 'process.exit()') process.exit(7);
    if (end === 'SIGTERM') process.kill(process.pid, 'SIGTERM');
    if (end === 'terminate()') parentPort?.postMessage('here');
    // Not inside of a promise or a transaction, which would catch it.
    if (end === 'an exception') {
      process.nextTick(() => {
        throw new Error('of the program');
      });
    }
  };
  const endless = 'with recursive n(v) as (select 1 union all select v + 1 from n)';
  const many = goesOn ? endless.replace('from n)', 'from n where v < 50000)') : endless;
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const never = new Promise<never>(() => undefined);
  const insert = (target: Pick<Database, 'run'>, count = 300): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_none, at) => target.run('insert into t values(?)', [at + 1])));
  /** Fulfilled when SQLite has been at work on the call for a while, or is done with it. */
  const isRunning = async (db: Database, call: Promise<unknown>): Promise<void> => {
    let settled = false;
    const settle = (): void => {
      settled = true;
    };
    call.then(settle, settle);
    const before = db.stats().sqliteBusyTime;
    while (!settled && db.stats().sqliteBusyTime < before + 1) await turn();
  };
  const start: Record<Exclude<typeof stage, `open() ${string}`>, (db: Database) => Promise<unknown>> = {
    'calls are queued': async (db) => {
      const calls = insert(db);
      finish();
      await calls;
    },
    'a long step runs': async (db) => {
      const call = db.run(`${many} insert into filler select v from n`);
      await isRunning(db, call);
      finish();
      await call;
    },
    'a cursor is parked': async (db) => {
      await db.iterate(`${many} select v from n`).next();
      finish();
    },
    'a chunk of rows is fetched': async (db) => {
      const rows = db.iterate(`${many} select v from n where v % 5000 = 0`);
      const step = rows.next();
      await isRunning(db, step);
      finish();
      await step;
    },
    'an iteration ends while a chunk is fetched': async (db) => {
      const rows = db.iterate(`${many} select v from n where v < 0`);
      const step = rows.next();
      await isRunning(db, step);
      const ends = rows.return();
      finish();
      await Promise.all([step, ends]);
    },
    'a loop goes over rows': async (db) => {
      let rows = 0;
      for await (const _row of db.iterate(`${many} select v from n`)) {
        rows += 1;
        if (rows === 10_000) finish();
      }
    },
    'a transaction is open': (db) =>
      db.transaction(async (transaction) => {
        await transaction.exec(
          'pragma cache_size = 4; with recursive n(v) as (select 1 union all select v + 1 from n where v < 30000)' +
            ' insert into t select -1 from n',
        );
        finish();
        await never;
      }),
    'a nested transaction is open': (db) =>
      db.transaction(async (outer) => {
        await outer.run('insert into t values(-1)');
        await outer.transaction(async (inner) => {
          await inner.run('insert into t values(-1)');
          finish();
          await never;
        });
      }),
    'a transaction waits for something else': (db) =>
      db.transaction(async (transaction) => {
        const rows = transaction.iterate(`${many} select v from n`);
        await rows.next();
        await transaction.run('insert into t values(-1)');
        finish();
        await never;
      }),
    'calls wait for a transaction': async (db) => {
      const transaction = db.transaction(async () => {
        await turn();
        finish();
        await turn();
      });
      const calls = insert(db);
      await Promise.all([transaction, calls]);
    },
    'a transaction is committed': (db) =>
      db.transaction(async (transaction) => {
        await insert(transaction);
        process.nextTick(finish);
      }),
    'a writer waits for a lock': (db) =>
      db.transaction(
        async () => {
          const other = await open(file, { busyTimeout: 600_000 });
          const call = other.run('insert into t values(1)');
          await isRunning(other, call);
          finish();
          // Awaited when the lock is free.
          call.then(() => other.close());
        },
        { mode: 'immediate' },
      ),
    'a call is cancelled': async (db) => {
      const controller = new AbortController();
      // Without an end of its own: were it done before it is cancelled, the one behind it would be carried out.
      const call = db.run(`${endless} insert into t select -1 from n where v < 0`, [], { signal: controller.signal });
      const waiting = db.run('insert into t values(-1)', [], { signal: controller.signal });
      await isRunning(db, call);
      controller.abort();
      finish();
      await Promise.allSettled([call, waiting]);
    },
    'a timeout is set': async (db) => {
      // It is not what keeps the process: the call is answered long before.
      const call = db.run(`${many} insert into filler select v from n`, [], { timeout: 600_000 });
      await isRunning(db, call);
      finish();
      await call;
    },
    'a backup is half done': (db) => db.backup(copy, { pages: 1, onProgress: finish }),
    'close() was called': async (db) => {
      const calls = insert(db);
      const closed = db.close();
      finish();
      await Promise.all([calls, closed]);
    },
    'close() waits for a transaction': async (db) => {
      const transaction = db.transaction(async (given) => {
        await turn();
        finish();
        await insert(given);
      });
      await Promise.all([transaction, db.close()]);
    },
    'close() was answered': async (db) => {
      await db.close();
      finish();
    },
  };
  const opening = open(file);
  if (stage === 'open() was called') finish();
  else if (stage === 'open() was answered') void opening.then(finish);
  else void opening.then(start[stage]);
};

export const promises: Plan = {
  name: 'promises',
  program: promiseStageProgram,
  stages,
  // A transaction whose function waits for ever is never committed.
  rows: {
    'calls are queued': 300,
    'calls wait for a transaction': 300,
    'a transaction is committed': 300,
    'a writer waits for a lock': 1,
    'close() was called': 300,
    'close() waits for a transaction': 300,
  },
  whole: ['a transaction is committed', 'close() waits for a transaction'],
};
