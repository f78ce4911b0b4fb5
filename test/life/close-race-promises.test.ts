// close() of the promise API against everything else: each promise is settled, what was told is true, nothing is left.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outputOf } from '../support/child.js';
import { temporaryFolder } from '../support/database.js';
import { amount } from './long.js';

describe('close()', () => {
  test('among random calls, cursors, transactions and signals settles each of them once, as it happened', async (t) => {
    const rounds = amount(100, 1500);
    const [found] = (await outputOf(
      ({ path, argument, require, print }) => {
        const { folder, rounds: wanted } = argument as { folder: string; rounds: number };
        const { readdirSync, rmSync } = require('node:fs') as typeof import('node:fs');
        const promises = path.replace(/index\.js$/, 'promises.js');
        const { open } = require(promises) as typeof import('sqlite-tandem/promises');
        type Database = import('sqlite-tandem/promises').Database;
        type Target = Pick<Database, 'run' | 'get' | 'all' | 'exec' | 'iterate' | 'prepare' | 'transaction'>;
        let state = 20261130;
        const random = (below: number): number => {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          return Math.floor((state / 2 ** 32) * below);
        };
        const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
        const many = 'with recursive n(v) as (select 1 union all select v + 1 from n where v < 3000) select v from n';
        const total = { rounds: 0, calls: 0, refused: 0, cancelled: 0, rows: 0 };
        const expected =
          /the database is closed|closed with its database|inside its own transaction|has ended|is missing|on purpose|finalized/;

        const playRound = async (): Promise<void> => {
          const file = `${folder}/${total.rounds}.db`;
          const db = await open(file, {
            pragmas: { synchronous: 'off', journal_mode: ['delete', 'wal'][random(2)] ?? '' },
          });
          await db.exec('create table t(v)');
          const calls: Promise<unknown>[] = [];
          let inserted = 0;
          /** Remembers a call. What it is rejected with has to be known here. */
          const called = (call: Promise<unknown>): Promise<unknown> => {
            total.calls += 1;
            const known = call.catch((error: Error) => {
              if (error.name === 'AbortError' || error.name === 'TimeoutError') total.cancelled += 1;
              else if (expected.test(error.message)) total.refused += 1;
              else throw error;
            });
            calls.push(known);
            return known;
          };
          const signal = (): AbortSignal => {
            const controller = new AbortController();
            const turns = random(4);
            void (async () => {
              for (let at = 0; at < turns; at += 1) await turn();
              controller.abort();
            })();
            return controller.signal;
          };
          const options = (): { signal?: AbortSignal; timeout?: number } =>
            [{}, {}, { signal: signal() }, { timeout: random(3) }][random(4)] ?? {};
          /** Calls how many rows it has added back, once it is known. */
          const insert = (target: Target, added: (rows: number) => void): Promise<unknown> =>
            called(target.run('insert into t values(1)', [], options()).then(() => added(1)));
          const iterate = async (target: Target): Promise<void> => {
            const end = random(3000);
            for await (const { v } of target.iterate(many, [], options())) {
              if (v === end) break;
              if (random(1000) === 0) await turn();
            }
          };
          const transact = (target: Target, added: (rows: number) => void, depth: number): Promise<unknown> => {
            let rows = 0;
            const count = (more: number): void => {
              rows += more;
            };
            const work = async (transaction: Target): Promise<void> => {
              for (let left = random(5); left > 0; left -= 1) {
                const call = random(3) === 0 ? iterate(transaction) : insert(transaction, count);
                // Sometimes it forgets to wait.
                if (random(10) === 0) void called(call);
                else await call;
                if (random(4) === 0) await turn();
              }
              if (depth < 3 && random(3) === 0) await transact(transaction, count, depth + 1);
              if (random(4) === 0) throw new Error('on purpose');
            };
            return called(target.transaction(work, options()).then(() => added(rows)));
          };
          const add = (rows: number): void => {
            inserted += rows;
          };
          const actions: (() => unknown)[] = [
            () => insert(db, add),
            () => insert(db, add),
            () => called(db.all(many, [], options())),
            () => called(iterate(db)),
            () => called(iterate(db)),
            () => transact(db, add, 1),
            () => transact(db, add, 1),
            () => called(db.prepare('select 1').then((statement) => statement.get())),
            () => called(db.prepare(many).then((statement) => statement.iterate().next())),
            () => called(db.backup(`${file}-copy-${total.calls}`, { pages: 1, ...options() })),
            () => called(db.close()),
          ];
          for (let turns = 1 + random(4); turns > 0; turns -= 1) {
            for (let left = random(12); left > 0; left -= 1) actions[random(actions.length)]?.();
            await turn();
          }
          await db.close();
          // Those that are made by others while they are waited for, too.
          for (let at = 0; at < calls.length; at += 1) await calls[at];
          const again = await open(file);
          const rows = await again.get('select count(*) from t', [], { rowMode: 'value' });
          if (rows !== inserted) throw new Error(`${String(rows)} rows are there, ${inserted} were told`);
          await again.close();
          total.rows += inserted;
          total.rounds += 1;
          for (const name of readdirSync(folder)) {
            if (/-(journal|wal|shm)$/.test(name)) throw new Error(`${name} was left`);
            rmSync(`${folder}/${name}`);
          }
        };
        void (async () => {
          while (total.rounds < wanted) await playRound();
          print(total);
        })();
      },
      { argument: { folder: temporaryFolder(t), rounds } },
    )) as [Record<string, number>];
    assert.equal(found['rounds'], rounds);
    for (const what of ['refused', 'cancelled', 'rows']) assert.ok(Number(found[what]) > rounds / 2, what);
    t.diagnostic(`${rounds} databases were closed: ${JSON.stringify(found)}`);
  });
});
