// Backups in processes of their own: wrong arguments, restores with calls in between, collection, throwing callbacks.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { expectProgram } from '../support/child.js';
import { temporaryFolder } from '../support/database.js';

const GC = { nodeOptions: ['--expose-gc'] } as const;

describe('a wrong argument', () => {
  test('is a TypeError and does no harm, to garbage collection neither', async (t) => {
    const folder = temporaryFolder(t);
    await expectProgram(
      ({ sqlite3: { Backup, Database }, argument, print }) => {
        const db = new Database(':memory:');
        const file = `${argument as string}/copy.db`;
        const backup = db.backup(file);
        const attempts: [() => unknown, string][] = [
          [() => Reflect.construct(Backup, []), 'nothing'],
          [() => Reflect.construct(Backup, [{}, file, 'main', 'main', true]), 'database'],
          [() => Reflect.construct(Backup, [db, 5, 'main', 'main', true]), 'filename'],
          [() => Reflect.construct(Backup, [db, file, null, 'main', true]), 'source'],
          [() => Reflect.construct(Backup, [db, file, 'main', undefined, true]), 'destination'],
          [() => Reflect.construct(Backup, [db, file, 'main', 'main', 1]), 'direction'],
          [() => Reflect.construct(Backup, [db, file, 'main', 'main', true, null]), 'callback'],
          [() => Reflect.apply(db.backup, db, []), 'no filename'],
          [() => Reflect.apply(db.backup, db, [file, 'main', 'main']), 'no direction'],
          [() => Reflect.apply(db.backup, {}, [file]), 'receiver'],
          [() => Reflect.apply(backup.step, backup, []), 'no pages'],
          [() => Reflect.apply(backup.step, backup, ['1']), 'text for pages'],
          [() => Reflect.apply(backup.step, backup, [1, null]), 'step callback'],
          [() => Reflect.apply(backup.finish, backup, [null]), 'finish callback'],
          [() => Reflect.apply(backup.step, {}, [1]), 'receiver of step'],
          [() => Reflect.apply(Backup, undefined, []), 'without new'],
          [() => Reflect.set(backup, 'retryErrors', 5), 'retryErrors'],
        ];
        for (const [attempt, name] of attempts) {
          try {
            attempt();
            print([name, 'no exception']);
          } catch (error) {
            const { name: kind, message } = error as Error;
            print([name, kind, /receiver|new/.test(name) ? '' : message]);
          }
        }
        globalThis.gc?.();
        setImmediate(() => {
          globalThis.gc?.();
          backup.step(1, (error: Error | null) => print(error));
          backup.finish();
          db.close((error: Error | null) => print(error));
        });
      },
      {
        output: [
          ['nothing', 'TypeError', 'Database object expected'],
          ['database', 'TypeError', 'Database object expected'],
          ['filename', 'TypeError', 'Filename expected'],
          ['source', 'TypeError', 'Source database name expected'],
          ['destination', 'TypeError', 'Destination database name expected'],
          ['direction', 'TypeError', 'Direction flag expected'],
          ['callback', 'TypeError', 'Callback expected'],
          ['no filename', 'TypeError', 'Filename expected'],
          ['no direction', 'TypeError', 'Direction flag expected'],
          ['receiver', 'TypeError', ''],
          ['no pages', 'TypeError', 'Argument 0 must be an integer'],
          ['text for pages', 'TypeError', 'Argument 0 must be an integer'],
          ['step callback', 'TypeError', 'Argument 1 must be a function'],
          ['finish callback', 'TypeError', 'Argument 0 must be a function'],
          ['receiver of step', 'TypeError', ''],
          ['without new', 'TypeError', ''],
          ['retryErrors', 'Error', 'retryErrors must be an array'],
          null,
          null,
        ],
        argument: folder,
        ...GC,
      },
    );
  });
});

