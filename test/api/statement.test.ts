// A prepared statement's life: bind, reset, repeated use, finalize and what comes after.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  answer,
  asError,
  assertCode,
  each,
  event,
  failure,
  once,
  row,
  rows,
  send,
  single,
  value,
} from '../support/calls.js';
import { numbers, open } from '../support/database.js';

const FINALIZED = 'SQLITE_MISUSE: Statement is already finalized';

describe('the methods of a statement', () => {
  for (const method of ['bind', 'run', 'get', 'all', 'each', 'map', 'reset']) {
    test(`${method}() returns the statement`, async (t) => {
      const db = await open(t);
      const statement = db.prepare('select 1');
      assert.equal(
        send(statement, method, () => undefined),
        statement,
      );
      await answer(statement, 'finalize');
    });
  }

  for (const method of ['bind', 'run', 'reset']) {
    test(`${method}() calls back on the statement with null alone`, async (t) => {
      const db = await open(t);
      const statement = db.prepare('select 1');
      assert.deepEqual(await answer(statement, method), { self: statement, args: [null] });
      await answer(statement, 'finalize');
    });
  }

  test('finalize() returns the database and calls back on the statement without arguments', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    const { self, args } = await once('finalize', (callback) => assert.equal(statement.finalize(callback), db));
    assert.equal(self, statement);
    assert.deepEqual(args, []);
  });

  test('can be chained and answer in their order', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    const order: string[] = [];
    const done = once('close', (callback) => {
      db.prepare('insert into t values(?)')
        .bind(1)
        .run(() => order.push('first'))
        .run(2, () => order.push('second'))
        .finalize(() => order.push('finalize'))
        .close(callback);
    });
    assert.deepEqual((await done).args, [null]);
    assert.deepEqual(order, ['first', 'second', 'finalize']);
  });
});

describe('bind()', () => {
  test('binds for all following executions', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as v');
    await answer(statement, 'bind', 'x');
    assert.deepEqual(await rows(statement), [{ v: 'x' }]);
    assert.deepEqual(await rows(statement), [{ v: 'x' }]);
    await answer(statement, 'finalize');
  });

  test('takes an array, an object and a list', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ?1 as a, ?2 as b');
    for (const parameters of [[1, 2], [[1, 2]], [{ 1: 1, 2: 2 }]]) {
      await answer(statement, 'bind', ...parameters);
      assert.deepEqual(await rows(statement), [{ a: 1, b: 2 }]);
    }
    await answer(statement, 'finalize');
  });

  test('of some parameters leaves the others NULL', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as a, ? as b', 1, 2);
    assert.deepEqual(await rows(statement), [{ a: 1, b: 2 }]);
    await answer(statement, 'bind', 3);
    assert.deepEqual(await rows(statement), [{ a: 3, b: null }]);
    await answer(statement, 'bind', { 2: 4 });
    assert.deepEqual(await rows(statement), [{ a: null, b: 4 }]);
    await answer(statement, 'finalize');
  });

  test('is replaced by the parameters of an execution', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as a, ? as b');
    await answer(statement, 'bind', 1, 2);
    assert.deepEqual(await rows(statement, 5), [{ a: 5, b: null }]);
    assert.deepEqual(await rows(statement), [{ a: 5, b: null }]);
    await answer(statement, 'finalize');
  });

  test('keeps what is bound when an execution gets no parameters, [] or {}', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as v', 7);
    for (const none of [[], [[]], [{}]]) {
      assert.deepEqual(await rows(statement, ...none), [{ v: 7 }]);
    }
    await answer(statement, 'finalize');
  });

  test('is cleared by undefined, which counts as a parameter and binds nothing', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as v', 7);
    assert.deepEqual(await rows(statement, undefined), [{ v: null }]);
    assert.deepEqual(await rows(statement), [{ v: null }]);
    await answer(statement, 'finalize');
  });

  test('starts the rows again', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select column1 + ? as v from (values (1), (2))', 0);
    assert.equal(await single(statement), 1);
    await answer(statement, 'bind', 10);
    assert.equal(await single(statement), 11);
    await answer(statement, 'finalize');
  });

  test('reports parameters that do not fit', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as v');
    const error = await failure(statement, 'bind', 1, 2);
    assertCode(error, 'SQLITE_RANGE', 25);
    assert.equal(error.message, 'SQLITE_RANGE: column index out of range');
    assert.equal(await single(statement, 1), 1);
    await answer(statement, 'finalize');
  });
});

describe('reset()', () => {
  test('keeps the bindings', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as v', 5);
    assert.equal(await single(statement), 5);
    await answer(statement, 'reset');
    assert.equal(await single(statement), 5);
    await answer(statement, 'finalize');
  });

  test('reports no error after a failed execution', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select abs(-9223372036854775807 - 1)');
    await failure(statement, 'get');
    assert.deepEqual((await answer(statement, 'reset')).args, [null]);
    await answer(statement, 'finalize');
  });
});

