// Code of the user that runs while parameters are read: getters and proxies that make calls of their own, or throw.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { answer, rows, send, value } from '../support/calls.js';
import { open } from '../support/database.js';
import { Door, recordsOf } from './probe.js';

describe('a getter that makes a call', () => {
  test('has it executed before the call whose parameters are read', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a)');
    const order: string[] = [];
    const note = (name: string) => () => order.push(name);
    send(db, 'run', 'insert into t values(1)', note('before'));
    const outer = answer(db, 'run', "insert into t values('outer ' || $a || $b)", {
      get $a() {
        send(db, 'run', "insert into t values('inner')", note('inner'));
        return 'a';
      },
      get $b() {
        send(db, 'exec', "insert into t values('script'); insert into t values('script end')", note('script'));
        return 'b';
      },
    }).then(note('outer'));
    send(db, 'run', 'insert into t values(2)', note('after'));
    await outer;
    const found = await rows(db, 'select a as v from t order by rowid');
    assert.deepEqual(
      found.map(({ v }) => v),
      [1, 'inner', 'script', 'script end', 'outer ab', 2],
    );
    assert.deepEqual(order, ['before', 'inner', 'script', 'outer', 'after']);
  });

  test('may do so to any depth', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a)');
    const order: number[] = [];
    const insert = (depth: number, done: () => void): void => {
      const parameters = {
        get $a() {
          if (depth > 0) insert(depth - 1, () => undefined);
          return depth;
        },
      };
      send(db, 'run', 'insert into t values($a)', parameters, () => {
        order.push(depth);
        done();
      });
    };
    await new Promise<void>((resolve) => insert(50, resolve));
    assert.deepEqual(
      order,
      Array.from({ length: 51 }, (_, depth) => depth),
    );
    assert.deepEqual(
      (await rows(db, 'select a from t order by rowid')).map(({ a }) => a),
      order,
    );
  });

  test('does not disturb a large value that is being written', async (t) => {
    const db = await open(t);
    const large = '語'.repeat(200_000);
    const text = await value(db, 'get', 'select length($a) as a, $b as b, length($c) as c', {
      $a: large,
      get $b() {
        send(db, 'run', 'select ?', Buffer.alloc(3_000_000));
        return 'b';
      },
      $c: large,
    });
    assert.deepEqual(text, { a: 200_000, b: 'b', c: 200_000 });
  });

  test('may use the same statement', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as v');
    const inner: Promise<unknown>[] = [];
    const parameters = Object.defineProperty(['outer'], 0, {
      get() {
        inner.push(value(statement, 'get', 'inner'));
        return 'outer';
      },
    });
    assert.deepEqual(await value(statement, 'get', parameters), { v: 'outer' });
    assert.deepEqual(await Promise.all(inner), [{ v: 'inner' }]);
    await answer(statement, 'finalize');
  });

  test('may close another database and open one', async (t) => {
    const db = await open(t);
    const other = await open(t);
    let closed: Promise<unknown> | undefined;
    const got = await value(db, 'get', 'select $a as v', {
      get $a() {
        closed = value(other, 'close');
        return 1;
      },
    });
    assert.deepEqual(got, { v: 1 });
    await closed;
    assert.equal(other.open, false);
  });

  test('may interrupt', async (t) => {
    const db = await open(t);
    const got = await value(db, 'get', 'select $a as v', {
      get $a() {
        db.interrupt();
        return 1;
      },
    });
    assert.deepEqual(got, { v: 1 });
  });
});

describe('a getter that throws', () => {
  const thrown = new Error('from a getter');
  const parameters = {
    $a: 1,
    get $b(): never {
      throw thrown;
    },
  };
  const methods = ['run', 'get', 'all', 'each', 'map'] as const;

  test('throws out of the call, which is not executed and not answered', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a, b)');
    for (const method of methods) {
      const never = (): never => assert.fail(`${method} was answered`);
      assert.throws(() => send(db, method, 'insert into t values($a, $b) returning a', parameters, never), thrown);
    }
    assert.deepEqual(await rows(db, 'select * from t'), []);
  });

  test('leaves no request for an execution behind', async (t) => {
    const db = await open(t);
    const door = new Door();
    t.after(() => door.stop());
    for (const method of methods) {
      assert.throws(() => send(db, method, 'select $a, $b', parameters, () => undefined), thrown);
    }
    await answer(db, 'wait');
    const operations = door.batches.flatMap(recordsOf).map(({ operation }) => operation);
    assert.ok(operations.includes(layout.operationWait));
    for (const operation of [layout.operationRun, layout.operationGet, layout.operationAll, layout.operationEach]) {
      assert.ok(!operations.includes(operation), `operation ${operation}`);
    }
  });

  for (const method of [...methods, 'prepare'] as const) {
    test(`of ${method}() leaves no statement behind that keeps the database from closing`, async (t) => {
      const db = await open(t);
      assert.throws(() => send(db, method, 'select $a, $b', parameters, () => undefined), thrown);
      assert.deepEqual((await answer(db, 'close')).args, [null]);
    });
  }

  test('leaves a prepared statement as it was', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select $a as a, $b as b', { $a: 'kept', $b: 'too' });
    assert.throws(() => send(statement, 'get', parameters), thrown);
    assert.throws(() => send(statement, 'bind', parameters), thrown);
    assert.deepEqual(await value(statement, 'get'), { a: 'kept', b: 'too' });
    await answer(statement, 'finalize');
  });

  test('after calls of its own leaves those', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a)');
    const inner = {
      get $a(): never {
        send(db, 'run', "insert into t values('inner')");
        throw thrown;
      },
    };
    send(db, 'run', "insert into t values('before')");
    assert.throws(() => send(db, 'run', 'insert into t values($a)', inner), thrown);
    send(db, 'run', "insert into t values('after')");
    assert.deepEqual(
      (await rows(db, 'select a as v from t order by rowid')).map(({ v }) => v),
      ['before', 'inner', 'after'],
    );
  });
});
