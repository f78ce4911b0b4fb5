// The end of the process: natural, by process.exit(), by an exception, in mid-query and in an 'exit' handler.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rows, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { open, temporaryFile } from '../support/database.js';

const ENDLESS = 'with recursive n(v) as (select 1 union all select v + 1 from n) select count(*) from n';

describe('a process', () => {
  test('stays until all calls are answered', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        db.run('create table t(v)');
        const statement = db.prepare('insert into t values(?)');
        for (let at = 0; at < 100; at += 1) {
          statement.run(at);
        }
        statement.finalize();
        db.get('select count(*) as n from t', (_error: Error | null, row: unknown) => {
          print(row);
          db.each('select 1 as v', (_rowError: Error | null, one: unknown) => print(one));
        });
      },
      { output: [{ n: 100 }, { v: 1 }] },
    );
  });

  test('stays until calls without a callback are done', async (t) => {
    const file = temporaryFile(t);
    await expectProgram(
      ({ sqlite3: { Database }, argument }) => {
        const db = new Database(argument as string);
        db.exec('create table t(v)');
        db.run(`insert into t
          with recursive n(v) as (select 1 union all select v + 1 from n where v < 200000) select v from n`);
        db.run('insert into t values(-1)');
      },
      { output: [], argument: file },
    );
    const db = await open(t, file);
    assert.deepEqual(await rows(db, 'select count(*) as n, min(v) as last from t'), [{ n: 200_001, last: -1 }]);
  });

  test('is not held by open databases, statements, listeners and finished each() calls', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        db.on('close', () => print('never reached'));
        const statement = db.prepare('select 1 union all select 2');
        statement.on('error', () => print('never reached'));
        statement.get();
        db.each(
          'select 1',
          () => undefined,
          () => print('complete'),
        );
        new Database(':memory:');
      },
      { output: ['complete'] },
    );
  });

  test('is not held by a database that failed to open', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        new Database('/missing-folder/of/a/test/x.db', (error: Error | null) => print(error?.message));
      },
      { output: ['SQLITE_CANTOPEN: unable to open database file'] },
    );
  });

  test('is not held by closed databases', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        for (let at = 0; at < 20; at += 1) {
          new Database(':memory:').close((error: Error | null) => print(error));
        }
      },
      { output: Array.from({ length: 20 }, () => null) },
    );
  });

  test('is held again by a call after an idle time', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:', () => {
          setTimeout(() => db.get('select 7 as v', (_error: Error | null, row: unknown) => print(row)), 50);
        });
      },
      { output: [{ v: 7 }] },
    );
  });
});

describe('process.exit()', () => {
  const places: [string, string][] = [
    ['at once', 'at once'],
    ['in the open callback', 'open'],
    ['in the callback of a get()', 'get'],
    ['in a row callback', 'row'],
    ['in complete', 'complete'],
    ['in the callback of close()', 'close'],
  ];
  for (const [name, place] of places) {
    test(`${name} ends the process with its code while more is queued`, async () => {
      await expectProgram(
        ({ sqlite3: { Database }, argument }) => {
          const exitAt = (here: string) => (): void => {
            if (here === (argument as string)) {
              process.exit(7);
            }
          };
          const db = new Database(':memory:', exitAt('open'));
          const other = new Database(':memory:', exitAt('open'));
          other.get('with recursive n(v) as (select 1 union all select v + 1 from n) select count(*) from n');
          db.get('select 1', exitAt('get'));
          db.each(
            'with recursive n(v) as (select 1 union all select v + 1 from n where v < 10000) select v from n',
            exitAt('row'),
            exitAt('complete'),
          );
          db.close(exitAt('close'));
          exitAt('at once')();
        },
        { output: [], code: 7, argument: place },
      );
    });
  }

  test('in the middle of endless queries of many databases ends the process', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const methods = ['run', 'get', 'all', 'each', 'exec'] as const;
        for (const method of methods) {
          const db = new Database(':memory:');
          Reflect.apply(db[method], db, [argument, (): void => print('never reached')]);
          db.run('create table t(v)');
        }
        setTimeout(() => process.exit(4), 100);
      },
      { output: [], code: 4, argument: ENDLESS },
    );
  });

  test('while a writer waits for a lock ends the process', async (t) => {
    const file = temporaryFile(t);
    await expectProgram(
      ({ sqlite3: { Database }, argument }) => {
        const holder = new Database(argument as string);
        holder.exec('create table t(v); begin immediate', () => {
          const waiting = new Database(argument as string);
          waiting.configure('busyTimeout', 600_000);
          waiting.run('insert into t values(1)', () => undefined);
          setTimeout(() => process.exit(4), 100);
        });
      },
      { output: [], code: 4, argument: file },
    );
  });

  test('keeps what was committed and loses what was not', async (t) => {
    const file = temporaryFile(t);
    await expectProgram(
      ({ sqlite3: { Database }, argument }) => {
        const db = new Database(argument as string);
        db.exec('create table t(v); insert into t values(1); begin; insert into t values(2)', () => process.exit(3));
      },
      { output: [], code: 3, argument: file },
    );
    const db = await open(t, file);
    assert.deepEqual(await rows(db, 'select v from t'), [{ v: 1 }]);
    await value(db, 'run', 'insert into t values(3)');
  });
});

describe('an exception that nobody handles', () => {
  test('ends the process with code 1 while queries run', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, argument }) => {
        const db = new Database(':memory:');
        db.get(argument, () => undefined);
        db.run('create table t(v)');
        setTimeout(() => {
          throw new Error('of the user');
        }, 50);
      },
      { output: [], code: 1, stderr: /Error: of the user/, argument: ENDLESS },
    );
  });
});

describe("an 'exit' handler", () => {
  test('may make every call, and the process ends with the code it was given', async (t) => {
    const file = temporaryFile(t);
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        const db = new Database(argument as string);
        const statement = db.prepare('select 1');
        process.on('exit', () => {
          const never = (): void => print('never reached');
          db.run('select 1', never);
          db.get('select ?', 1, never);
          db.each('select 1', never, never);
          db.exec('select 1', never);
          db.prepare('select 1', never);
          statement.all(never);
          statement.finalize(never);
          db.wait(never);
          db.configure('busyTimeout', 5);
          db.interrupt();
          db.close(never);
          new Database(':memory:', never);
          new Database(':memory:').get('select 1', never);
        });
        db.exec('create table t(v); insert into t values(1)', (error: Error | null) => {
          print(error);
          process.exitCode = 3;
        });
      },
      { output: [null], code: 3, argument: file },
    );
    const db = await open(t, file);
    assert.deepEqual(await rows(db, 'select v from t'), [{ v: 1 }]);
  });

  test('of process.exit() in a callback may close the database', async () => {
    await expectProgram(
      ({ sqlite3: { Database } }) => {
        const db = new Database(':memory:', () => process.exit(4));
        process.on('exit', () => db.close());
      },
      { output: [], code: 4 },
    );
  });

  test('may make calls while an endless query runs', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, argument }) => {
        const db = new Database(':memory:');
        db.get(argument, () => undefined);
        process.on('exit', () => {
          db.get('select 1', () => undefined);
          db.close(() => undefined);
        });
        setTimeout(() => process.exit(5), 50);
      },
      { output: [], code: 5, argument: ENDLESS },
    );
  });

  test("of 'beforeExit' may go on with queries", async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        process.once('beforeExit', () => {
          db.get('select 2 as v', (_error: Error | null, row: unknown) => print(row));
        });
      },
      { output: [{ v: 2 }] },
    );
  });
});
