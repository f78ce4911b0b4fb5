// open() of the promise API: each option does what it says, and wrong ones are refused.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type OpenOptions, open as openDatabase } from 'sqlite-tandem/promises';
import { temporaryFile } from '../support/database.js';
import { failureOf, open, sqliteFailure } from './support.js';

describe('open', () => {
  test('creates a file, by name or URL', async (t) => {
    const file = temporaryFile(t);
    const db = await open(t, file);
    assert.equal(db.filename, file);
    assert.equal(db.isOpen, true);
    await db.exec('CREATE TABLE t (v)');
    const again = await openDatabase(pathToFileURL(file));
    t.after(() => again.close());
    assert.deepEqual(await again.all('SELECT * FROM t'), []);
  });

  test('leaves a missing file missing with create: false and with readOnly', async (t) => {
    const file = temporaryFile(t);
    await sqliteFailure(openDatabase(file, { create: false }), 'SQLITE_CANTOPEN');
    await sqliteFailure(openDatabase(file, { readOnly: true }), 'SQLITE_CANTOPEN');
    assert.equal(existsSync(file), false);
  });

  test('with readOnly lets nothing be written', async (t) => {
    const file = temporaryFile(t);
    await (await openDatabase(file, { pragmas: { user_version: 7 } })).close();
    const db = await open(t, file, { readOnly: true });
    assert.deepEqual(await db.get('PRAGMA user_version'), { user_version: 7 });
    await sqliteFailure(db.exec('CREATE TABLE t (v)'), 'SQLITE_READONLY');
  });

  test('with uri takes file: names for URIs', async (t) => {
    const db = await open(t, 'file:shared-by-name?mode=memory', { uri: true });
    assert.deepEqual(await db.get('SELECT 1 AS v'), { v: 1 });
    assert.equal(existsSync('shared-by-name'), false);
  });

  test('sets pragmas in their order, and quotes their values', async (t) => {
    const db = await open(t, temporaryFile(t), {
      pragmas: {
        journal_mode: 'wal',
        synchronous: 'normal',
        cache_size: -4000,
        'main.user_version': 3,
        recursive_triggers: true,
      },
    });
    const value = (name: string): Promise<unknown> => db.get(`PRAGMA ${name}`, [], { rowMode: 'value' });
    assert.equal(await value('journal_mode'), 'wal');
    assert.equal(await value('synchronous'), 1);
    assert.equal(await value('cache_size'), -4000);
    assert.equal(await value('user_version'), 3);
    assert.equal(await value('recursive_triggers'), 1);
  });

  test('fails when a pragma fails, and leaves nothing open', async (t) => {
    const file = temporaryFile(t);
    await sqliteFailure(openDatabase(file, { pragmas: { 'nowhere.user_version': 1 } }), 'SQLITE_ERROR');
  });

  test('enforces foreign keys unless said otherwise', async (t) => {
    const value = async (options: OpenOptions): Promise<unknown> =>
      (await open(t, ':memory:', options)).get('PRAGMA foreign_keys', [], { rowMode: 'value' });
    assert.equal(await value({}), 1);
    assert.equal(await value({ foreignKeys: false }), 0);
  });

  test('sets the busy timeout, limits and the high-water mark', async (t) => {
    const db = await open(t, ':memory:', {
      busyTimeout: 123,
      limits: { sqlLength: 1000, column: 5 },
      highWaterMark: 1000,
    });
    assert.deepEqual(await db.get('PRAGMA busy_timeout'), { timeout: 123 });
    await sqliteFailure(db.get('SELECT 1, 2, 3, 4, 5, 6'), 'SQLITE_ERROR');
    await sqliteFailure(db.get(`SELECT '${'x'.repeat(2000)}'`), 'SQLITE_TOOBIG');
    const other = await open(t);
    assert.deepEqual(await other.get('PRAGMA busy_timeout'), { timeout: 5000 });
  });

  test('takes a file for hostile that is untrusted, also where a pragma or a limit says otherwise', async (t) => {
    const file = temporaryFile(t);
    const author = await open(t, file);
    await author.exec("CREATE TABLE t (v); CREATE VIEW w AS SELECT rtreedepth(x'0005') AS v");
    assert.deepEqual(await author.get('SELECT * FROM w'), { v: 5 });
    const db = await open(t, file, {
      untrusted: true,
      pragmas: { writable_schema: true },
      limits: { length: 2 ** 30 },
    });
    assert.match((await sqliteFailure(db.get('SELECT * FROM w'), 'SQLITE_ERROR')).message, /unsafe use/);
    assert.match((await sqliteFailure(db.exec('DELETE FROM sqlite_schema'), 'SQLITE_ERROR')).message, /may not be/);
    const again = await open(t, file, { untrusted: false });
    assert.deepEqual(await again.get('SELECT * FROM w'), { v: 5 });
    assert.ok((await failureOf(openDatabase(file, { untrusted: 1 as never }))) instanceof TypeError);
    await sqliteFailure(openDatabase(temporaryFile(t, 'no/folder.db'), { untrusted: true }), 'SQLITE_CANTOPEN');
  });

  test('rejects what is no database', async (t) => {
    await sqliteFailure(openDatabase(temporaryFile(t, 'no/such/folder.db')), 'SQLITE_CANTOPEN');
    await sqliteFailure(openDatabase('a\0b'), 'SQLITE_CANTOPEN');
    for (const file of [undefined, null, 1, {}]) {
      assert.ok((await failureOf(Reflect.apply(openDatabase, undefined, [file]))) instanceof TypeError);
    }
  });

  test('refuses wrong options', async () => {
    const wrong: readonly Record<string, unknown>[] = [
      { readonly: true },
      { readOnly: 1 },
      { create: 'yes' },
      { uri: null },
      { busyTimeout: -1 },
      { busyTimeout: 2 ** 31 },
      { foreignKeys: 1 },
      { integers: 'text' },
      { types: { A: 1 } },
      { statementCacheSize: 1.5 },
      { statementCacheSize: 1025 },
      { highWaterMark: -1 },
      { limits: { columns: 1 } },
      { limits: { column: 'x' } },
      { limits: 1 },
      { pragmas: { 'a; DROP TABLE b': 1 } },
      { pragmas: { user_version: {} } },
      { pragmas: { user_version: Number.NaN } },
      { pragmas: 'x' },
      { pragmas: ['WAL'] },
      { limits: new Date() },
      { types: new Map() },
      { signal: 1 },
    ];
    for (const options of wrong) {
      const error = await failureOf(openDatabase(':memory:', options as object));
      assert.ok(error instanceof TypeError, JSON.stringify(options));
      assert.match(error.message, new RegExp(`option ${Object.keys(options)[0]}`), JSON.stringify(options));
    }
    assert.ok((await failureOf(openDatabase(':memory:', { readOnly: true, create: true }))) instanceof TypeError);
    for (const options of [null, [], new Date(), new Map(), Buffer.alloc(1), () => {}]) {
      const error = await failureOf(Reflect.apply(openDatabase, undefined, [':memory:', options]));
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /options must be an object/);
    }
  });

  test('statementCacheSize says how many statements are kept', async () => {
    for (const [statementCacheSize, hits] of [
      [0, 0],
      [10, 2],
    ] as const) {
      const db = await openDatabase(':memory:', { statementCacheSize });
      for (let times = 0; times < 4; times++) await db.get('SELECT ? AS v', [times]);
      assert.equal(db.stats().statementCacheHits, hits);
      await db.close();
    }
  });
});

describe('stats', () => {
  test('tell what the thread has done', async (t) => {
    const db = await open(t);
    const { sqliteBusyTime, queueLength, undeliveredBytes } = db.stats();
    assert.ok(sqliteBusyTime > 0);
    assert.equal(queueLength, 0);
    assert.equal(undeliveredBytes, 0);
    const call = db.get('SELECT 1');
    assert.ok(db.stats().queueLength > 0);
    await call;
  });
});
