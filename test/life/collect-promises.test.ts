// Garbage collection of the promise API's objects in every state they can be in, each in a process of its own.
import { after, describe, test } from 'node:test';
import { expectProgram, type Program } from '../support/child.js';
import { temporaryFolder } from '../support/database.js';
import { amount } from './long.js';

const databases = [
  'open',
  'with queued calls',
  'in a long step',
  'with a call that failed',
  'with a call that was cancelled',
  'with a parked cursor',
  'while a chunk is fetched',
  'in a transaction',
  'in a transaction that never ends',
  'with calls behind a transaction that never ends',
  'in a backup',
  'closing',
  'closed',
] as const;

const statements = [
  'prepared',
  'executed',
  'running',
  'in the middle of its rows',
  'that failed',
  'of a transaction',
  'finalizing',
  'finalized',
] as const;

const iterators = [
  'not begun',
  'parked',
  'while a chunk is fetched',
  'while rows are read ahead for ever',
  'at its end',
  'that failed',
  'returned',
  'returned while a chunk is fetched',
  'cancelled',
  'with a signal that lives on',
  'of a transaction',
  'of a database that is closed',
] as const;

const transactions = [
  'begun',
  'with calls on their way',
  'committed',
  'rolled back',
  'nested',
  'cancelled',
  'that forgot to await',
  'that never ends',
] as const;

interface Dropping {
  readonly folder: string;
  readonly kind: 'database' | 'statement' | 'iterator' | 'transaction';
  readonly state: string;
  readonly count: number;
}

/**
 * Brings objects into a state, drops them, and collects until none is left. The process has to end by itself then, with
 * as many threads as at its start, and no file of a database open.
 */
