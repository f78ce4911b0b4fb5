// Order: every call of a connection is answered in the order of the calls, whatever kind it is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, asError, once, rows, single, value } from '../support/calls.js';
import { numbers, open } from '../support/database.js';

const SLOW = `select count(*) as v from (${numbers(300_000)})`;

describe('the calls of a database', () => {
  test('run and answer in order, the slow before the fast', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    db.get(SLOW, () => order.push('get'));
    db.exec('create table q(v)', () => order.push('exec'));
    db.all('select v from q', (error: Error | null) => order.push(error?.message ?? 'all'));
    db.run('insert into q values(1)', () => order.push('run'));
    db.get('select v from q', (_error: Error | null, row: unknown) => order.push(JSON.stringify(row)));
    await answer(db, 'wait');
    assert.deepEqual(order, ['get', 'exec', 'all', 'run', '{"v":1}']);
  });

  test('keep their order before the database is open', async (t) => {
    const order: string[] = [];
    const db = new sqlite3.Database(':memory:', () => order.push('open'));
    t.after(() => db.close());
    db.exec('create table t(v)', () => order.push('exec'));
    const statement = db.prepare('insert into t values(?)', () => order.push('prepare'));
    statement.run(1, () => order.push('run'));
    db.get('select v from t', (_error: Error | null, row: unknown) => order.push(JSON.stringify(row)));
    statement.finalize(() => order.push('finalize'));
    await answer(db, 'wait');
    assert.deepEqual(order, ['open', 'exec', 'prepare', 'run', '{"v":1}', 'finalize']);
  });

  test('keep their order between the database and several prepared statements', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    const insert = db.prepare('insert into t values(?)');
    const count = db.prepare('select count(*) as v from t');
    const order: unknown[] = [];
    for (let at = 0; at < 50; at += 1) {
      db.get(`select ${at} as v`, (_error: Error | null, row: unknown) => order.push(row));
      insert.run(at, () => order.push('insert'));
      count.all((_error: Error | null, got: unknown) => order.push(got));
      db.exec('delete from t where 0', () => order.push('exec'));
    }
    insert.finalize();
    count.finalize();
    await answer(db, 'wait');
    const expected = Array.from({ length: 50 }, (_, at) => [{ v: at }, 'insert', [{ v: at + 1 }], 'exec']);
    assert.deepEqual(order, expected.flat());
  });

  test('answer in order when some of them fail', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    const note = (name: string) => (error: Error | null) => order.push(error === null ? name : `${name} failed`);
    db.run('create table t(v unique)', note('create'));
    db.run('insert into t values(1)', note('insert'));
    db.run('insert into t values(1)', note('insert'));
    db.get('select nope', note('get'));
    db.exec('nonsense', note('exec'));
    db.prepare('select nope', note('prepare'));
    db.run('select ?', 1, 2, note('bind'));
    db.all('select v from t', note('all'));
    await answer(db, 'wait');
    assert.deepEqual(order, [
      'create',
      'insert',
      'insert failed',
      'get failed',
      'exec failed',
      'prepare failed',
      'bind failed',
      'all',
    ]);
  });

  test('made in a callback come behind those made before', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    await once('last', (callback) => {
      db.get('select 1', () => {
        order.push('first');
        db.get('select 1', () => {
          order.push('inner');
          callback();
        });
      });
      db.exec('select 1', () => order.push('second'));
      db.get(SLOW, () => order.push('third'));
    });
    assert.deepEqual(order, ['first', 'second', 'third', 'inner']);
  });

  test('configure() takes its place in the order', async (t) => {
    const db = await open(t);
    const long = 'x'.repeat(50);
    const before = single(db, 'select ? as v', long);
    db.configure('limit', sqlite3.LIMIT_LENGTH, 40);
    const between = answer(db, 'get', 'select ? as v', long);
    db.configure('limit', sqlite3.LIMIT_LENGTH, 1000);
    const after = single(db, 'select ? as v', long);
    assert.equal(await before, long);
    assert.match(String((await between).args[0]), /SQLITE_TOOBIG/);
    assert.equal(await after, long);
  });

  test('of two databases do not wait for each other', async (t) => {
    const [slow, quick] = [await open(t), await open(t)];
    const ended = answer(slow, 'get', `select count(*) from (${numbers()})`);
    assert.equal(await single(quick, 'select 1 as v'), 1);
    slow.interrupt();
    const tick = setInterval(() => slow.interrupt(), 5);
    assert.match(String((await ended).args[0]), /SQLITE_INTERRUPT/);
    clearInterval(tick);
  });
});

describe('wait()', () => {
  test('returns the database and calls back on it with null, behind all calls before it', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    db.get(SLOW, () => order.push('get'));
    db.each(
      numbers(3000),
      () => undefined,
      () => order.push('each'),
    );
    const { self, args } = await once('wait', (callback) => assert.equal(db.wait(callback), db));
    assert.equal(self, db);
    assert.deepEqual(args, [null]);
    assert.deepEqual(order, ['get', 'each']);
  });

  test('needs no callback, and answers on an idle database', async (t) => {
    const db = await open(t);
    db.wait();
    assert.deepEqual((await answer(db, 'wait')).args, [null]);
  });
});

