// The cache of statements behind calls with SQL text: it saves preparing, and nobody can tell otherwise.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type sqlite3 from 'sqlite-tandem';
import { type Answer, answer, asError, each, failure, once, rows, send, single, value } from '../support/calls.js';
import { open, temporaryFile } from '../support/database.js';

const hitsOf = (db: sqlite3.Database): number => db.stats().statementCacheHits;

/** What a callback got, with what it shows of its statement, in a form that can be compared. */
function seen({ self, args }: Answer): unknown {
  const [error, ...rest] = args;
  const statement = self as { sql?: string; lastID?: number; changes?: number } | undefined;
  const told = error instanceof Error ? { ...asError(error), message: error.message } : error;
  return [statement?.constructor.name, statement?.sql, statement?.lastID, statement?.changes, told, ...rest];
}

/** A row of a script: method and arguments. */
type Step = readonly [method: string, ...args: unknown[]];

/** Runs the script on a new database; each step of it is called three times, so that the cache has what it needs. */
async function play(db: sqlite3.Database, script: readonly Step[]): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const [method, ...args] of script) {
    for (let times = 0; times < 3; times += 1) {
      if (method === 'each') {
        const { rows: got, rowErrors, complete } = await each(db, ...args);
        all.push(got, rowErrors.map(String), seen(complete));
      } else {
        all.push(seen(await answer(db, method, ...args)));
      }
    }
  }
  return all;
}

const scripts: Readonly<Record<string, readonly Step[]>> = {
  'values and parameters': [
    ['exec', 'create table if not exists t(id integer primary key, a)'],
    ['run', 'insert into t(a) values(?)', 'x'],
    ['run', 'insert into t(a) values($a)', { $a: Buffer.from('blob') }],
    ['run', 'insert into t(a) values(?)'],
    ['get', 'select a from t where id = ?', 1],
    ['get', 'select a from t where id = ?'],
    ['all', 'select * from t order by id'],
    ['each', 'select a from t order by id desc'],
    ['map', 'select id, a from t order by id'],
    ['run', 'delete from t where id > ?', 3],
  ],
  'a schema that changes': [
    ['exec', 'create table if not exists t(a)'],
    ['run', 'insert into t values(?)', 1],
    ['all', 'select * from t'],
    ['exec', 'drop table if exists u; alter table t rename to u; create table t(b, c default 5, d)'],
    ['run', 'insert into t values(?)', 1],
    ['all', 'select * from t'],
    ['get', 'select a from t'],
    ['exec', 'drop table if exists t'],
    ['all', 'select * from t'],
    ['get', 'select * from t'],
    ['each', 'select * from t'],
    ['run', 'insert into t values(?)', 1],
  ],
  'errors of the execution': [
    ['exec', 'create table if not exists t(a unique, b check(b > 0))'],
    ['run', 'insert into t values(?, ?)', 1, 1],
    ['run', 'insert into t values(?, ?)', 2, -1],
    ['get', 'select abs(?)', -9223372036854775808n],
    ['all', "select json_extract('[', '$')"],
    ['get', 'select ?', 1, 2],
    ['get', 'select $a', { $b: 1 }],
  ],
  'texts that are not one statement': [
    ['get', ''],
    ['get', '-- nothing'],
    ['get', 'select 1; select 2'],
    ['get', 'select 3 -- and a comment'],
    ['get', ' \n select 4;'],
    ['get', 'selec 1'],
    ['run', 'select 1 from missing'],
  ],
  'pragmas, which SQLite partly executes while it prepares them': [
    ['exec', 'create table if not exists t(a)'],
    ['run', 'pragma user_version = 3'],
    ['get', 'pragma user_version'],
    ['run', 'pragma case_sensitive_like = on'],
    ['get', "select 'a' like 'A' as v"],
    ['run', 'pragma case_sensitive_like = off'],
    ['get', "select 'a' like 'A' as v"],
    ['get', 'pragma busy_timeout = 77'],
    ['get', 'pragma busy_timeout'],
    ['get', 'select timeout from pragma_busy_timeout'],
  ],
  'attached databases and temporary tables': [
    ['run', "attach ':memory:' as other"],
    ['run', 'create table if not exists other.t(a)'],
    ['run', 'insert into t values(?)', 1],
    ['get', 'select count(*) as v from t'],
    ['run', 'create temp table if not exists t(a)'],
    ['run', 'insert into t values(?)', 2],
    ['get', 'select count(*) as v from t'],
    ['run', 'detach other'],
    ['get', 'select count(*) as v from other.t'],
  ],
};

