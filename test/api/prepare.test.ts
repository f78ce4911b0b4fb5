// prepare() and new Statement(): what they return at once, what they report later, and statements that fail to prepare.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, asError, assertCode, each, event, failure, once, row, single, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { open } from '../support/database.js';

const NO_COLUMN = 'SQLITE_ERROR: no such column: nope';

describe('prepare()', () => {
  test('returns a statement at once and calls back on it with null alone', async (t) => {
    const db = await open(t);
    let statement: sqlite3.Statement | undefined;
    const { self, args } = await once('prepare', (callback) => {
      statement = db.prepare('select 1 as v', callback);
    });
    assert.ok(statement instanceof sqlite3.Statement);
    assert.equal(self, statement);
    assert.deepEqual(args, [null]);
    await answer(statement, 'finalize');
  });

  test('takes parameters, which stay bound', async (t) => {
    const db = await open(t);
    for (const parameters of [[4], [[4]], [{ 1: 4 }]]) {
      const statement = db.prepare('select ? as v', ...parameters);
      assert.equal(await single(statement), 4);
      await answer(statement, 'reset');
      assert.equal(await single(statement), 4);
      await answer(statement, 'finalize');
    }
  });

  test('calls back when the parameters are bound', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as v', [6], (error: Error | null) => assert.equal(error, null));
    assert.equal(await single(statement), 6);
    await answer(statement, 'finalize');
  });

  test('reports parameters that do not fit, and the statement is usable', async (t) => {
    const db = await open(t);
    let statement: sqlite3.Statement | undefined;
    const { self, args } = await once('prepare', (callback) => {
      statement = db.prepare('select ? as v', 1, 2, callback);
    });
    assertCode(asError(args[0]), 'SQLITE_RANGE', 25);
    assert.ok(statement instanceof sqlite3.Statement);
    assert.equal(self, statement);
    assert.equal(await single(statement, 3), 3);
    await answer(statement, 'finalize');
  });

  test('keeps the text as `sql`, which cannot be written and is not enumerable', async (t) => {
    const db = await open(t);
    const sql = ' select 1 ; select 2 -- end';
    const statement = db.prepare(sql);
    const fixed = { writable: false, enumerable: false, configurable: false };
    assert.deepEqual(Object.getOwnPropertyDescriptor(statement, 'sql'), { value: sql, ...fixed });
    await answer(statement, 'finalize');
  });

  test('prepares the first statement of the text alone', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1 as v; select 2 as v');
    assert.equal(await single(statement), 1);
    assert.deepEqual((await answer(statement, 'get')).args, [null]);
    await answer(statement, 'finalize');
  });

  test('sees a table that a call before it creates', async (t) => {
    const db = await open(t);
    db.run('create table t(v)');
    const statement = db.prepare('insert into t values(?)');
    statement.run(1);
    assert.equal(await single(db, 'select v from t'), 1);
    await answer(statement, 'finalize');
  });

  test('works before the database is open', async () => {
    const db = new sqlite3.Database(':memory:');
    const statement = db.prepare('select 3 as v');
    assert.equal(await single(statement), 3);
    await answer(statement, 'finalize');
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });
});

describe('new Statement()', () => {
  test('prepares on the database it is given and calls back on itself', async (t) => {
    const db = await open(t);
    let statement: sqlite3.Statement | undefined;
    const { self, args } = await once('Statement', (callback) => {
      statement = new sqlite3.Statement(db, 'select ? as v', callback);
    });
    assert.ok(statement instanceof sqlite3.Statement);
    assert.equal(self, statement);
    assert.deepEqual(args, [null]);
    assert.equal(await single(statement, 2), 2);
    await answer(statement, 'finalize');
  });

  test('calls back on itself with the error alone', async (t) => {
    const db = await open(t);
    let statement: sqlite3.Statement | undefined;
    const { self, args } = await once('Statement', (callback) => {
      statement = new sqlite3.Statement(db, 'select nope', callback);
    });
    assert.equal(self, statement);
    assert.equal(args.length, 1);
    assert.equal(asError(args[0]).message, NO_COLUMN);
  });
});