describe('serialize() and parallelize()', () => {
  for (const method of ['serialize', 'parallelize'] as const) {
    test(`${method}() returns the database and calls its function at once, on the database, without arguments`, async (t) => {
      const db = await open(t);
      const calls: unknown[] = [];
      const returned = db[method](function (this: unknown, ...args: unknown[]) {
        calls.push([this === db, args]);
      });
      assert.equal(returned, db);
      assert.deepEqual(calls, [[true, []]]);
      assert.equal(db[method](), db);
    });

    test(`${method}() lets an exception of its function through, and the database goes on`, async (t) => {
      const db = await open(t);
      assert.throws(
        () =>
          db[method](() => {
            db.run('create table t(v)');
            throw new Error('of the user');
          }),
        /of the user/,
      );
      assert.deepEqual(await rows(db, 'select * from t'), []);
    });

    test(`${method}() works before the database is open and after it was closed`, async () => {
      const db = new sqlite3.Database(':memory:');
      let calls = 0;
      const count = (): void => {
        calls += 1;
      };
      assert.equal(db[method](count), db);
      await value(db, 'close');
      assert.equal(db[method](count), db);
      assert.equal(calls, 2);
    });
  }

  test('keep the order of prepared statements', async (t) => {
    const db = await open(t);
    const order: unknown[] = [];
    db.serialize(() => {
      db.run('create table t(v)', () => order.push('create'));
      const statements = [0, 1, 2].map((at) =>
        db.prepare(`insert into t select ${at} from (${numbers(20_000 - 9_000 * at)})`),
      );
      statements.forEach((statement, at) => {
        statement.run(() => order.push(at));
        statement.finalize();
      });
      db.get('select count(*) as n from t', (_error: Error | null, row: unknown) => order.push(row));
    });
    await answer(db, 'wait');
    assert.deepEqual(order, ['create', 0, 1, 2, { n: 20_000 + 11_000 + 2_000 }]);
  });

  test('nest, and calls after them go on', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    db.serialize(() => {
      db.run('create table t(v)', () => order.push('create'));
      db.parallelize(() => {
        db.run('insert into t values(1)', () => order.push('one'));
        db.run('insert into t values(2)', () => order.push('two'));
      });
      db.run('delete from t', () => order.push('delete'));
    });
    db.get('select count(*) as n from t', (_error: Error | null, row: unknown) => order.push(JSON.stringify(row)));
    await answer(db, 'wait');
    assert.deepEqual(order, ['create', 'one', 'two', 'delete', '{"n":0}']);
  });

  test('with configure() behind them do not get stuck', async (t) => {
    const db = await open(t);
    db.serialize();
    db.get('select 1');
    db.configure('busyTimeout', 500);
    db.parallelize();
    db.configure('busyTimeout', 600);
    assert.equal(await single(db, 'select 4 as v'), 4);
  });
});

describe('jobs of process.nextTick and of promises', () => {
  test('run between the callbacks of two calls', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    for (const at of [1, 2, 3]) {
      db.get('select 1', () => {
        order.push(`callback ${at}`);
        Promise.resolve().then(() => order.push(`promise ${at}`));
        process.nextTick(() => order.push(`tick ${at}`));
      });
    }
    await answer(db, 'wait');
    assert.deepEqual(
      order,
      [1, 2, 3].flatMap((at) => [`callback ${at}`, `tick ${at}`, `promise ${at}`]),
    );
  });

  test('run between the callbacks of different methods and statements', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    const note = (name: string) => (): void => {
      order.push(name);
      queueMicrotask(() => order.push(`behind ${name}`));
    };
    const statement = db.prepare('select 1', note('prepare'));
    db.run('create table t(v)', note('run'));
    statement.all(note('all'));
    db.exec('select 1', note('exec'));
    db.each('select 1', () => undefined, note('each'));
    db.get('select nope', note('failed get'));
    statement.finalize(note('finalize'));
    await answer(db, 'wait');
    const names = ['prepare', 'run', 'all', 'exec', 'each', 'failed get', 'finalize'];
    assert.deepEqual(
      order,
      names.flatMap((name) => [name, `behind ${name}`]),
    );
  });

  test('let a chain of promises see each answer before the next callback', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    const asked = single(db, 'select 1 as v').then(() => order.push('awaited'));
    db.get('select 2', () => order.push('next callback'));
    await asked;
    await answer(db, 'wait');
    assert.deepEqual(order, ['awaited', 'next callback']);
  });

  test('of the complete callback of each() run before the next call is answered', async (t) => {
    const db = await open(t);
    const order: string[] = [];
    db.each(
      numbers(3),
      () => undefined,
      () => {
        order.push('complete');
        process.nextTick(() => order.push('tick'));
        queueMicrotask(() => order.push('promise'));
      },
    );
    db.get('select 1', () => order.push('get'));
    await answer(db, 'wait');
    assert.deepEqual(order, ['complete', 'tick', 'promise', 'get']);
  });
});

describe('an answer', () => {
  const ENDLESS = 'with recursive n(v) as (select 1 union all select v + 1 from n) select count(*) from n';

  test('does not wait for the long request behind it', async (t) => {
    const db = await open(t);
    for (let round = 0; round < 20; round += 1) {
      let ended = false;
      const interrupt = (): void => {
        if (ended) return;
        db.interrupt();
        setImmediate(interrupt);
      };
      // Many at once, so that all but the first come while the event loop looks for answers by itself.
      for (let times = 0; times < 50; times += 1) db.get('select 1');
      db.get('select 2', interrupt);
      const { args } = await answer(db, 'get', ENDLESS);
      ended = true;
      assert.equal(asError(args[0]).code, 'SQLITE_INTERRUPT');
    }
  });

  test('of one database does not wait for the long request of another', async (t) => {
    const [slow, quick] = [await open(t), await open(t)];
    const endless = answer(slow, 'get', ENDLESS);
    for (let times = 0; times < 100; times += 1) {
      await Promise.all([value(quick, 'get', 'select 1'), value(quick, 'get', 'select 2')]);
    }
    slow.interrupt();
    const { args } = await endless;
    assert.equal(asError(args[0]).code, 'SQLITE_INTERRUPT');
  });
});
