// The events trace, profile and change: when they come, what listeners get, and that listeners are counted.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, type TestContext, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, send, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { numbers, open, temporaryFile } from '../support/database.js';

const EVENTS = ['trace', 'profile', 'change'] as const;

/** Collects the arguments of an event's listeners. */
function listen(db: sqlite3.Database, name: string, method = 'on'): unknown[][] {
  const heard: unknown[][] = [];
  send(db, method, name, (...args: unknown[]) => heard.push(args));
  return heard;
}

/** A database with an empty table `t` of one column. */
async function withTable(t: TestContext): Promise<sqlite3.Database> {
  const db = await open(t);
  await value(db, 'exec', 'create table t(v)');
  return db;
}

/** Executes a statement that causes each of the three events once. */
const cause = (db: sqlite3.Database): Promise<unknown> => value(db, 'run', 'insert into t values(?)', 'x');

describe('trace', () => {
  test('gives the SQL with the bound values, for each statement that begins to run', async (t) => {
    const db = await withTable(t);
    const heard = listen(db, 'trace');
    await value(db, 'run', 'insert into t values(?)', "it's");
    await value(db, 'exec', "insert into t values(1); \n insert into t values('b')");
    const statement = db.prepare('select $v as v', { $v: null });
    await answer(db, 'wait');
    assert.equal(heard.length, 3, 'preparing is not running');
    await value(statement, 'get');
    await value(statement, 'all', 7);
    await answer(statement, 'finalize');
    assert.deepEqual(heard, [
      ["insert into t values('it''s')"],
      ['insert into t values(1);'],
      ["insert into t values('b')"],
      ['select NULL as v'],
      ['select 7 as v'],
    ]);
  });

  test('reports triggers as comments', async (t) => {
    const db = await withTable(t);
    await value(db, 'exec', 'create trigger tr after insert on t begin delete from t where v = 0; end');
    const heard = listen(db, 'trace');
    await cause(db);
    assert.deepEqual(heard[0], ["insert into t values('x')"]);
    assert.ok(heard.some(([sql]) => sql === '-- TRIGGER tr'));
  });
});

describe('profile', () => {
  test('gives the SQL as it was written and the milliseconds it took', async (t) => {
    const db = await withTable(t);
    const heard = listen(db, 'profile');
    await cause(db);
    const slow = `select count(*) from (${numbers(300_000)})`;
    await value(db, 'get', slow);
    assert.deepEqual(
      heard.map(([sql]) => sql),
      ['insert into t values(?)', slow],
    );
    const [quickTime, slowTime] = heard.map(([, milliseconds]) => milliseconds as number);
    assert.ok(quickTime !== undefined && quickTime >= 0);
    assert.ok(slowTime !== undefined && slowTime > 1 && slowTime < 60_000, `${slowTime} ms`);
  });
});

describe('change', () => {
  test('gives kind, database, table and rowid of each row', async (t) => {
    const db = await withTable(t);
    await value(db, 'exec', "attach ':memory:' as other; create table other.u(v)");
    const heard = listen(db, 'change');
    await value(db, 'exec', "insert into t values('a'), ('b'); update t set v = 'c' where v = 'b'");
    await value(db, 'run', 'delete from t where v = ?', 'a');
    await value(db, 'run', 'insert into other.u(rowid, v) values(?, 1)', 2 ** 40);
    assert.deepEqual(heard, [
      ['insert', 'main', 't', 1],
      ['insert', 'main', 't', 2],
      ['update', 'main', 't', 2],
      ['delete', 'main', 't', 1],
      ['insert', 'other', 'u', 2 ** 40],
    ]);
  });

  test('comes for each of many rows, in order', async (t) => {
    const db = await withTable(t);
    const rowids: unknown[] = [];
    db.on('change', (...args) => rowids.push(args[3]));
    await value(db, 'run', `insert into t ${numbers(20_000)}`);
    assert.deepEqual(
      rowids,
      Array.from({ length: 20_000 }, (_, at) => at + 1),
    );
  });

  test('does not come for what SQLite does not report', async (t) => {
    const db = await withTable(t);
    await value(db, 'exec', 'create table w(k primary key) without rowid; insert into t values(1), (2)');
    const heard = listen(db, 'change');
    await value(db, 'exec', 'insert into w values(1); delete from t');
    assert.deepEqual(heard, []);
  });
});