describe('a restore', () => {
  test('fills a database from a file, and the database can be used at once', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const file = `${argument as string}/source.db`;
        const source = new Database(file);
        source.exec('create table t(v); insert into t values(1), (2), (3)');
        source.close(() => {
          const db = new Database(':memory:');
          const statement = db.prepare('select 1 as v');
          const backup = db.backup(file, 'main', 'main', false);
          backup.step(-1, (error: Error | null, completed: boolean) => print([error, completed]));
          db.get('select sum(v) as v from t', (_error: Error | null, row: unknown) => print(row));
          statement.get((_error: Error | null, row: unknown) => print(row));
          statement.finalize();
          db.close((error: Error | null) => print(error));
        });
      },
      { output: [[null, true], { v: 6 }, { v: 1 }, null], argument: temporaryFolder(t) },
    );
  });

  test('that is under way keeps everything else out of the database, and is not disturbed', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const file = `${argument as string}/source.db`;
        const source = new Database(file);
        source.exec(
          'create table t(v); with recursive n(v) as (select 1 union all select v + 1 from n where v < 900)' +
            ' insert into t select zeroblob(500) from n',
        );
        source.close(() => {
          const db = new Database(`${argument as string}/copy.db`);
          db.exec('create table old(v)');
          const statement = db.prepare('select * from old');
          const note = (error: Error | null): void => print(error?.message ?? null);
          const backup = db.backup(file, 'main', 'main', false, note);
          db.run('insert into old values(1)', note);
          const other = db.backup(`${argument as string}/other.db`);
          backup.step(1, note);
          db.get('select * from old', note);
          db.run('insert into old values(2)', note);
          db.exec('vacuum', note);
          db.prepare('select 1', note);
          statement.all(note);
          statement.bind(note);
          statement.reset(note);
          db.loadExtension('/missing', note);
          other.step(1, note);
          db.close(note);
          backup.step(1, note);
          db.wait(note);
          backup.step(-1, note);
          statement.finalize(note);
          db.get('select count(*) as v from t', (_error: Error | null, row: unknown) => print(row));
          db.get('pragma integrity_check', (_error: Error | null, row: unknown) => print(row));
          other.finish();
          db.close(note);
        });
      },
      {
        output: [
          null,
          null,
          null,
          ...Array(5).fill('SQLITE_LOCKED: a backup is being restored into this connection'),
          null,
          null,
          'SQLITE_LOCKED: a backup is being restored into this connection',
          'SQLITE_LOCKED: database table is locked',
          'SQLITE_BUSY: unable to close due to unfinalized statements or unfinished backups',
          null,
          null,
          null,
          null,
          { v: 900 },
          { integrity_check: 'ok' },
          null,
        ],
        argument: temporaryFolder(t),
      },
    );
  });

  test('waits for a statement in the middle of its rows', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const file = `${argument as string}/source.db`;
        const source = new Database(file);
        source.exec('create table t(v); insert into t values(1), (2), (3)');
        source.close(() => {
          const db = new Database(':memory:');
          db.exec('create table old(v); insert into old values(1), (2), (3)');
          const statement = db.prepare('select v from old');
          statement.get((_error: Error | null, row: unknown) => print(row));
          const backup = db.backup(file, 'main', 'main', false);
          backup.step(-1, (error: Error | null) => print([error?.message, backup.failed]));
          statement.get((_error: Error | null, row: unknown) => print(row));
          statement.finalize();
          backup.step(-1, (error: Error | null, completed: boolean) => print([error, completed]));
          db.close((error: Error | null) => print(error));
        });
      },
      {
        output: [{ v: 1 }, ['SQLITE_LOCKED: database table is locked', false], { v: 2 }, [null, true], null],
        argument: temporaryFolder(t),
      },
    );
  });

  test('into a database that was detached before the first step fails', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const db = new Database(':memory:');
        db.exec("attach ':memory:' as other");
        const backup = db.backup(`${argument as string}/source.db`, 'main', 'other', false);
        db.exec('detach other', (error: Error | null) => print(error));
        backup.step(-1, (error: Error | null, completed: boolean) => print([error, completed, backup.failed]));
        db.close((error: Error | null) => print(error));
      },
      { output: [null, [null, false, true], null], argument: temporaryFolder(t) },
    );
  });

  test('that was dropped lets go of the database', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const file = `${argument as string}/source.db`;
        const source = new Database(file);
        source.exec(
          'create table t(v); with recursive n(v) as (select 1 union all select v + 1 from n where v < 900)' +
            ' insert into t select zeroblob(500) from n',
        );
        source.close(() => {
          const db = new Database(`${argument as string}/copy.db`);
          db.exec('create table old(v); insert into old values(7)');
          db.backup(file, 'main', 'main', false).step(1, (error: Error | null) => {
            print(error);
            const untilFree = (): void => {
              globalThis.gc?.();
              db.get('select v from old', (failure: Error | null, row: unknown) =>
                failure === null ? print(row) : setImmediate(untilFree),
              );
            };
            setImmediate(untilFree);
          });
        });
      },
      { output: [null, { v: 7 }], argument: temporaryFolder(t), ...GC },
    );
  });
});

describe('a backup that was dropped before its end', () => {
  test('is collected, so that the database closes', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const db = new Database(':memory:');
        db.exec('create table t(v); insert into t values(zeroblob(50000))');
        for (let at = 0; at < 5; at += 1) {
          db.backup(`${argument as string}/${at}.db`).step(1);
        }
        const closeWhenCollected = (): void => {
          globalThis.gc?.();
          db.close((error: Error | null) => (error === null ? print('closed') : setImmediate(closeWhenCollected)));
        };
        db.wait(() => {
          db.close((error: Error | null) => {
            print(error?.message);
            setImmediate(closeWhenCollected);
          });
        });
      },
      {
        output: ['SQLITE_BUSY: unable to close due to unfinalized statements or unfinished backups', 'closed'],
        argument: temporaryFolder(t),
        ...GC,
      },
    );
  });

  test('does not keep the process from ending', async (t) => {
    const folder = temporaryFolder(t);
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const db = new Database(':memory:');
        db.exec('create table t(v); insert into t values(zeroblob(50000))');
        const backup = db.backup(`${argument as string}/copy.db`);
        backup.step(1, (error: Error | null, completed: boolean) => print([error, completed]));
        process.on('exit', () => print(backup.completed));
      },
      { output: [[null, false], false], argument: folder },
    );
    assert.deepEqual(readdirSync(folder), ['copy.db'], 'no journal is left behind');
  });
});

describe('a callback that throws', () => {
  test('is an uncaught exception each time, and the backup goes on', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const db = new Database(':memory:');
        db.exec('create table t(v)');
        const backup = db.backup(`${argument as string}/copy.db`, () => {
          throw new Error('init');
        });
        backup.step(-1, () => {
          throw new Error('step');
        });
        backup.finish(() => {
          print(backup.idle);
          throw new Error('finish');
        });
        db.wait(() => {
          print([backup.idle, backup.completed]);
          db.close((error: Error | null) => print(error));
        });
      },
      { output: ['init', 'step', false, 'finish', [true, true], null], argument: temporaryFolder(t) },
    );
  });
});

describe('an error without callback and listener', () => {
  test('is an uncaught exception, once', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const db = new Database(':memory:');
        const backup = db.backup('/missing/folder/copy.db');
        backup.step(1);
        backup.finish();
        db.close((error: Error | null) => print(error));
      },
      { output: ['SQLITE_CANTOPEN: unable to open database file', null] },
    );
  });
});
