// A message box with the promise wrapper `sqlite`: every method it has, with plain and with cached databases.
//
// Holds: new driver(file, mode, callback); spread parameters with the callback last; this.lastID, this.changes; each with
// two callbacks; prepare(sql, ...parameters, callback); bind, reset and finalize of statements; on('trace'); configure.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { open } from 'sqlite';
import { called, temporaryFolder, testLoads } from './support.mjs';

const sqlite3 = createRequire(import.meta.url)('sqlite3');

testLoads('sqlite');

describe('sqlite', () => {
  let db;
  before(async () => {
    db = await open({ filename: ':memory:', driver: sqlite3.Database });
    await db.exec('CREATE TABLE message (id INTEGER PRIMARY KEY, sender TEXT NOT NULL, text TEXT, size REAL)');
  });
  after(() => db.close());

  test('runs statements with parameters in each form', async () => {
    const insert = 'INSERT INTO message (sender, text) VALUES';
    assert.deepEqual(lastOf(await db.run(`${insert} (?, ?)`, 'ann', 'one')), { lastID: 1, changes: 1 });
    assert.deepEqual(lastOf(await db.run(`${insert} (?, ?)`, ['bob', 'two'])), { lastID: 2, changes: 1 });
    const named = await db.run(`${insert} ($from, :text)`, { $from: 'cat', ':text': 'three' });
    assert.deepEqual(lastOf(named), { lastID: 3, changes: 1 });
    const { lastID, changes } = await db.run('UPDATE message SET size = length(text)');
    assert.deepEqual({ lastID, changes }, { lastID: 3, changes: 3 });
    assert.deepEqual(await db.get({ sql: 'SELECT text FROM message WHERE sender = ?', values: ['bob'] }), {
      text: 'two',
    });
  });

  test('gets one row, no row, all rows', async () => {
    assert.deepEqual(await db.get('SELECT * FROM message WHERE id = ?', 2), {
      id: 2,
      sender: 'bob',
      text: 'two',
      size: 3,
    });
    assert.equal(await db.get('SELECT * FROM message WHERE id = 99'), undefined);
    assert.deepEqual(await db.all('SELECT * FROM message WHERE id = 99'), []);
    const rows = await db.all('SELECT id FROM message WHERE id IN (?, ?) ORDER BY id', [1, 3]);
    assert.deepEqual(rows, [{ id: 1 }, { id: 3 }]);
  });

  test('hands out rows one by one and counts them', async () => {
    const senders = [];
    const count = await db.each('SELECT sender FROM message WHERE id < ? ORDER BY id', [3], (error, row) => {
      assert.equal(error, null);
      senders.push(row.sender);
    });
    assert.equal(count, 2);
    assert.deepEqual(senders, ['ann', 'bob']);
    await assert.rejects(
      db.each('SELECT missing FROM message', () => assert.fail('there is no row')),
      /SQLITE_ERROR: no such column: missing/,
    );
  });

  test('prepares, binds, steps, resets and finalizes', async () => {
    const statement = await db.prepare('SELECT id FROM message WHERE id >= ? ORDER BY id', 2);
    assert.deepEqual(
      [await statement.get(), await statement.get(), await statement.get()],
      [{ id: 2 }, { id: 3 }, undefined],
    );
    await statement.reset();
    assert.deepEqual(await statement.get(), { id: 2 });
    await statement.bind(3);
    assert.deepEqual(await statement.all(), [{ id: 3 }]);
    const seen = [];
    assert.equal(await statement.each(1, (error, row) => seen.push(error ?? row.id)), 3);
    assert.deepEqual(seen, [1, 2, 3]);
    await statement.finalize();
    await assert.rejects(statement.get(), /SQLITE_MISUSE: Statement is already finalized/);

    const insert = await db.prepare('INSERT INTO message (sender, text) VALUES ($from, $text)');
    for (let n = 0; n < 20; n += 1) await insert.run({ $from: 'dan', $text: `text ${n}` });
    const last = await insert.run({ $from: 'eve', $text: null });
    assert.deepEqual(lastOf(last), { lastID: 24, changes: 1 });
    await insert.finalize();
    assert.equal((await db.get('SELECT count(*) AS n FROM message WHERE text IS NULL')).n, 1);
  });

  test('commits and rolls back', async () => {
    await db.run('BEGIN');
    await db.run('DELETE FROM message WHERE sender = ?', 'dan');
    assert.equal((await db.get('SELECT count(*) AS n FROM message')).n, 4);
    await db.run('ROLLBACK');
    assert.equal((await db.get('SELECT count(*) AS n FROM message')).n, 24);
  });

  test('rejects errors with the code and number of SQLite, and goes on', async () => {
    await assert.rejects(db.run('INSERT INTO message (sender) VALUES (?)', null), (error) => {
      assert.ok(error instanceof Error);
      assert.deepEqual([error.code, error.errno], ['SQLITE_CONSTRAINT', 19]);
      assert.equal(error.message, 'SQLITE_CONSTRAINT: NOT NULL constraint failed: message.sender');
      return true;
    });
    await assert.rejects(db.prepare('SELEC 1'), /SQLITE_ERROR: near "SELEC": syntax error/);
    await assert.rejects(
      db.exec("INSERT INTO message (sender) VALUES ('exec'); BROKEN"),
      /near "BROKEN": syntax error/,
    );
    assert.equal((await db.get("SELECT count(*) AS n FROM message WHERE sender = 'exec'")).n, 1);
    await assert.rejects(db.loadExtension('/nowhere/extension'), { code: 'SQLITE_ERROR' });
    await assert.rejects(db.get('SELECT ?', 1, 2), { code: 'SQLITE_RANGE', errno: 25 });
  });

  test('passes on trace events and settings', async () => {
    const traced = [];
    db.on('trace', (sql) => traced.push(sql));
    db.configure('busyTimeout', 50);
    await db.get('SELECT ? AS word', 'hello');
    assert.deepEqual(traced, ["SELECT 'hello' AS word"]);
    assert.ok(db.getDatabaseInstance() instanceof sqlite3.Database);
    db.getDatabaseInstance().removeAllListeners('trace');
  });
});

