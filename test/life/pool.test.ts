// The thread pool of libuv stays free: busy databases hold up neither files nor cryptography.
import { describe, test } from 'node:test';
import { expectProgram } from '../support/child.js';
import { temporaryFile } from '../support/database.js';

describe("libuv's thread pool", () => {
  test('serves files and cryptography while more databases than it has threads are busy', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, require, print }) => {
        const { stat } = require('node:fs/promises') as typeof import('node:fs/promises');
        const { pbkdf2 } = require('node:crypto') as typeof import('node:crypto');
        const databases = Array.from({ length: 8 }, () => new Database(':memory:'));
        const sql = 'with recursive n(v) as (select 1 union all select v + 1 from n) select count(*) from n';
        const statements = databases.map((db) => db.prepare(sql, () => prepared()));
        const messages: string[] = [];
        let toPrepare = databases.length;
        let toAnswer = databases.length;
        const answered = (error: Error | null): void => {
          messages.push(error?.message ?? 'ended by itself');
          toAnswer -= 1;
          if (toAnswer === 0) {
            print([...new Set(messages)]);
          }
        };
        const interruptAll = (): void => {
          const tick = setInterval(() => {
            for (const db of databases) {
              db.interrupt();
            }
            if (toAnswer === 0) {
              clearInterval(tick);
            }
          }, 5);
        };
        const prepared = (): void => {
          toPrepare -= 1;
          if (toPrepare > 0) {
            return;
          }
          for (const statement of statements) {
            statement.get(answered);
          }
          // The queries never end by themselves: these are answered while all of them run, or never.
          void stat('.').then((stats) => {
            print(stats.isDirectory());
            pbkdf2('x', 'y', 10, 8, 'sha256', (error) => {
              print(error);
              interruptAll();
            });
          });
        };
      },
      { output: [true, null, ['SQLITE_INTERRUPT: interrupted']] },
    );
  });

  test('serves files while many queries of one database are queued', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, require, print }) => {
        const { stat } = require('node:fs/promises') as typeof import('node:fs/promises');
        const db = new Database(':memory:', () => {
          const endless = 'with recursive n(v) as (select 1 union all select v + 1 from n) select count(*) from n';
          let answers = 0;
          for (let at = 0; at < 8; at += 1) {
            db.get(endless, () => {
              answers += 1;
            });
          }
          void stat('.').then((stats) => {
            print([stats.isDirectory(), answers]);
            const tick = setInterval(() => {
              db.interrupt();
              if (answers === 8) {
                clearInterval(tick);
              }
            }, 1);
          });
        });
      },
      { output: [[true, 0]] },
    );
  });

  test('serves files while many databases wait for a lock', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, require, print }) => {
        const { stat } = require('node:fs/promises') as typeof import('node:fs/promises');
        const holder = new Database(argument as string);
        // Those who wait look at the lock now and then, and a commit has to wait for that.
        holder.configure('busyTimeout', 600_000);
        holder.exec('create table t(v); begin immediate', () => {
          let left = 8;
          let toPrepare = 8;
          const statements = Array.from({ length: 8 }, () => {
            const db = new Database(argument as string);
            db.configure('busyTimeout', 600_000);
            return db.prepare('insert into t values(1)', () => prepared());
          });
          const prepared = (): void => {
            toPrepare -= 1;
            if (toPrepare > 0) {
              return;
            }
            for (const statement of statements) {
              statement.run((error: Error | null) => {
                left -= 1;
                if (error !== null || left === 0) {
                  print(error);
                }
              });
            }
            void stat('.').then((stats) => {
              print([stats.isDirectory(), left]);
              holder.exec('commit');
            });
          };
        });
      },
      { output: [[true, 8], null], argument: temporaryFile(t) },
    );
  });
});
