// Closing: order, refusal while a statement is open, and calls that come too late.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, asError, assertCode, each, event, failure, once, row, send, single, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { numbers, open, temporaryFile } from '../support/database.js';

const BUSY_TEXT = 'SQLITE_BUSY: unable to close due to unfinalized statements or unfinished backups';

describe('close()', () => {
  test('returns the database and calls back on it with null alone', async (t) => {
    const db = await open(t);
    const { self, args } = await once('close', (callback) => assert.equal(db.close(callback), db));
    assert.equal(self, db);
    assert.deepEqual(args, [null]);
  });

  test("reports in the order callback, 'close' event; the event has no arguments", async (t) => {
    const db = await open(t);
    const order: unknown[] = [];
    db.on('close', function (this: unknown, ...args: unknown[]) {
      order.push(['event', this === db, args, db.open]);
    });
    const closed = event(db, 'close');
    db.close(() => order.push(['callback', db.open]));
    await closed;
    assert.deepEqual(order, [
      ['callback', false],
      ['event', true, [], false],
    ]);
  });

  test('needs no callback', async (t) => {
    const db = await open(t);
    const closed = event(db, 'close');
    db.close();
    await closed;
    assert.equal(db.open, false);
  });

  test('waits for the calls before it', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    db.all(numbers(100_000), () => order.push('all'));
    db.run('create table t(v)', () => order.push('run'));
    db.each(
      numbers(5000),
      () => undefined,
      () => order.push('each'),
    );
    await value(db, 'close');
    assert.deepEqual(order, ['all', 'run', 'each']);
  });

  test('may be called before the database is open', async () => {
    const order: string[] = [];
    const db = new sqlite3.Database(':memory:', () => order.push('open'));
    assert.deepEqual((await answer(db, 'close')).args, [null]);
    assert.deepEqual(order, ['open']);
    assert.equal(db.open, false);
  });

  test('leaves what was written for the next connection', async (t) => {
    const file = temporaryFile(t);
    const first = await open(t, file);
    first.exec('create table t(v)');
    first.run('insert into t values(11)');
    await value(first, 'close');
    const second = await open(t, file);
    assert.equal(await single(second, 'select v from t'), 11);
  });

  test('inside a row callback of each() waits for the rows and the complete callback', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    const closed = once('close', (callback) => {
      db.each(
        numbers(3),
        (_error: Error | null, { v }: { v: number }) => {
          order.push(`row ${v}`);
          if (v === 1) {
            db.close((...args: unknown[]) => {
              order.push('close');
              callback(...args);
            });
          }
        },
        () => order.push('complete'),
      );
    });
    assert.deepEqual((await closed).args, [null]);
    assert.deepEqual(order, ['row 1', 'row 2', 'row 3', 'complete', 'close']);
  });
});

describe('close() with an open statement', () => {
  test('is refused with SQLITE_BUSY, and the database stays usable', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1 as v');
    const error = await failure(db, 'close');
    assertCode(error, 'SQLITE_BUSY', 5);
    assert.equal(error.message, BUSY_TEXT);
    assert.equal(db.open, true);
    assert.equal(await single(db, 'select 2 as v'), 2);
    assert.equal(await single(statement), 1);
    await answer(statement, 'finalize');
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('lets what is queued behind it run', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1 as v');
    const refused = failure(db, 'close');
    const behind = Promise.all([
      single(db, 'select 3 as v'),
      value(db, 'exec', 'create table t(v)'),
      single(statement),
      answer(db, 'wait'),
      answer(statement, 'finalize'),
    ]);
    assert.equal((await refused).code, 'SQLITE_BUSY');
    const [got, , own] = await behind;
    assert.equal(got, 3);
    assert.equal(own, 1);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('may be repeated behind a finalize() without waiting', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    const first = failure(db, 'close');
    statement.finalize();
    const second = answer(db, 'close');
    assert.equal((await first).code, 'SQLITE_BUSY');
    assert.deepEqual((await second).args, [null]);
    assert.equal(db.open, false);
  });

  test("emits neither 'close' nor 'error' when the refusal has a callback", async (t) => {
    const db = await open(t);
    const events: string[] = [];
    db.on('close', () => events.push('close'));
    db.on('error', () => events.push('error'));
    const statement = db.prepare('select 1');
    await failure(db, 'close');
    await answer(statement, 'finalize');
    assert.deepEqual(events, []);
  });

  test("without a callback emits 'error' on the database", async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    const failed = event(db, 'error');
    db.close();
    const { self, args } = await failed;
    assert.equal(self, db);
    assert.equal(asError(args[0]).message, BUSY_TEXT);
    await answer(statement, 'finalize');
  });

  test('without callback and listener is an uncaught exception, and the database stays usable', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        process.on('uncaughtException', (error) => print(error.message));
        const statement = db.prepare('select 1');
        db.close();
        statement.finalize();
        db.get('select 6 as v', (_error: Error | null, row: unknown) => print(row));
        db.close((error: Error | null) => print(error));
      },
      { output: [BUSY_TEXT, { v: 6 }, null] },
    );
  });
});

