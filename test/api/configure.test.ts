// configure(): the busy timeout, limits, and whether the next request starts before the callback has returned.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, assertCode, failure, once, single, value } from '../support/calls.js';
import { open, temporaryFile, temporaryFolder } from '../support/database.js';

/** A connection that holds the write lock of a file, and a second one to the same file. */
async function locked(t: test.TestContext): Promise<[holder: sqlite3.Database, other: sqlite3.Database]> {
  const file = temporaryFile(t);
  const [holder, other] = [await open(t, file), await open(t, file)];
  // Who waits looks at the lock now and then, and a commit has to wait for that.
  holder.configure('busyTimeout', 120_000);
  await value(holder, 'exec', 'create table t(v); begin immediate');
  return [holder, other];
}

describe('the busy timeout', () => {
  test('is one second unless configured', async (t) => {
    const [, other] = await locked(t);
    const start = performance.now();
    const error = await failure(other, 'run', 'insert into t values(1)');
    assertCode(error, 'SQLITE_BUSY', 5);
    assert.equal(error.message, 'SQLITE_BUSY: database is locked');
    const waited = performance.now() - start;
    assert.ok(waited >= 900, `it gave up after ${waited} ms`);
  });

  test('lets a writer wait for the lock while the event loop goes on', async (t) => {
    const [holder, other] = await locked(t);
    assert.equal(other.configure('busyTimeout', 120_000), other);
    const written = answer(other, 'run', 'insert into t values(1)');
    let turns = 0;
    await once('timers', (callback) => {
      const tick = setInterval(() => {
        turns += 1;
        if (turns === 20) {
          clearInterval(tick);
          callback();
        }
      }, 5);
    });
    await value(holder, 'exec', 'commit');
    assert.deepEqual((await written).args, [null]);
    assert.equal(await single(holder, 'select count(*) as v from t'), 1);
  });

  test('of 0 gives up at once', async (t) => {
    const [, other] = await locked(t);
    other.configure('busyTimeout', 0);
    assertCode(await failure(other, 'run', 'insert into t values(1)'), 'SQLITE_BUSY', 5);
  });

  test('holds for exec() and for prepared statements', async (t) => {
    const [holder, other] = await locked(t);
    other.configure('busyTimeout', 1);
    const statement = other.prepare('insert into t values(?)');
    assertCode(await failure(statement, 'run', 1), 'SQLITE_BUSY', 5);
    assertCode(await failure(other, 'exec', 'insert into t values(1)'), 'SQLITE_BUSY', 5);
    await value(holder, 'exec', 'commit');
    assert.deepEqual((await answer(statement, 'run', 1)).args, [null]);
    await answer(statement, 'finalize');
  });

  test('may be set by PRAGMA busy_timeout', async (t) => {
    const [holder, other] = await locked(t);
    other.configure('busyTimeout', 1);
    await value(other, 'exec', 'pragma busy_timeout = 120000');
    const written = answer(other, 'run', 'insert into t values(1)');
    // Long enough for the configured timeout to have passed.
    await once('timer', (callback) => setTimeout(callback, 300));
    await value(holder, 'exec', 'commit');
    assert.deepEqual((await written).args, [null]);
  });

  for (const method of ['exec', 'run', 'get', 'all', 'each']) {
    test(`is what PRAGMA busy_timeout of ${method}() says, and reads as such`, async (t) => {
      const [, other] = await locked(t);
      other.configure('busyTimeout', 120_000);
      assert.deepEqual(await value(other, 'get', 'pragma busy_timeout'), { timeout: 120_000 });
      await answer(other, method, 'pragma busy_timeout = 1');
      assert.deepEqual(await value(other, 'get', 'pragma busy_timeout'), { timeout: 1 });
      assertCode(await failure(other, 'run', 'insert into t values(1)'), 'SQLITE_BUSY', 5);
    });
  }

  test('may be configured before the database is open', async (t) => {
    const [, other] = await locked(t);
    const third = new sqlite3.Database(other.filename);
    third.configure('busyTimeout', 1);
    assertCode(await failure(third, 'run', 'insert into t values(1)'), 'SQLITE_BUSY', 5);
    await value(third, 'close');
  });

  test('does not help a read transaction that cannot become a write, which fails without waiting for ever', async (t) => {
    const file = temporaryFile(t);
    const [one, other] = [await open(t, file), await open(t, file)];
    await value(one, 'exec', 'pragma journal_mode = wal; create table t(v); insert into t values(1)');
    await value(other, 'exec', 'begin; select * from t');
    await value(one, 'run', 'insert into t values(2)');
    const error = await failure(other, 'run', 'insert into t values(3)');
    assertCode(error, 'SQLITE_BUSY', 5);
    assert.equal(error.extendedCode, 'SQLITE_BUSY_SNAPSHOT');
    await value(other, 'exec', 'rollback');
    assert.deepEqual((await answer(other, 'run', 'insert into t values(3)')).args, [null]);
  });
});

