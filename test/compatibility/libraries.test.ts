// What smaller libraries rely on: the wrapper `sqlite`, connect-sqlite3, keyv, Node-RED, mbtiles, and db0 by the name.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, asError, assertCode, event, failure, once, row, rows, send, single, value } from '../support/calls.js';
import { open, temporaryFile, temporaryFolder } from '../support/database.js';

describe('sqlite (the wrapper):', () => {
  test('the mode is always passed, the callback comes third', async () => {
    for (const mode of [sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE, undefined, null]) {
      const { self, args } = await once(`mode ${mode}`, (callback) => {
        Reflect.construct(sqlite3.Database, [':memory:', mode, callback]);
      });
      assert.deepEqual(args, [null]);
      assert.ok(self instanceof sqlite3.Database);
      await value(self, 'close');
    }
  });

  test('every method takes parameters spread, and the callback last', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a, b)');
    const { self } = await answer(db, 'run', 'insert into t values(?, ?)', 1, 'x');
    const { lastID, changes } = self as sqlite3.RunResult;
    assert.deepEqual([lastID, changes], [1, 1]);
    assert.deepEqual(await row(db, 'select * from t where a = ? and b = ?', 1, 'x'), { a: 1, b: 'x' });
    assert.deepEqual(await rows(db, 'select a from t where a = ? or b = ?', 1, 'y'), [{ a: 1 }]);
    assert.deepEqual((await answer(db, 'each', 'select ?, ?', 1, 2, () => undefined)).args, [null, 1]);
    const statement = db.prepare('select ? as a, ? as b', 1, 2);
    assert.deepEqual(await row(statement), { a: 1, b: 2 });
    await answer(statement, 'finalize');
  });

  test('each() tells complete of an error', async (t) => {
    const db = await open(t);
    const sql = "select json_extract(value, '$') as v from json_each('[1, 2]') union all select json('{')";
    const { args } = await answer(db, 'each', sql, () => undefined);
    assertCode(asError(args[0]), 'SQLITE_ERROR', 1);
  });

  test('a statement has bind, reset, finalize, run, get, all and each, whose callbacks say undefined or null', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? as v');
    for (const [method, args] of [
      ['bind', [1]],
      ['reset', []],
      ['run', [1]],
      ['get', [1]],
      ['all', [1]],
    ] as const) {
      assert.equal((await answer(statement, method, ...args)).args[0], null, method);
    }
    assert.deepEqual((await answer(statement, 'each', 1, () => undefined)).args, [null, 1]);
    assert.equal((await answer(statement, 'finalize')).args[0], undefined);
  });

  test('on(), configure() and loadExtension() are passed through', async (t) => {
    const db = await open(t);
    const traced: unknown[] = [];
    assert.equal(
      db.on('trace', (sql) => traced.push(sql)),
      db,
    );
    assert.equal(db.configure('busyTimeout', 1), db);
    await value(db, 'run', 'select 1');
    assert.deepEqual(traced, ['select 1']);
    assertCode(await failure(db, 'loadExtension', path.join(temporaryFolder(t), 'missing')), 'SQLITE_ERROR', 1);
  });
});

describe('connect-sqlite3:', () => {
  test('the mode may be undefined without a callback', async () => {
    const db: unknown = Reflect.construct(sqlite3.Database, [':memory:', undefined]);
    assert.ok(db instanceof sqlite3.Database);
    assert.equal(db.mode, 65542);
    await value(db, 'close');
  });

  test('exec() takes several statements, and run() no callback or undefined in its place', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'pragma synchronous = off; create table if not exists s(sid primary key, expired, sess)');
    db.run('insert into s values(?, ?, ?)', ['a', 1, '{}']);
    send(db, 'run', 'insert into s values(?, ?, ?)', ['b', 2, '{}'], undefined);
    assert.deepEqual(await rows(db, 'select sid from s order by sid'), [{ sid: 'a' }, { sid: 'b' }]);
  });

  test('times in a column without a type compare, those that node-sqlite3 stored as REAL too', async (t) => {
    const db = await open(t);
    const now = 1_700_000_000_000;
    await value(db, 'exec', 'create table s(sid primary key, expired)');
    await value(db, 'run', `insert into s values('old', ${now - 1}.0), ('kept', ${now + 1}.0)`);
    await value(db, 'run', 'insert into s values(?, ?), (?, ?)', ['late', now - 1, 'new', now + 1]);
    assert.deepEqual(await row(db, "select expired from s where sid = 'kept'"), { expired: now + 1 });
    await value(db, 'run', 'delete from s where ? > expired', [now]);
    assert.deepEqual(await rows(db, 'select sid from s order by sid'), [{ sid: 'kept' }, { sid: 'new' }]);
  });
});