describe('a statement in repeated use', () => {
  test('works after a constraint error, a bind error and a run-time error', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v unique); insert into t values(1)');
    const statement = db.prepare('insert into t values(abs(?))');
    assertCode(await failure(statement, 'run', 1), 'SQLITE_CONSTRAINT', 19);
    assertCode(await failure(statement, 'run', 1, 2), 'SQLITE_RANGE', 25);
    assertCode(await failure(statement, 'run', -(2n ** 63n)), 'SQLITE_ERROR', 1);
    assert.deepEqual((await answer(statement, 'run', -8)).args, [null]);
    assert.deepEqual(await rows(db, 'select v from t'), [{ v: 1 }, { v: 8 }]);
    await answer(statement, 'finalize');
  });

  test('keeps the parameters of each queued call apart', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as v');
    const got = await Promise.all(Array.from({ length: 500 }, (_, at) => single(statement, at)));
    assert.deepEqual(
      got,
      Array.from({ length: 500 }, (_, at) => at),
    );
    await answer(statement, 'finalize');
  });

  test('executes behind a schema change', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a); insert into t values(1)');
    const statement = db.prepare('select a from t');
    assert.deepEqual(await rows(statement), [{ a: 1 }]);
    await value(db, 'exec', 'alter table t add column b');
    assert.deepEqual(await rows(statement), [{ a: 1 }]);
    await value(db, 'exec', 'drop table t');
    assert.equal((await failure(statement, 'all')).message, 'SQLITE_ERROR: no such table: t');
    await value(db, 'exec', 'create table t(a); insert into t values(2)');
    assert.deepEqual(await rows(statement), [{ a: 2 }]);
    await answer(statement, 'finalize');
  });
});

describe('finalize()', () => {
  test('comes after the calls before it', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    const statement = db.prepare(numbers(20_000));
    statement.all(() => order.push('all'));
    statement.each(
      () => undefined,
      () => order.push('each'),
    );
    await answer(statement, 'finalize');
    assert.deepEqual(order, ['all', 'each']);
  });

  test('needs no callback', async (t) => {
    const db = await open(t);
    db.prepare('select 1').finalize();
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('in the middle of the rows of get() lets the database close', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers());
    await row(statement);
    await answer(statement, 'finalize');
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('lets calls queued behind it fail, in their order and after its own callback', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    const note = (name: string) => (error?: Error | null) => order.push(`${name}: ${error?.message}`);
    const statement = db.prepare('select 1');
    statement.get(() => order.push('before'));
    statement.finalize(note('finalize'));
    statement.bind(1, note('bind'));
    statement.run(note('run'));
    statement.get(note('get'));
    statement.all(note('all'));
    statement.map(note('map'));
    statement.reset(note('reset'));
    statement.finalize(note('finalize'));
    await answer(db, 'wait');
    const late = ['bind', 'run', 'get', 'all', 'map', 'reset', 'finalize'];
    assert.deepEqual(order, ['before', 'finalize: undefined', ...late.map((name) => `${name}: ${FINALIZED}`)]);
  });

  test('lets a queued each() fail through complete', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    statement.finalize();
    const { rows: got, complete } = await each(statement);
    assert.deepEqual(got, []);
    assert.equal(asError(complete.args[0]).message, FINALIZED);
  });

  for (const method of ['bind', 'run', 'get', 'all', 'map', 'reset', 'finalize']) {
    test(`lets a later ${method}() fail before it returns`, async (t) => {
      const db = await open(t);
      const statement = db.prepare('select 1');
      await answer(statement, 'finalize');
      const calls: unknown[][] = [];
      send(statement, method, (...args: unknown[]) => calls.push(args));
      assert.deepEqual(
        calls.map((args) => args.length),
        [1],
      );
      const error = asError(calls[0]?.[0]);
      assertCode(error, 'SQLITE_MISUSE', 21);
      assert.equal(error.message, FINALIZED);
    });
  }

  test('lets a later each() fail through complete before it returns', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    await answer(statement, 'finalize');
    const messages: string[] = [];
    send(
      statement,
      'each',
      () => undefined,
      (error: unknown) => messages.push(asError(error).message),
    );
    assert.deepEqual(messages, [FINALIZED]);
  });

  test("lets a later call without a callback emit 'error' on the statement before it returns", async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    await answer(statement, 'finalize');
    const messages: string[] = [];
    statement.on('error', (error: Error) => messages.push(error.message));
    statement.run();
    statement.all();
    assert.deepEqual(messages, [FINALIZED, FINALIZED]);
  });

  test("lets a queued call without a callback emit 'error'", async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    const failed = event(statement, 'error');
    statement.finalize();
    statement.run();
    assert.equal(asError((await failed).args[0]).message, FINALIZED);
  });

  test('inside the callback of the same statement is done after it', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1 as v');
    const order: string[] = [];
    await once('finalize', (callback) => {
      statement.get(() => {
        statement.finalize((...args: unknown[]) => {
          order.push('finalize');
          callback(...args);
        });
        order.push('get');
      });
    });
    assert.deepEqual(order, ['get', 'finalize']);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('of the statement of db.get() in its own callback is a misuse at most, and harmless', async (t) => {
    const db = await open(t);
    const { self } = await answer(db, 'get', 'select 1');
    const messages: string[] = [];
    send(self as object, 'finalize', (error?: Error) => messages.push(error?.message ?? 'done'));
    await answer(db, 'wait');
    assert.deepEqual(messages, [FINALIZED]);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });
});