test('migrations of the wrapper go up, down and up again', async (t) => {
  const folder = temporaryFolder(t);
  const migrationsPath = join(folder, 'migrations');
  mkdirSync(migrationsPath);
  const up = "CREATE TABLE tag (name TEXT);\nINSERT INTO tag VALUES ('a;b');";
  writeFileSync(join(migrationsPath, '001-tags.sql'), `-- Up\n${up}\n-- Down\nDROP TABLE tag;\n`);
  const db = await open({ filename: join(folder, 'box.sqlite'), driver: sqlite3.Database });
  await db.migrate({ migrationsPath });
  await db.migrate({ migrationsPath });
  assert.deepEqual(await db.all('SELECT name FROM tag'), [{ name: 'a;b' }]);
  await db.migrate({ migrationsPath, force: true });
  assert.deepEqual(await db.all('SELECT name FROM tag'), [{ name: 'a;b' }]);
  await db.close();
});

test('a cached database is one object for two openers, and gone when it is closed', async (t) => {
  const filename = join(temporaryFolder(t), 'box.sqlite');
  const options = { filename, driver: sqlite3.cached.Database };
  const [one, two] = await Promise.all([open(options), open(options)]);
  assert.equal(one.getDatabaseInstance(), two.getDatabaseInstance());
  await one.exec('CREATE TABLE t (v)');
  assert.deepEqual(await two.all('SELECT * FROM t'), []);
  await one.close();
});

test('opening fails where it must', async (t) => {
  const filename = join(temporaryFolder(t), 'missing.sqlite');
  await assert.rejects(open({ filename, mode: sqlite3.OPEN_READONLY, driver: sqlite3.Database }), {
    code: 'SQLITE_CANTOPEN',
    message: 'SQLITE_CANTOPEN: unable to open database file',
  });
  await assert.rejects(open({ filename: null, driver: sqlite3.Database }), /filename cannot be null/);
});

test('close reports open statements and succeeds when they are finalized', async () => {
  const db = await open({ filename: ':memory:', driver: sqlite3.Database });
  const statement = await db.prepare('SELECT 1 AS one');
  await assert.rejects(db.close(), { code: 'SQLITE_BUSY', errno: 5 });
  assert.deepEqual(await statement.get(), { one: 1 });
  await statement.finalize();
  await db.close();
  await assert.rejects(db.get('SELECT 1'), /SQLITE_MISUSE: Database is closed/);
  await assert.rejects(
    called((done) => db.getDatabaseInstance().run('SELECT 1', done)),
    { code: 'SQLITE_MISUSE', errno: 21 },
  );
});

const lastOf = ({ lastID, changes }) => ({ lastID, changes });
