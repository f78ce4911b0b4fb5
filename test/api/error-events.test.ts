// Errors of calls without a callback: to the statement's listener, else to the database's, else uncaught.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type sqlite3 from 'sqlite-tandem';
import { answer, asError, event, failure, send, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { open } from '../support/database.js';

const NO_TABLE = 'SQLITE_ERROR: no such table: missing';
const SQL = 'select * from missing';

/** Collects the messages of the emitter's 'error' events. */
function listen(emitter: sqlite3.Database | sqlite3.Statement): string[] {
  const messages: string[] = [];
  send(emitter, 'on', 'error', (error: Error) => messages.push(error.message));
  return messages;
}

describe("a failed call of the database without a callback emits 'error' on the database, once", () => {
  for (const method of ['run', 'get', 'all', 'each', 'exec', 'prepare']) {
    test(`${method}()`, async (t) => {
      const db = await open(t);
      const messages = listen(db);
      send(db, method, SQL);
      await answer(db, 'wait');
      assert.deepEqual(messages, [NO_TABLE]);
    });
  }

  test('run() that fails while it runs', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v unique); insert into t values(1)');
    const messages = listen(db);
    db.run('insert into t values(1)');
    db.get('select ?', 1, 2);
    await answer(db, 'wait');
    assert.deepEqual(messages, [
      'SQLITE_CONSTRAINT: UNIQUE constraint failed: t.v',
      'SQLITE_RANGE: column index out of range',
    ]);
  });

  test('each() that fails midway', async (t) => {
    const db = await open(t);
    const messages = listen(db);
    db.each('select abs(column1) from (values (1), (-9223372036854775807 - 1))');
    await answer(db, 'wait');
    assert.deepEqual(messages, ['SQLITE_ERROR: integer overflow']);
  });

  test('and the listener is called on the database with the error alone', async (t) => {
    const db = await open(t);
    const emitted = event(db, 'error');
    db.run(SQL);
    const { self, args } = await emitted;
    assert.equal(self, db);
    assert.equal(args.length, 1);
    assert.equal(asError(args[0]).sql, SQL);
  });

  test('in the order of the calls', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    db.on('error', (error: Error) => order.push(error.message));
    db.get('select 1', () => order.push('first'));
    db.run(SQL);
    db.get('select 1', () => order.push('second'));
    db.exec('nonsense');
    await answer(db, 'wait');
    assert.deepEqual(order, ['first', NO_TABLE, 'second', 'SQLITE_ERROR: near "nonsense": syntax error']);
  });
});

describe('a failed call of a statement without a callback', () => {
  for (const method of ['bind', 'run', 'get', 'all', 'each']) {
    test(`emits 'error' on the statement, not on the database: ${method}()`, async (t) => {
      const db = await open(t);
      const onDatabase = listen(db);
      const statement = db.prepare('select ?');
      const onStatement = listen(statement);
      send(statement, method, 1, 2);
      await answer(db, 'wait');
      assert.deepEqual(onStatement, ['SQLITE_RANGE: column index out of range']);
      assert.deepEqual(onDatabase, []);
      await answer(statement, 'finalize');
    });
  }

  test("emits 'error' on the database when the statement has no listener", async (t) => {
    const db = await open(t);
    const onDatabase = listen(db);
    const statement = db.prepare('select ?');
    statement.run(1, 2);
    await answer(statement, 'finalize');
    assert.deepEqual(onDatabase, ['SQLITE_RANGE: column index out of range']);
  });

  test('finds a listener that is added after the call', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select nope');
    const onStatement = listen(statement);
    await answer(db, 'wait');
    assert.deepEqual(onStatement, ['SQLITE_ERROR: no such column: nope']);
  });

  test('emits nothing when it has a callback', async (t) => {
    const db = await open(t);
    const onDatabase = listen(db);
    const statement = db.prepare('select ?');
    const onStatement = listen(statement);
    await failure(statement, 'run', 1, 2);
    await failure(db, 'run', SQL);
    await failure(db, 'exec', SQL);
    await failure(db, 'prepare', SQL);
    assert.deepEqual([onDatabase, onStatement], [[], []]);
    await answer(statement, 'finalize');
  });
});

describe('a failed call without callback and listener', () => {
  test('is an uncaught exception, once for each, and what follows goes on', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const db = new Database(':memory:');
        db.run('select * from missing');
        db.exec('nonsense');
        const statement = db.prepare('select ?');
        statement.run(1, 2);
        db.prepare('select nope');
        statement.get(7, (_error: Error | null, row: unknown) => print(row));
        statement.finalize();
        db.close((error: Error | null) => print(error));
      },
      {
        output: [
          NO_TABLE,
          'SQLITE_ERROR: near "nonsense": syntax error',
          'SQLITE_RANGE: column index out of range',
          'SQLITE_ERROR: no such column: nope',
          { '?': 7 },
          null,
        ],
      },
    );
  });

  test("ends the process as an unhandled 'error' does", async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        db.run('select * from missing');
        db.get('select 1', () => print('never reached'));
      },
      { output: [], code: 1, stderr: /SQLITE_ERROR: no such table: missing/ },
    );
  });

  test('of db.run() reaches a listener of the database and does not end the process', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        db.on('error', (error: Error) => print(error.message));
        db.run('select * from missing');
        db.close((error: Error | null) => print(error));
      },
      { output: [NO_TABLE, null] },
    );
  });
});