describe('events', () => {
  test('come before the callback of the statement that caused them, each time', async (t) => {
    const db = await withTable(t);
    const order: string[] = [];
    const expected: string[] = [];
    db.on('trace', () => order.push('trace'));
    db.on('change', () => order.push('change'));
    db.on('profile', () => order.push('profile'));
    for (let at = 0; at < 100; at += 1) {
      db.run('insert into t values(?)', at, () => order.push(`callback ${at}`));
      expected.push('trace', 'change', 'profile', `callback ${at}`);
    }
    await answer(db, 'wait');
    assert.deepEqual(order, expected);
  });

  test('are emitted with this being the database', async (t) => {
    const db = await withTable(t);
    const receivers: unknown[] = [];
    for (const name of EVENTS) {
      send(db, 'on', name, function (this: unknown) {
        receivers.push(this);
      });
    }
    await cause(db);
    assert.deepEqual(receivers, [db, db, db]);
  });

  test('are emitted in the async context of the call that caused them', async (t) => {
    const db = await withTable(t);
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    storage.run('listener', () => {
      for (const name of EVENTS) send(db, 'on', name, () => seen.push(`${name}: ${storage.getStore()}`));
    });
    const statement = storage.run('prepare', () => db.prepare('insert into t values(2)'));
    storage.run('first', () => db.run('insert into t values(1)'));
    storage.run('second', () => statement.run());
    await answer(statement, 'finalize');
    const of = (context: string): string[] => ['trace', 'change', 'profile'].map((name) => `${name}: ${context}`);
    assert.deepEqual(seen, [...of('first'), ...of('second')]);
  });

  test('come on the connection that is written through, not on others of the same file', async (t) => {
    const file = temporaryFile(t);
    const [db, other] = [await open(t, file), await open(t, file)];
    await value(db, 'exec', 'create table t(v)');
    const [here, there] = [listen(db, 'change'), listen(other, 'change')];
    await cause(db);
    await answer(other, 'wait');
    assert.equal(here.length, 1);
    assert.deepEqual(there, []);
  });

  test('come for calls that were made before the database was open', async (t) => {
    const db = new sqlite3.Database(':memory:');
    t.after(() => answer(db, 'close'));
    const heard = EVENTS.map((name) => listen(db, name));
    db.exec('create table t(v)');
    await cause(db);
    assert.deepEqual(
      heard.map((calls) => calls.length > 0),
      [true, true, true],
    );
  });

  test('are still possible after a close that was refused', async (t) => {
    const db = await withTable(t);
    const heard = EVENTS.map((name) => listen(db, name));
    const statement = db.prepare('select 1');
    assert.match(String((await answer(db, 'close')).args[0]), /SQLITE_BUSY/);
    await cause(db);
    assert.deepEqual(
      heard.map((calls) => calls.length),
      [1, 1, 1],
    );
    await answer(statement, 'finalize');
  });
});