const program: Program = ({ argument, require, print, path }) => {
  const { folder, kind, state, count } = argument as Dropping;
  const { readdirSync, readlinkSync } = require('node:fs') as typeof import('node:fs');
  const promises = path.replace(/index\.js$/, 'promises.js');
  const { open } = require(promises) as typeof import('sqlite-tandem/promises');
  type Database = import('sqlite-tandem/promises').Database;
  type Transaction = import('sqlite-tandem/promises').Transaction;
  /** The object, and what fulfils when it has come to its state; what refers to the object ends with that. */
  type Made = readonly [object, Promise<unknown>];

  const many = 'with recursive n(v) as (select 1 union all select v + 1 from n where v < 20000) select v from n';
  const forever = new AbortController();
  /** Not one for all, which would keep whoever waits for it. */
  const never = (): Promise<never> => new Promise(() => undefined);
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** What comes of a call does not matter, but that it is dropped. */
  const drop = (call: Promise<unknown>): void => {
    call.catch(() => undefined);
  };
  const settled = (call: Promise<unknown>): Promise<unknown> => call.catch(() => undefined);
  const aborted = (call: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> => {
    const controller = new AbortController();
    const result = settled(call(controller.signal));
    controller.abort();
    return result;
  };
  let number = 0;

  const databaseStates: Record<string, (db: Database) => unknown> = {
    open: () => undefined,
    'with queued calls': (db) => {
      for (let at = 0; at < 50; at += 1) drop(db.run('insert into t values(2)'));
    },
    'in a long step': (db) => drop(db.all(many)),
    'with a call that failed': (db) => settled(db.run('nonsense')),
    'with a call that was cancelled': (db) => aborted((signal) => db.all(many, [], { signal })),
    'with a parked cursor': (db) => db.iterate(many).next(),
    'while a chunk is fetched': (db) => drop(db.iterate(many).next()),
    'in a transaction': (db) => drop(db.transaction((transaction) => transaction.run('insert into t values(3)'))),
    'in a transaction that never ends': (db) =>
      new Promise<void>((resolve) => {
        drop(
          db.transaction(async (transaction) => {
            await transaction.run('insert into t values(3)');
            await transaction.iterate(many).next();
            resolve();
            await never();
          }),
        );
      }),
    'with calls behind a transaction that never ends': (db) => {
      drop(db.transaction(never));
      for (let at = 0; at < 50; at += 1) drop(db.run('insert into t values(2)'));
    },
    'in a backup': (db) => drop(db.backup(`${folder}/copy-${number}.db`, { pages: 1 })),
    closing: (db) => drop(db.close()),
    closed: (db) => db.close(),
  };
  const makeDatabase = async (): Promise<Made> => {
    number += 1;
    const db = await open(`${folder}/${number}.db`);
    await db.exec('create table t(v); insert into t values(1)');
    return [db, Promise.resolve(databaseStates[state]?.(db))];
  };

  const statementStates: Record<string, (statement: import('sqlite-tandem/promises').Statement) => unknown> = {
    prepared: () => undefined,
    executed: (statement) => statement.all([1]),
    running: (statement) => drop(statement.all([1])),
    'in the middle of its rows': (statement) => statement.iterate([1]).next(),
    'that failed': (statement) => settled(statement.all([1, 2])),
    finalizing: (statement) => drop(statement.finalize()),
    finalized: (statement) => statement.finalize(),
  };
  const makeStatement = async (db: Database): Promise<Made> => {
    const sql = `select ? as w union all select v from (${many})`;
    if (state === 'of a transaction') {
      return db.transaction(async (transaction) => [await transaction.prepare(sql), turn()] as const);
    }
    const statement = await db.prepare(sql);
    return [statement, Promise.resolve(statementStates[state]?.(statement))];
  };

  const iterate = (db: Database | Transaction): AsyncIterableIterator<unknown> => db.iterate(many);
  const iteratorStates: Record<string, (db: Database) => Made | Promise<Made>> = {
    'not begun': (db) => [iterate(db), turn()],
    parked: (db) => {
      const rows = iterate(db);
      return [rows, rows.next()];
    },
    'while a chunk is fetched': (db) => {
      const rows = iterate(db);
      drop(rows.next());
      return [rows, turn()];
    },
    'while rows are read ahead for ever': async () => {
      // On a database of its own: what is behind it there waits until this is collected.
      const db = await open(':memory:');
      const sql = 'with recursive n(v) as (select 1 union all select v + 1 from n) select v from n where v < 97';
      const rows = db.iterate(sql);
      const begun = async (): Promise<void> => {
        for (let i = 0; i < 33; i++) await rows.next();
      };
      return [rows, begun()];
    },
    'at its end': (db) => {
      const rows = db.iterate('select 1');
      return [rows, rows.next().then(() => rows.next())];
    },
    'that failed': (db) => {
      const rows = db.iterate('nonsense');
      return [rows, settled(rows.next())];
    },
    returned: (db) => {
      const rows = db.iterate(many);
      return [rows, rows.next().then(() => rows.return())];
    },
    'returned while a chunk is fetched': (db) => {
      const rows = db.iterate(many);
      drop(rows.next());
      return [rows, rows.return()];
    },
    cancelled: (db) => {
      const controller = new AbortController();
      const rows = db.iterate(many, [], { signal: controller.signal });
      return [rows, rows.next().then(() => controller.abort())];
    },
    'with a signal that lives on': (db) => {
      const rows = db.iterate(many, [], { signal: forever.signal });
      return [rows, rows.next()];
    },
    'of a transaction': async (db) => {
      let made: AsyncIterableIterator<unknown> | undefined;
      await settled(
        db.transaction(async (transaction) => {
          made = iterate(transaction);
          await made.next();
        }),
      );
      return [made as object, turn()];
    },
    'of a database that is closed': async () => {
      const db = await open(':memory:');
      const rows = iterate(db);
      await rows.next();
      return [rows, db.close()];
    },
  };

  const makeTransaction = async (db: Database): Promise<Made> => {
    let made: object | undefined;
    const body: Record<string, (given: Transaction) => unknown> = {
      begun: turn,
      'with calls on their way': (given) => {
        for (let at = 0; at < 10; at += 1) drop(given.get('select 1'));
        return given.run('insert into s values(1)');
      },
      committed: (given) => given.run('insert into s values(1)'),
      'rolled back': async (given) => {
        await given.run('insert into s values(1)');
        throw new Error('on purpose');
      },
      nested: (given) =>
        given.transaction(async (inner) => {
          made = inner;
          await inner.run('insert into s values(1)');
        }),
      cancelled: (given) => given.all(many),
      'that forgot to await': (given) => drop(given.all(many)),
      'that never ends': never,
    };
    const work = (given: Transaction): unknown => {
      made = given;
      return body[state]?.(given);
    };
    if (state === 'that never ends') {
      const own = await open(':memory:');
      drop(own.transaction(work));
      while (made === undefined) await turn();
    } else if (state === 'cancelled') {
      await aborted((signal) => db.transaction(work, { signal }));
      // It may have been cancelled before it began; the next one is not.
      if (made === undefined) await settled(db.transaction(work, { timeout: 1 }));
    } else {
      await settled(db.transaction(work));
    }
    return [made ?? {}, turn()];
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
  const makers: Record<string, (db: Database) => Made | Promise<Made>> = {
    database: makeDatabase,
    statement: makeStatement,
    iterator: (db) => (iteratorStates[state] as (db: Database) => Made | Promise<Made>)(db),
    transaction: makeTransaction,
  };
  const play = async (): Promise<void> => {
    const db = await open(`${folder}/source.db`);
    await db.exec('create table if not exists s(v); insert into s values(zeroblob(20000))');
    const one = async (): Promise<void> => {
      const [object, state] = await (makers[kind] as (db: Database) => Made | Promise<Made>)(db);
      dropped.push(new WeakRef(object));
      await state;
      // In the middle of things, and again when all is over.
      globalThis.gc?.();
    };
    await Promise.all(Array.from({ length: count }, one));
  };
  const untilGone = (): void => {
    globalThis.gc?.();
    if (dropped.some((reference) => reference.deref() !== undefined) || openFiles().length > 0 || threads() > before) {
      setImmediate(untilGone);
    } else {
      print([dropped.length, forever.signal.aborted]);
    }
  };
  void play().then(untilGone);
};

const count = amount(4, 12);
let collected = 0;
after(() => console.log(`${collected} objects were collected`));

for (const [kind, states] of Object.entries({
  database: databases,
  statement: statements,
  iterator: iterators,
  transaction: transactions,
})) {
  describe(`a ${kind} of the promise API that was dropped is collected, and its files and threads with it`, {
    concurrency: 2,
  }, () => {
    for (const state of states) {
      test(state, async (t) => {
        for (let round = 0; round < amount(1, 2); round += 1) {
          await expectProgram(program, {
            output: [[count, false]],
            argument: { folder: temporaryFolder(t), kind, state, count },
            nodeOptions: ['--expose-gc'],
          });
          collected += count;
        }
      });
    }
  });
}
