// What a program that uses callbacks may be in the middle of when its process or worker ends.
import type { Program } from '../support/child.js';
import type { Ending, Plan } from './endings.js';

const stages = [
  'open() was called',
  'open() was answered',
  'calls are queued',
  'calls are submitted',
  'a long step runs',
  'each() delivers rows',
  'a statement is in the middle of its rows',
  'a transaction is open',
  'a writer waits for a lock',
  'a backup is half done',
  'a restore is half done',
  'close() was called',
  'close() was answered',
] as const;

/**
 * Brings a database to the stage, and ends. The file has a table t; what is queued adds 1, 2, 3 ... to it, what is never
 * committed adds -1. Beside the file there may be copy.db, which is written or read.
 */
const stageProgram: Program = ({ sqlite3: { Database }, argument, require }) => {
  const { file, end, ...ending } = argument as Ending;
  const stage = ending.stage as (typeof stages)[number];
  const { parentPort } = require('node:worker_threads') as typeof import('node:worker_threads');
  const copy = file.replace(/[^/\\]*$/, 'copy.db');
  const goesOn = end === 'the end of the loop';
  let ended = false;
  // Else some stages would end by themselves before they are ended.
  if (end === 'terminate()') parentPort?.on('message', () => undefined);
  const finish = (): void => {
    if (ended) return;
    ended = true;
    if (end === 'process.exit()') process.exit(7);
    if (end === 'SIGTERM') process.kill(process.pid, 'SIGTERM');
    if (end === 'terminate()') parentPort?.postMessage('here');
    if (end === 'an exception') throw new Error('of the program');
  };
  const many = `with recursive n(v) as (select 1 union all select v + 1 from n${goesOn ? ' where v < 50000' : ''})`;
  const queue = (db: InstanceType<typeof Database>): void => {
    for (let v = 1; v <= 300; v += 1) db.run('insert into t values(?)', v);
  };
  if (stage === 'open() was answered') {
    new Database(file, finish);
    return;
  }
  const db = new Database(file);
  const start: Record<Exclude<typeof stage, 'open() was answered'>, () => void> = {
    'open() was called': finish,
    'calls are queued': () => {
      queue(db);
      finish();
    },
    'calls are submitted': () => {
      queue(db);
      // Its answer is on the way when others still run.
      new Database(':memory:', finish);
    },
    'a long step runs': () => {
      // The event comes when the statement starts, in the middle of the call.
      db.on('trace', finish);
      db.get(`${many} select count(*) from n`, () => undefined);
      db.run('select 1');
    },
    'each() delivers rows': () => {
      db.each(`${many} select v from n`, finish);
    },
    'a statement is in the middle of its rows': () => {
      db.prepare('select v from t').get(finish);
    },
    'a transaction is open': () => {
      db.exec(
        'pragma cache_size = 4; begin; with recursive n(v) as (select 1 union all select v + 1 from n where v < 30000)' +
          ' insert into t select -1 from n',
        finish,
      );
    },
    'a writer waits for a lock': () => {
      db.exec('begin immediate', () => {
        const other = new Database(file);
        other.configure('busyTimeout', 600_000);
        other.on('trace', () => {
          if (goesOn) db.exec('rollback');
          finish();
        });
        other.run('insert into t values(1)');
      });
    },
    'a backup is half done': () => {
      const backup = db.backup(copy);
      backup.step(1, () => {
        backup.step(1);
        finish();
      });
    },
    'a restore is half done': () => {
      // The file is the source here; what is half filled is the copy.
      const target = new Database(copy);
      const backup = target.backup(file, 'main', 'main', false);
      backup.step(1, () => {
        backup.step(1);
        finish();
      });
    },
    'close() was called': () => {
      queue(db);
      db.close();
      finish();
    },
    'close() was answered': () => {
      db.close(finish);
    },
  };
  start[stage]();
};

export const callbacks: Plan = {
  name: 'callbacks',
  program: stageProgram,
  stages,
  rows: {
    'calls are queued': 300,
    'calls are submitted': 300,
    'close() was called': 300,
    'a writer waits for a lock': 1,
  },
  whole: [],
};