describe('listeners', () => {
  for (const name of EVENTS) {
    test(`are counted: ${name} goes on until the last has gone`, async (t) => {
      const db = await withTable(t);
      const heard: number[] = [];
      const [first, second] = [() => heard.push(1), () => heard.push(2)];
      send(db, 'on', name, first);
      send(db, 'on', name, second);
      await cause(db);
      send(db, 'removeListener', name, first);
      await cause(db);
      send(db, 'off', name, second);
      await cause(db);
      assert.deepEqual(heard, [1, 2, 2]);
      send(db, 'addListener', name, first);
      await cause(db);
      assert.deepEqual(heard, [1, 2, 2, 1]);
    });

    test(`of ${name} do not depend on those of the other events`, async (t) => {
      const db = await withTable(t);
      const heard = listen(db, name);
      for (const other of EVENTS) {
        if (other === name) continue;
        const listener = (): void => undefined;
        send(db, 'on', other, listener);
        await cause(db);
        send(db, 'removeListener', other, listener);
        await cause(db);
      }
      assert.equal(heard.length, 4);
    });
  }

  test('can be put in front, and be called once', async (t) => {
    const db = await withTable(t);
    const order: string[] = [];
    db.prependListener('trace', () => order.push('second'));
    db.prependListener('trace', () => order.push('first'));
    db.prependOnceListener('trace', () => order.push('once, in front'));
    db.once('trace', () => order.push('once'));
    await cause(db);
    await cause(db);
    assert.deepEqual(order, ['once, in front', 'first', 'second', 'once', 'first', 'second']);
  });

  for (const method of ['once', 'prependListener', 'prependOnceListener', 'addListener']) {
    test(`that are alone are heard when they came by ${method}()`, async (t) => {
      const db = await withTable(t);
      const heard = EVENTS.map((name) => listen(db, name, method));
      await cause(db);
      assert.deepEqual(
        heard.map((calls) => calls.length),
        [1, 1, 1],
      );
    });
  }

  test('are gone after removeAllListeners(), for one event or for all', async (t) => {
    const db = await withTable(t);
    const [trace, profile, change] = EVENTS.map((name) => listen(db, name));
    db.removeAllListeners('trace');
    await cause(db);
    db.removeAllListeners();
    await cause(db);
    assert.deepEqual([trace?.length, profile?.length, change?.length], [0, 1, 1]);
    const again = listen(db, 'trace');
    await cause(db);
    assert.equal(again.length, 1);
  });

  test('take effect behind the calls before them, and end with those before their removal', async (t) => {
    const db = await withTable(t);
    const heard: unknown[] = [];
    const listener = (sql: string): void => {
      heard.push(sql);
    };
    db.run('insert into t values(1)');
    db.on('trace', listener);
    db.run('insert into t values(2)');
    await answer(db, 'wait');
    db.off('trace', listener);
    db.run('insert into t values(3)');
    await answer(db, 'wait');
    assert.deepEqual(heard, ['insert into t values(2)']);
  });

  test('that throw are uncaught exceptions, and everything goes on', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const db = new Database(':memory:');
        db.exec('create table t(v)');
        db.on('change', () => {
          throw new Error('of the listener');
        });
        db.run('insert into t values(1), (2)', (error: Error | null) => print(error));
        db.close((error: Error | null) => print(error));
      },
      { output: ['of the listener', 'of the listener', null, null] },
    );
  });

  for (const name of EVENTS) {
    test(`of ${name} do not keep the process from ending`, async () => {
      await expectProgram(
        ({ sqlite3: { Database }, argument, print }) => {
          const db = new Database(':memory:');
          db.on(argument as string, () => undefined);
          db.exec('create table t(v)');
          db.run('insert into t values(1)', (error: Error | null) => print(error));
        },
        { output: [null], argument: name },
      );
    });
  }

  test('of a closed database can come and go', async (t) => {
    const db = await withTable(t);
    await value(db, 'close');
    const listener = (): void => undefined;
    for (const name of EVENTS) {
      send(db, 'on', name, listener);
      send(db, 'off', name, listener);
    }
    db.removeAllListeners();
    assert.deepEqual(db.eventNames(), []);
  });
});

describe('configure()', () => {
  for (const name of EVENTS) {
    test(`turns ${name} on and off as it says, however often`, async (t) => {
      const db = await withTable(t);
      const heard = listen(db, name);
      db.configure(name, true);
      await cause(db);
      assert.equal(heard.length, 1);
      db.configure(name, false);
      db.configure(name, false);
      await cause(db);
      assert.equal(heard.length, 1);
      db.configure(name, true);
      await cause(db);
      assert.equal(heard.length, 2);
    });
  }

  test('that turned an event off is undone by a new listener', async (t) => {
    const db = await withTable(t);
    const first = listen(db, 'trace');
    db.configure('trace', false);
    const second = listen(db, 'trace');
    await cause(db);
    assert.deepEqual([first.length, second.length], [1, 1]);
  });
});