describe('calls behind a close that succeeds', () => {
  const late = 'SQLITE_MISUSE: Database handle is closed';

  test('get the error in their order, each once', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    const note = (name: string) => (error: Error | null) => order.push(`${name}: ${error?.message}`);
    db.close(() => order.push('close'));
    db.run('select 1', note('run'));
    db.exec('select 1', note('exec'));
    db.get('select 1', note('get'));
    db.all('select 1', note('all'));
    db.map('select 1', note('map'));
    db.prepare('select 1', note('prepare'));
    db.each('select 1', () => order.push('row'), note('each'));
    db.wait(note('wait'));
    await once('close', (callback) => db.close(callback));
    const methods = ['run', 'exec', 'get', 'all', 'map', 'prepare', 'each', 'wait'];
    assert.deepEqual(order, ['close', ...methods.map((name) => `${name}: ${late}`)]);
  });

  test('a statement prepared behind it answers its own calls as well', async (t) => {
    const db = await open(t);
    const closed = answer(db, 'close');
    const statement = db.prepare('select 1', () => undefined);
    const errors = await Promise.all([failure(statement, 'get'), failure(statement, 'finalize')]);
    assert.deepEqual(
      errors.map((error) => error.code),
      ['SQLITE_MISUSE', 'SQLITE_MISUSE'],
    );
    assert.deepEqual((await closed).args, [null]);
    assert.equal((await failure(statement, 'all')).code, 'SQLITE_MISUSE');
  });

  test("without a callback is an 'error' of the database", async (t) => {
    const db = await open(t);
    const failed = event(db, 'error');
    db.close();
    db.exec('select 1');
    assert.equal(asError((await failed).args[0]).message, late);
  });
});

describe('calls after the close was reported', () => {
  const closedText = 'SQLITE_MISUSE: Database is closed';

  for (const method of ['run', 'get', 'all', 'map', 'exec', 'prepare', 'each']) {
    test(`${method}() calls back before it returns`, async (t) => {
      const db = await open(t);
      await value(db, 'close');
      const errors: unknown[][] = [];
      send(db, method, 'select 1', (...args: unknown[]) => errors.push(args));
      assert.equal(errors.length, 1);
      assert.equal(errors[0]?.length, 1);
      const error = asError(errors[0]?.[0]);
      assertCode(error, 'SQLITE_MISUSE', 21);
      assert.equal(error.message, closedText);
    });
  }

  for (const method of ['close', 'wait']) {
    test(`${method}() calls back before it returns`, async (t) => {
      const db = await open(t);
      await value(db, 'close');
      const messages: string[] = [];
      send(db, method, (error: unknown) => messages.push(asError(error).message));
      assert.deepEqual(messages, [closedText]);
    });
  }

  test('each() reports to its complete callback and not to the row callback', async (t) => {
    const db = await open(t);
    await value(db, 'close');
    const calls: string[] = [];
    db.each(
      'select 1',
      () => calls.push('row'),
      (error: Error | null) => calls.push(error?.message ?? 'success'),
    );
    assert.deepEqual(calls, [closedText]);
  });

  test('return what they return on an open database', async (t) => {
    const db = await open(t);
    await value(db, 'close');
    const ignore = (): void => undefined;
    assert.equal(db.run('select 1', ignore), db);
    assert.equal(db.exec('select 1', ignore), db);
    assert.equal(db.close(ignore), db);
    assert.ok(db.prepare('select 1', ignore) instanceof sqlite3.Statement);
  });

  test("without a callback emit 'error' on the database before they return", async (t) => {
    const db = await open(t);
    await value(db, 'close');
    const messages: string[] = [];
    db.on('error', (error: Error) => messages.push(error.message));
    db.exec('select 1');
    db.run('select 1');
    db.configure('busyTimeout', 10);
    assert.deepEqual(messages, [closedText, closedText, closedText]);
  });

  test('without callback and listener throw out of the call', async (t) => {
    const db = await open(t);
    await value(db, 'close');
    assert.throws(() => db.exec('select 1'), { message: closedText, errno: 21, code: 'SQLITE_MISUSE' });
  });

  test('a statement made before the refused and then accepted close is finalized', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    await answer(statement, 'finalize');
    await value(db, 'close');
    assert.equal((await failure(statement, 'get')).code, 'SQLITE_MISUSE');
  });

  test('leave other databases alone', async (t) => {
    const [closed, other] = [await open(t), await open(t)];
    await value(closed, 'close');
    await failure(closed, 'get', 'select 1');
    assert.deepEqual(await row(other, 'select 1 as a'), { a: 1 });
    assert.equal((await each(other, numbers(4))).rows.length, 4);
  });
});