describe('with the cache of statements, a program sees what it sees without', () => {
  for (const [name, script] of Object.entries(scripts)) {
    test(name, async (t) => {
      const [cached, plain] = [await open(t), await open(t)];
      plain.configure('statementCacheSize', 0);
      assert.deepEqual(await play(cached, script), await play(plain, script));
      assert.equal(plain.stats().statementCacheHits, 0);
    });
  }

  test('the events trace and profile', async (t) => {
    const logs: string[][] = [];
    for (const size of [64, 0]) {
      const db = await open(t);
      db.configure('statementCacheSize', size);
      const log: string[] = [];
      db.on('trace', (sql) => log.push(`trace ${sql}`));
      db.on('profile', (sql) => log.push(`profile ${sql}`));
      for (let i = 0; i < 5; i += 1) await rows(db, 'select ? as v union all select 2', i);
      for (let i = 0; i < 5; i += 1) await single(db, 'select ? as v union all select 2', i);
      logs.push(log);
    }
    assert.deepEqual(logs[0], logs[1]);
    assert.equal(logs[0]?.length, 20);
  });

  test('calls that are made while another one reads its parameters', async (t) => {
    const db = await open(t);
    const sql = 'select $a as v';
    for (let i = 0; i < 3; i += 1) await single(db, sql, { $a: i });
    const got: unknown[] = [];
    const ask = (parameters: object): unknown =>
      db.get(sql, parameters, (_error: unknown, row: unknown) => got.push(row));
    ask({
      get $a(): string {
        ask({ $a: 'inner' });
        return 'outer';
      },
    });
    await answer(db, 'wait');
    assert.deepEqual(got, [{ v: 'inner' }, { v: 'outer' }]);
  });
});

describe('a cached statement', () => {
  const sql = 'select a from t where a = ?';

  test('is found from the third call on', async (t) => {
    const db = await open(t);
    const found: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      await single(db, 'select ? as v', i);
      found.push(hitsOf(db));
    }
    assert.deepEqual(found, [0, 0, 1, 2, 3]);
    assert.equal(db.stats().statementCacheMisses, 2);
  });

  test('is not in the way of close(), also when that fails first', async (t) => {
    const db = await open(t);
    for (let i = 0; i < 5; i += 1) await single(db, 'select ? as v', i);
    const statement = db.prepare('select 1');
    assert.equal((await failure(db, 'close')).code, 'SQLITE_BUSY');
    for (let i = 0; i < 5; i += 1) await single(db, 'select ? as v', i);
    await answer(statement, 'finalize');
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('holds no lock', async (t) => {
    const file = temporaryFile(t);
    const [db, other] = [await open(t, file), await open(t, file)];
    await value(db, 'exec', 'create table t(a); insert into t values(1), (1)');
    for (let i = 0; i < 5; i += 1) {
      await value(db, 'get', sql, 1);
      await value(db, 'all', sql, 1);
      assert.equal(await value(other, 'exec', 'begin exclusive; rollback; vacuum; drop table if exists u'), undefined);
    }
    assert.ok(hitsOf(db) > 0);
  });

  test('follows a schema that another connection changes', async (t) => {
    const file = temporaryFile(t);
    const [db, other] = [await open(t, file), await open(t, file)];
    await value(db, 'exec', 'create table t(a); insert into t values(1)');
    for (let i = 0; i < 4; i += 1) assert.deepEqual(await rows(db, 'select * from t'), [{ a: 1 }]);
    await value(other, 'exec', 'alter table t add column b default 2');
    assert.deepEqual(await rows(db, 'select * from t'), [{ a: 1, b: 2 }]);
    await value(other, 'exec', 'drop table t');
    const { self, args } = await answer(db, 'all', 'select * from t');
    assert.equal(self, undefined, 'as of every statement that could not be prepared');
    assert.equal(asError(args[0]).message, 'SQLITE_ERROR: no such table: t');
    await value(other, 'exec', 'create table t(c); insert into t values(3)');
    for (let i = 0; i < 4; i += 1) assert.deepEqual(await rows(db, 'select * from t'), [{ c: 3 }]);
  });

  test('is forgotten when a limit is set', async (t) => {
    const db = await open(t);
    const list = 'select 1, 2, 3, 4, 5';
    for (let i = 0; i < 4; i += 1) await rows(db, list);
    db.configure('limit', 2, 4);
    assert.match((await failure(db, 'all', list)).message, /too many columns/);
  });

  test('is one of at most statementCacheSize', async (t) => {
    const db = await open(t);
    db.configure('statementCacheSize', 2);
    const ask = async (...numbers: readonly number[]): Promise<number> => {
      const before = hitsOf(db);
      for (const number of numbers) await single(db, `select ${number} as v`);
      return hitsOf(db) - before;
    };
    await ask(1, 1, 2, 2);
    assert.equal(await ask(1, 2), 2);
    await ask(3, 3);
    assert.equal(await ask(2, 3), 2, 'the one that was used longest ago had to go');
    assert.equal(await ask(1), 0);
  });

  test('of a database that is interrupted, restored into or recreated works on', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a); insert into t values(1)');
    for (let i = 0; i < 4; i += 1) await single(db, 'select a as v from t');
    const file = temporaryFile(t);
    const other = await open(t, file);
    await value(other, 'exec', 'create table t(a, b); insert into t values(7, 8)');
    const backup = db.backup(file, 'main', 'main', false);
    await once('step', (callback) => backup.step(-1, callback));
    await once('finish', (callback) => backup.finish(callback));
    for (let i = 0; i < 4; i += 1) assert.equal(await single(db, 'select a as v from t'), 7);
  });
});

test('statementCacheSize must be an integer from 0 to 1024', async (t) => {
  const db = await open(t);
  for (const wrong of [-1, 1025, 1.5, Number.NaN, '64', null, undefined, {}, 2 ** 32]) {
    assert.throws(() => send(db, 'configure', 'statementCacheSize', wrong), {
      name: 'TypeError',
      message: 'statementCacheSize must be an integer from 0 to 1024',
    });
  }
  for (const right of [0, 1, 1024]) assert.equal(db.configure('statementCacheSize', right as 0), db);
});