describe('a statement that fails to prepare', () => {
  test('reports the error alone, without `this`', async (t) => {
    const db = await open(t);
    const { self, args } = await answer(db, 'prepare', 'select nope');
    assert.equal(self, undefined);
    assert.equal(args.length, 1);
    assertCode(asError(args[0]), 'SQLITE_ERROR', 1);
    assert.equal(asError(args[0]).message, NO_COLUMN);
  });

  test('calls back once although parameters were given', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'prepare', 'select nope where ?', 1);
    assert.equal(error.message, NO_COLUMN);
    await answer(db, 'wait');
  });

  test('answers each queued call with the prepare error, in their order', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    const note = (name: string) => (error: Error | null) => order.push(`${name}: ${error?.message}`);
    const statement = db.prepare('select nope', note('prepare'));
    statement.bind(1, note('bind'));
    statement.run(note('run'));
    statement.get(note('get'));
    statement.all(note('all'));
    statement.map(note('map'));
    statement.reset(note('reset'));
    statement.finalize(note('finalize'));
    await answer(db, 'wait');
    const methods = ['prepare', 'bind', 'run', 'get', 'all', 'map', 'reset', 'finalize'];
    assert.deepEqual(
      order,
      methods.map((name) => `${name}: ${NO_COLUMN}`),
    );
  });

  test('answers calls made after the failure was reported', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select nope', () => undefined);
    await answer(db, 'wait');
    for (const method of ['bind', 'run', 'get', 'all', 'map', 'reset', 'finalize']) {
      assert.equal((await failure(statement, method)).message, NO_COLUMN, method);
    }
  });

  test('answers each() through complete, and delivers no row', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select nope', () => undefined);
    const { rows, rowErrors, complete } = await each(statement);
    assert.deepEqual(rows, []);
    assert.ok(rowErrors.length <= 1);
    assert.equal(asError(complete.args[0]).message, NO_COLUMN);
  });

  test('stays silent for calls without a callback once the error was reported', async (t) => {
    const db = await open(t);
    const events: unknown[] = [];
    db.on('error', (error) => events.push(error));
    const statement = db.prepare('select nope', () => undefined);
    statement.on('error', (error: Error) => events.push(error));
    statement.run();
    statement.all();
    await answer(db, 'wait');
    statement.get();
    statement.finalize();
    await answer(db, 'wait');
    assert.deepEqual(events, []);
  });

  test("emits 'error' on the statement when prepare() had no callback", async (t) => {
    const db = await open(t);
    const statement = db.prepare('select nope');
    const { self, args } = await event(statement, 'error');
    assert.equal(self, statement);
    assert.equal(asError(args[0]).message, NO_COLUMN);
  });

  test('does not stop the database from closing', async (t) => {
    const db = await open(t);
    await failure(db, 'prepare', 'select nope');
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('lets what is queued behind it run', async (t) => {
    const db = await open(t);
    const failed = failure(db, 'prepare', 'select nope');
    const other = row(db, 'select 1 as a');
    await failed;
    assert.deepEqual(await other, { a: 1 });
  });

  for (const method of ['run', 'get', 'all', 'map']) {
    test(`inside ${method}() reports the error alone, without \`this\``, async (t) => {
      const db = await open(t);
      const { self, args } = await answer(db, method, 'select nope', []);
      assert.equal(self, undefined);
      assert.equal(args.length, 1);
      assert.equal(asError(args[0]).message, NO_COLUMN);
    });
  }

  test('cannot hurt when it is collected', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        let left = 200;
        const done = (): void => {
          left -= 1;
          if (left === 0) {
            globalThis.gc?.();
            db.close((error: Error | null) => print(error));
          }
        };
        for (let at = 0; at < 200; at += 1) {
          db.prepare('select nope', done);
        }
      },
      { output: [null], nodeOptions: ['--expose-gc'] },
    );
  });
});

describe('a text without a statement', () => {
  for (const sql of ['', '-- a comment']) {
    test(`${JSON.stringify(sql)} prepares, and its executions are a misuse`, async (t) => {
      const db = await open(t);
      const statement = db.prepare(sql);
      for (const method of ['run', 'get', 'all']) {
        const error = await failure(statement, method);
        assertCode(error, 'SQLITE_MISUSE', 21);
        assert.equal(error.message, 'SQLITE_MISUSE: not an error');
      }
      await answer(statement, 'finalize');
    });
  }

  test('with NUL is refused', async (t) => {
    const db = await open(t);
    assertCode(await failure(db, 'prepare', 'select 1\0'), 'SQLITE_MISUSE', 21);
    assertCode(await failure(db, 'get', '\0select 1'), 'SQLITE_MISUSE', 21);
    assert.equal(await value(db, 'exec', 'select 1'), undefined);
  });
});