describe('limits', () => {
  test('hold from the next call on', async (t) => {
    const db = await open(t);
    assert.equal(await single(db, 'select ?3 as v', 1, 2, 3), 3);
    assert.equal(db.configure('limit', sqlite3.LIMIT_VARIABLE_NUMBER, 2), db);
    assertCode(await failure(db, 'get', 'select ?3 as v', 1, 2, 3), 'SQLITE_ERROR', 1);
    assert.equal(await single(db, 'select ?2 as v', 1, 2), 2);
  });

  test('may be set to 0 attached databases', async (t) => {
    const db = await open(t);
    db.configure('limit', sqlite3.LIMIT_ATTACHED, 0);
    const error = await failure(db, 'exec', `attach '${temporaryFile(t)}' as other`);
    assert.equal(error.message, 'SQLITE_ERROR: too many attached databases - max 0');
  });

  test('with an identifier that SQLite does not know change nothing', async (t) => {
    const db = await open(t);
    db.configure('limit', 99, 1);
    db.configure('limit', -1, 1);
    assert.equal(await single(db, 'select 1 as v'), 1);
  });

  test('of one database are not those of another', async (t) => {
    const [one, other] = [await open(t), await open(t)];
    one.configure('limit', sqlite3.LIMIT_LENGTH, 40);
    assert.equal(await single(other, 'select ? as v', 'x'.repeat(60)), 'x'.repeat(60));
    assertCode(await failure(one, 'get', 'select ? as v', 'x'.repeat(60)), 'SQLITE_TOOBIG', 18);
  });
});

describe('the next request', () => {
  test('runs while the callback before it runs', async (t) => {
    const db = await open(t);
    const marker = `${temporaryFolder(t)}/made-by-the-second-request`;
    let appeared = false;
    db.get('select 1', () => {
      // The event loop stands still here; only the thread of the database can make the file.
      const patience = Date.now() + 15_000;
      while (!appeared && Date.now() < patience) {
        appeared = existsSync(marker);
      }
    });
    await value(db, 'exec', `vacuum into '${marker}'`);
    assert.ok(appeared);
  });

  test('waits for the callback before it with eager off', async (t) => {
    const db = await open(t);
    const marker = `${temporaryFolder(t)}/made-by-the-second-request`;
    assert.equal(db.configure('eager', false), db);
    let appeared = false;
    let calls = 0;
    db.get('select 1', () => {
      calls += 1;
      const end = Date.now() + 500;
      while (Date.now() < end) {
        appeared ||= existsSync(marker);
      }
    });
    await value(db, 'exec', `vacuum into '${marker}'`);
    assert.equal(calls, 1);
    assert.equal(appeared, false);
    assert.ok(existsSync(marker));
  });

  test('waits for the complete callback and the last row callback with eager off', async (t) => {
    const db = await open(t);
    const marker = `${temporaryFolder(t)}/made-by-the-second-request`;
    db.configure('eager', false);
    const seen: boolean[] = [];
    const look = (): void => {
      const end = Date.now() + 200;
      while (Date.now() < end) {
        if (existsSync(marker)) {
          break;
        }
      }
      seen.push(existsSync(marker));
    };
    db.each('select 1 union all select 2', look, look);
    await value(db, 'exec', `vacuum into '${marker}'`);
    assert.deepEqual(seen, [false, false, false]);
  });

  test('keeps its order and its answers with eager off', async (t) => {
    const db = await open(t);
    db.configure('eager', false);
    const order: unknown[] = [];
    const statement = db.prepare('select ? as v', () => order.push('prepare'));
    db.run('create table t(v)', () => order.push('run'));
    statement.get(4, (_error: Error | null, row: unknown) => order.push(row));
    db.get('select nope', (error: Error | null) => order.push(error?.message));
    db.get('select 1', () => {
      order.push('outer');
      db.get('select 2', () => order.push('inner'));
    });
    statement.finalize(() => order.push('finalize'));
    await answer(db, 'wait');
    await answer(db, 'wait');
    assert.deepEqual(order, [
      'prepare',
      'run',
      { v: 4 },
      'SQLITE_ERROR: no such column: nope',
      'outer',
      'finalize',
      'inner',
    ]);
  });

  test('runs ahead again when eager is switched on', async (t) => {
    const db = await open(t);
    const marker = `${temporaryFolder(t)}/made-by-the-second-request`;
    db.configure('eager', false);
    await value(db, 'exec', 'select 1');
    db.configure('eager', true);
    let appeared = false;
    db.get('select 1', () => {
      const patience = Date.now() + 15_000;
      while (!appeared && Date.now() < patience) {
        appeared = existsSync(marker);
      }
    });
    await value(db, 'exec', `vacuum into '${marker}'`);
    assert.ok(appeared);
  });

  test('goes on with eager off when there is no callback', async (t) => {
    const db = await open(t);
    db.configure('eager', false);
    db.run('create table t(v)');
    db.run('insert into t values(1)');
    db.each('select v from t');
    assert.equal(await single(db, 'select v from t'), 1);
  });
});