describe('keyv:', () => {
  test('configure() and exec() without a callback may follow the constructor at once', async () => {
    const opened = once('open', (callback) => {
      const db = new sqlite3.Database(':memory:', callback);
      db.configure('busyTimeout', 5000);
      db.exec('PRAGMA user_version = 7');
    });
    const { self } = await opened;
    assert.ok(self instanceof sqlite3.Database);
    assert.deepEqual(await rows(self, 'pragma user_version', []), [{ user_version: 7 }]);
    assert.deepEqual(await rows(self, 'pragma busy_timeout'), [{ timeout: 5000 }]);
    assert.deepEqual((await answer(self, 'close')).args, [null]);
  });
});

describe('node-red:', () => {
  test("'open' and 'error' are events when the constructor has no callback", async (t) => {
    const db: unknown = Reflect.construct(sqlite3.Database, [':memory:', undefined]);
    assert.ok(db instanceof sqlite3.Database);
    assert.deepEqual((await event(db, 'open')).args, []);
    assert.equal(Reflect.apply(db.close, db, [undefined]), db);
    const failing = new sqlite3.Database(path.join(temporaryFolder(t), 'none', 'x.db'));
    const { self, args } = await event(failing, 'error');
    assert.equal(self, failing);
    assertCode(asError(args[0]), 'SQLITE_CANTOPEN', 14);
  });

  test('all() takes an array or an object, whichever the message holds', async (t) => {
    const db = await open(t);
    assert.deepEqual(await rows(db, 'select $a as v', [1]), [{ v: 1 }]);
    assert.deepEqual(await rows(db, 'select $a as v', { $a: 1 }), [{ v: 1 }]);
  });

  test('loadExtension() calls back with the error', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'loadExtension', path.join(temporaryFolder(t), 'missing.so'));
    assertCode(error, 'SQLITE_ERROR', 1);
  });
});

describe('mbtiles:', () => {
  test('values are spread, Buffers are blobs', async (t) => {
    const db = await open(t);
    await value(db, 'run', 'create table images(tile_data blob, tile_id text)');
    await value(db, 'run', 'insert into images values(?, ?)', Buffer.from([0, 255]), 'id');
    const got = await row(db, 'select * from images where tile_id = ?', 'id');
    assert.deepEqual(got, { tile_data: Buffer.from([0, 255]), tile_id: 'id' });
    assert.ok(Buffer.isBuffer(got['tile_data']));
  });

  test('the callback of finalize() comes when all runs of the statement are done', async (t) => {
    const db = await open(t);
    await value(db, 'run', 'create table t(v)');
    let answered = 0;
    const { args } = await once('finalize', (callback) => {
      db.serialize(() => {
        db.run('begin');
        const statement = db.prepare('insert into t values(?)');
        for (let i = 0; i < 100; i++) statement.run(i, () => (answered += 1));
        statement.finalize(callback);
      });
    });
    assert.deepEqual(args, []);
    assert.equal(answered, 100);
    db.run('commit');
    assert.equal(await single(db, 'select count(*) as v from t'), 100);
  });
});

describe('db0 and nuxt/content:', () => {
  test('the package works under the name sqlite3, deep paths included', async (t) => {
    const folder = temporaryFolder(t);
    const modules = path.join(folder, 'node_modules');
    mkdirSync(modules);
    symlinkSync(
      path.dirname(path.dirname(require.resolve('sqlite-tandem'))),
      path.join(modules, 'sqlite3'),
      'junction',
    );
    const load = createRequire(path.join(folder, 'program.js'));
    assert.equal(load('sqlite3'), sqlite3);
    assert.equal(load('sqlite3/lib/sqlite3.js'), sqlite3);
    assert.equal(typeof load('sqlite3/lib/trace.js').extendTrace, 'function');
    const { main, scripts, dependencies, engines } = load('sqlite3/package.json');
    assert.equal(main, './lib/index.js');
    assert.equal(engines.node, '>=20.17');
    // Nothing is compiled or fetched when it is installed, and nothing else is installed with it.
    assert.deepEqual([scripts.install, scripts.postinstall, dependencies], [undefined, undefined, undefined]);
  });

  test('a file that was written is read by the next connection', async (t) => {
    const file = temporaryFile(t);
    const first = await open(t, file);
    await value(first, 'exec', "create table _cache(key primary key, value); insert into _cache values('a', 'b')");
    await value(first, 'close');
    assert.deepEqual(await row(await open(t, file), 'select value from _cache where key = ?', 'a'), { value: 'b' });
  });
});
