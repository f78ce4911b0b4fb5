// A cache with Keyv on @keyv/sqlite: values, expiry, namespaces, iteration, and what happens without a database.
//
// Holds: import sqlite3 from an ES module; new Database(file, callback); configure('busyTimeout', n); all() and close()
// as promisify() sees them, with a single parameter, with an array, with none; a writing statement through all().
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import KeyvSqlite from '@keyv/sqlite';
import Keyv from 'keyv';
import { called, temporaryFolder, testLoads } from './support.mjs';

const sqlite3 = createRequire(import.meta.url)('sqlite3');

testLoads('@keyv/sqlite');

test('keyv keeps values of every kind in a file', async (t) => {
  const uri = `sqlite://${join(temporaryFolder(t), 'cache.sqlite')}`;
  const first = new Keyv(new KeyvSqlite({ uri, busyTimeout: 5000 }));
  const values = {
    text: 'grüße 🐟',
    number: 1.5,
    no: false,
    nothing: null,
    list: [1, { deep: [] }],
    long: 'x'.repeat(1e6),
  };
  for (const [key, value] of Object.entries(values)) assert.equal(await first.set(key, value), true);
  await first.disconnect();

  const second = new Keyv(new KeyvSqlite(uri));
  for (const [key, value] of Object.entries(values)) assert.deepEqual(await second.get(key), value, key);
  assert.deepEqual(await second.get(['number', 'absent', 'text']), [1.5, undefined, 'grüße 🐟']);
  assert.equal(await second.get('absent'), undefined);
  await second.disconnect();
});

test('keyv replaces, deletes, clears and knows what it has', async () => {
  const cache = new Keyv({ store: new KeyvSqlite('sqlite://:memory:') });
  await cache.set('a', 1);
  await cache.set('a', 2);
  await cache.set('b', 3);
  assert.equal(await cache.get('a'), 2);
  assert.equal(await cache.has('a'), true);
  assert.equal(await cache.delete('a'), true);
  assert.equal(await cache.delete('a'), false);
  assert.equal(await cache.has('a'), false);
  await cache.set('c', 4);
  assert.equal(await cache.delete(['b', 'c']), true);
  await cache.set('d', 5);
  await cache.clear();
  assert.equal(await cache.get('d'), undefined);
  await cache.disconnect();
});

test('keyv forgets what has expired', async (t) => {
  let now = 1_000_000;
  t.mock.method(Date, 'now', () => now);
  const cache = new Keyv({ store: new KeyvSqlite('sqlite://:memory:') });
  await cache.set('short', 'lived', 1000);
  assert.equal(await cache.get('short'), 'lived');
  now += 1001;
  assert.equal(await cache.get('short'), undefined);
  await cache.disconnect();
});

test('namespaces in one table do not see each other, and iteration pages through one of them', async (t) => {
  const uri = `sqlite://${join(temporaryFolder(t), 'cache.sqlite')}`;
  const one = new Keyv({ store: new KeyvSqlite({ uri, iterationLimit: 7 }), namespace: 'one' });
  const two = new Keyv({ store: new KeyvSqlite({ uri }), namespace: 'two' });
  await Promise.all(Array.from({ length: 30 }, (_, n) => one.set(`key ${n}`, n)));
  await two.set('key 0', 'other');

  const found = new Map();
  for await (const [key, value] of one.iterator('one')) found.set(key, value);
  assert.equal(found.size, 30);
  assert.equal(found.get('key 29'), 29);
  await one.clear();
  assert.equal(await one.get('key 0'), undefined);
  assert.equal(await two.get('key 0'), 'other');
  await one.disconnect();
  await two.disconnect();
});

test('keyv waits for the lock of another connection as long as its busyTimeout says', async (t) => {
  const file = join(temporaryFolder(t), 'cache.sqlite');
  const store = new KeyvSqlite({ uri: `sqlite://${file}`, busyTimeout: 60_000 });
  await store.set('a', '1');
  const other = new sqlite3.Database(file);
  await called((done) => other.exec('BEGIN IMMEDIATE', done));
  const waiting = store.set('a', '2');
  // The write is under way while the lock is held: the read of the same connection is answered only after it.
  await called((done) => other.all("SELECT value FROM keyv WHERE key = 'a'", done));
  await called((done) => other.exec('COMMIT', done));
  await waiting;
  assert.equal(await store.get('a'), '2');
  await called((done) => other.close(done));
  await store.disconnect();
});

test('keyv reports a database that cannot be opened as an error event', async (t) => {
  const store = new KeyvSqlite(`sqlite://${join(temporaryFolder(t), 'missing/cache.sqlite')}`);
  const refused = assert.rejects(store.get('a'), { code: 'SQLITE_CANTOPEN' });
  const [error] = await once(store, 'error');
  assert.equal(error.message, 'SQLITE_CANTOPEN: unable to open database file');
  await refused;
});

test('keyv says that it was closed', async () => {
  const store = new KeyvSqlite('sqlite://:memory:');
  await store.set('a', '1');
  await store.disconnect();
  await assert.rejects(store.get('a'), { code: 'SQLITE_MISUSE', errno: 21 });
});
