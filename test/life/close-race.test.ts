// close() against everything else: each call gets its answer once, the database ends up closed, and nothing is left.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type sqlite3 from 'sqlite-tandem';
import { outputOf } from '../support/child.js';
import { temporaryFolder } from '../support/database.js';
import { amount } from './long.js';

describe('close()', () => {
  test('among random calls of every kind leaves each of them answered once', async (t) => {
    const rounds = amount(150, 1500);
    const output = await outputOf(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { folder, rounds: wanted } = argument as { folder: string; rounds: number };
        const { readdirSync, rmSync } = require('node:fs') as typeof import('node:fs');
        let state = 20261130;
        const random = (below: number): number => {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          return Math.floor((state / 2 ** 32) * below);
        };
        const many = 'with recursive n(v) as (select 1 union all select v + 1 from n where v < 3000) select v from n';
        let calls = 0;
        let answers = 0;
        let refused = 0;

        const playRound = (round: number): void => {
          if (round === wanted) {
            print({ calls, answers, refused, left: readdirSync(folder).length });
            return;
          }
          const db = new Database(random(2) === 0 ? ':memory:' : `${folder}/${round}.db`);
          db.on('error', () => undefined);
          const held: sqlite3.Statement[] = [];
          const copies: sqlite3.Backup[] = [];
          let waiting = 0;
          let scheduled = 0;
          let over = false;
          /** Closes the database for certain once nothing is pending, and goes on when it is closed. */
          const settle = (): void => {
            if (waiting > 0 || scheduled > 0 || over) return;
            if (db.open) {
              for (const each of held.splice(0)) each.finalize(answered());
              for (const each of copies.splice(0)) each.finish(answered());
              db.close(answered());
              return;
            }
            over = true;
            for (const name of readdirSync(folder)) {
              if (/-(journal|wal|shm)$/.test(name)) throw new Error(`${name} was left`);
              rmSync(`${folder}/${name}`);
            }
            playRound(round + 1);
          };
          /** A callback that has to be called once. */
          const answered = (): ((error?: Error | null) => void) => {
            calls += 1;
            waiting += 1;
            let times = 0;
            return (error) => {
              times += 1;
              if (times > 1) throw new Error(`answered ${times} times`);
              answers += 1;
              waiting -= 1;
              if (error) refused += 1;
              // Some calls come from within the answers of others.
              if (random(8) === 0 && waiting < 40) act();
              setImmediate(settle);
            };
          };
          const actions: (() => unknown)[] = [
            () => db.run('create table if not exists t(v)', answered()),
            () => db.run('insert into t values(1)', answered()),
            () => db.get('select 1', answered()),
            () => db.all(many, answered()),
            () => db.each(many, () => undefined, answered()),
            () => db.exec('begin; rollback; select nope', answered()),
            () => db.wait(answered()),
            () => held.push(db.prepare('select 1 union all select 2', answered())),
            () => held.at(-1)?.get(answered()),
            () => held.at(-1)?.all(answered()),
            () => held.pop()?.finalize(answered()),
            () => {
              const backup = db.backup(`${folder}/${round}-copy-${calls}.db`, answered());
              backup.step(1, answered());
              copies.push(backup);
            },
            () => copies.pop()?.finish(answered()),
            () => db.interrupt(),
            () => db.close(answered()),
            () => db.close(answered()),
          ];
          const act = (): void => {
            try {
              actions[random(actions.length)]?.();
            } catch (error) {
              // interrupt() has no callback for it.
              if (!/not open|closing/.test((error as Error).message)) throw error;
            }
          };
          const turns = 1 + random(4);
          for (let turn = 0; turn < turns; turn += 1) {
            scheduled += 1;
            const playTurn = (): void => {
              for (let left = random(12); left > 0; left -= 1) act();
              scheduled -= 1;
              setImmediate(settle);
            };
            if (random(2) === 0) setImmediate(playTurn);
            else queueMicrotask(playTurn);
          }
        };
        playRound(0);
      },
      { argument: { folder: temporaryFolder(t), rounds } },
    );
    const [{ calls, answers, refused, left }] = output as [Record<string, number>];
    assert.equal(answers, calls);
    assert.ok(Number(refused) > rounds, 'some calls came too late');
    assert.equal(left, 0);
    t.diagnostic(`${rounds} databases were closed among ${calls} calls, ${refused} of which were refused`);
  });
});
