// Garbage collection of every kind of object in every state it can be in, each in a process of its own.
import { after, describe, test } from 'node:test';
import type sqlite3 from 'sqlite-tandem';
import { expectProgram } from '../support/child.js';
import { temporaryFolder } from '../support/database.js';
import { amount } from './long.js';

const databases = [
  'opening',
  'open',
  'failed to open',
  'with queued calls',
  'in a long step',
  'in a transaction',
  'delivering rows',
  'with listeners',
  'closing',
  'closed',
] as const;

const statements = [
  'preparing',
  'prepared',
  'failed to prepare',
  'bound',
  'running',
  'in the middle of its rows',
  'delivering rows',
  'executed',
  'reset',
  'finalizing',
  'finalized',
] as const;

const backups = [
  'beginning',
  'begun',
  'failed to begin',
  'stepping',
  'half done',
  'done',
  'finishing',
  'finished',
  'of a restore',
] as const;

interface Dropping {
  readonly folder: string;
  readonly kind: 'database' | 'statement' | 'backup';
  readonly state: string;
  readonly count: number;
}

/**
 * Brings objects into a state, drops them, and collects until none is left. The process has to end by itself then, with
 * as many threads as at its start, and no file of a database open.
 */
const program = ({
  argument,
  require,
  print,
  sqlite3: { Database },
}: {
  argument: never;
  require: NodeJS.Require;
  print: (value: unknown) => void;
  sqlite3: typeof sqlite3;
}): void => {
  const { folder, kind, state, count } = argument as Dropping;
  const { readdirSync, readlinkSync } = require('node:fs') as typeof import('node:fs');
  const nothing = (): void => undefined;
  const many = 'with recursive n(v) as (select 1 union all select v + 1 from n where v < 20000) select v from n';
  type Made = readonly [object, (callback: () => void) => void];
  let number = 0;
  const file = (): string => {
    number += 1;
    return `${folder}/${number}.db`;
  };

  const makeDatabase = (): Made => {
    const db = new Database(state === 'failed to open' ? '/missing-folder/of/a/test/x.db' : file(), nothing);
    db.on('error', nothing);
    const now = (callback: () => void): void => callback();
    if (state === 'opening') return [db, now];
    if (state === 'open' || state === 'failed to open') return [db, (callback) => db.wait(callback)];
    db.exec('create table t(v); insert into t values(1)');
    if (state === 'with queued calls') {
      for (let at = 0; at < 50; at += 1) db.run('insert into t values(2)');
      return [db, now];
    }
    if (state === 'in a long step') return [db, (callback) => db.once('trace', callback).all(many)];
    if (state === 'in a transaction') return [db, (callback) => db.exec('begin; insert into t values(3)', callback)];
    if (state === 'delivering rows') {
      return [db, (callback) => db.each(many, (_error: Error | null, row: { v: number }) => row.v === 1 && callback())];
    }
    if (state === 'with listeners') {
      for (const event of ['trace', 'profile', 'change', 'close']) db.on(event, () => db.listenerCount(event));
      return [db, (callback) => db.wait(callback)];
    }
    const close = (callback?: () => void): unknown => db.close(callback);
    if (state === 'closing') {
      close();
      return [db, now];
    }
    return [db, close];
  };

  const makeStatement = (db: sqlite3.Database): Made => {
    const sql = state === 'failed to prepare' ? 'select nope' : `select ? as w union all select v from (${many})`;
    const statement = db.prepare(sql, (error: Error | null) => {
      if ((error !== null) !== (state === 'failed to prepare')) throw error ?? new Error('it was prepared');
    });
    statement.on('error', nothing);
    const then: Record<string, (callback: () => void) => void> = {
      preparing: (callback) => callback(),
      prepared: (callback) => db.wait(callback),
      'failed to prepare': (callback) => db.wait(callback),
      bound: (callback) => statement.bind(1, callback),
      running: (callback) => {
        db.once('trace', callback);
        statement.run(1);
      },
      'in the middle of its rows': (callback) => statement.get(1, callback),
      'delivering rows': (callback) => {
        let rows = 0;
        statement.each(1, () => {
          rows += 1;
          if (rows === 1) callback();
        });
      },
      executed: (callback) => statement.all(1, callback),
      reset: (callback) => {
        statement.get(1);
        statement.reset(callback);
      },
      finalizing: (callback) => {
        statement.finalize();
        callback();
      },
      finalized: (callback) => statement.finalize(callback),
    };
    return [statement, then[state] as (callback: () => void) => void];
  };

  const makeBackup = (db: sqlite3.Database): Made => {
    const restores = state === 'of a restore';
    const target = restores ? new Database(file()) : db;
    const name = state === 'failed to begin' ? '/missing-folder/of/a/test/x.db' : file();
    const backup = restores ? target.backup(`${folder}/source.db`, 'main', 'main', false) : db.backup(name, nothing);
    backup.on?.('error', nothing);
    const then: Record<string, (callback: () => void) => void> = {
      beginning: (callback) => callback(),
      begun: (callback) => db.wait(callback),
      'failed to begin': (callback) => db.wait(callback),
      stepping: (callback) => {
        backup.step(1);
        callback();
      },
      'half done': (callback) => backup.step(1, callback),
      done: (callback) => backup.step(-1, callback),
      finishing: (callback) => {
        backup.finish();
        callback();
      },
      finished: (callback) => backup.finish(callback),
      'of a restore': (callback) => backup.step(1, callback),
    };
    return [backup, then[state] as (callback: () => void) => void];
  };

  const onLinux = process.platform === 'linux';
  const threads = (): number => (onLinux ? readdirSync('/proc/self/task').length : 0);
  const openFiles = (): string[] => {
    if (!onLinux) return [];
    const links = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        // The one that this listing itself had open.
        return '';
      }
    });
    return links.filter((link) => link.startsWith(folder));
  };

  const before = threads();
  const dropped: WeakRef<object>[] = [];
  let reached = 0;
  const untilGone = (): void => {
    globalThis.gc?.();
    if (dropped.some((reference) => reference.deref() !== undefined) || openFiles().length > 0 || threads() > before) {
      setImmediate(untilGone);
    } else {
      print(reached);
    }
  };
  const play = (): void => {
    const db = new Database(`${folder}/source.db`);
    db.on('error', nothing).setMaxListeners(0);
    db.exec('create table if not exists s(v); insert into s values(zeroblob(20000))');
    db.wait(() => {
      for (let at = 0; at < count; at += 1) {
        const make = { database: makeDatabase, statement: makeStatement, backup: makeBackup }[kind];
        const [object, bring] = make(db);
        dropped.push(new WeakRef(object));
        bring(() => {
          reached += 1;
          // In the middle of things, and again when all is over.
          globalThis.gc?.();
          if (reached === count) setImmediate(untilGone);
        });
      }
    });
  };
  play();
};

const count = amount(4, 12);
let collected = 0;
after(() => console.log(`${collected} objects were collected`));

for (const [kind, states] of Object.entries({ database: databases, statement: statements, backup: backups })) {
  describe(`a ${kind} that was dropped is collected, and its files and threads with it`, { concurrency: 2 }, () => {
    for (const state of states) {
      test(`while ${state}`, async (t) => {
        for (let round = 0; round < amount(1, 2); round += 1) {
          await expectProgram(program, {
            output: [count],
            argument: { folder: temporaryFolder(t), kind, state, count },
            nodeOptions: ['--expose-gc'],
          });
          collected += count;
        }
      });
    }
  });
}
