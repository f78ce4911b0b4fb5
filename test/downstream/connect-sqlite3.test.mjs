// Sessions of a web server in connect-sqlite3, through express-session and as the store alone.
//
// Holds: new Database(file, undefined) without a callback; exec() of several statements; run() without a callback and
// with one that may be undefined; columns without a type; a database object of the user's own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import connectSqlite3 from 'connect-sqlite3';
import session from 'express-session';
import { called, temporaryFolder, testLoads } from './support.mjs';

const sqlite3 = createRequire(import.meta.url)('sqlite3');
const SQLiteStore = connectSqlite3(session);

testLoads('connect-sqlite3');

const cookie = (maxAge) => ({ cookie: { maxAge, originalMaxAge: maxAge } });

async function openStore(options) {
  const store = new SQLiteStore(options);
  await once(store.client, 'connect');
  return store;
}

const close = (store) => called((done) => store.db.close(done));

/** A server that counts a visitor's visits; ?leave ends the session. */
async function startServer(t, store) {
  const sessions = session({ store, secret: 'not a secret', resave: false, saveUninitialized: false });
  const server = createServer((request, response) => {
    sessions(request, response, (error) => {
      if (error) return response.writeHead(500).end(error.message);
      if (request.url === '/?leave') return request.session.destroy(() => response.end('bye'));
      request.session.visits = (request.session.visits ?? 0) + 1;
      return response.end(String(request.session.visits));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return async (path = '/', sent = '') => {
    const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, {
      headers: { cookie: sent, connection: 'close' },
    });
    return { text: await response.text(), sent: response.headers.get('set-cookie')?.split(';')[0] ?? sent };
  };
}

test('visitors keep their sessions, each their own, also after a restart of the server', async (t) => {
  const dir = temporaryFolder(t);
  const store = await openStore({ dir, db: 'sessions.db' });
  const visit = await startServer(t, store);
  const ann = await visit();
  const bob = await visit();
  assert.deepEqual([ann.text, bob.text], ['1', '1']);
  assert.notEqual(ann.sent, bob.sent);
  assert.equal((await visit('/', ann.sent)).text, '2');
  assert.equal((await visit('/', ann.sent)).text, '3');
  assert.equal((await visit('/', bob.sent)).text, '2');
  await close(store);

  const restarted = await openStore({ dir, db: 'sessions.db' });
  const again = await startServer(t, restarted);
  assert.equal((await again('/', ann.sent)).text, '4');
  assert.equal((await again('/?leave', ann.sent)).text, 'bye');
  assert.equal((await again('/', ann.sent)).text, '1');
  await close(restarted);
});

test('forty visits at once are all counted', async (t) => {
  const store = await openStore({ dir: temporaryFolder(t), db: 'sessions.db', concurrentDb: true });
  const visit = await startServer(t, store);
  await Promise.all(Array.from({ length: 40 }, () => visit()));
  assert.equal(await called((done) => store.length(done)), 40);
  await close(store);
});

test('the store sets, gets, touches, lists, counts, destroys and clears', async (t) => {
  const dir = join(temporaryFolder(t), 'made');
  const store = await openStore({ dir, db: 'sessions.db', createDirIfNotExists: true });
  assert.ok(existsSync(join(dir, 'sessions.db')));
  await called((done) => store.set('one', { ...cookie(60_000), user: 'ann' }, done));
  await called((done) => store.set('two', { ...cookie(60_000), user: 'bob' }, done));
  await called((done) => store.set('two', { ...cookie(60_000), user: 'cat' }, done));
  assert.equal((await called((done) => store.get('two', done))).user, 'cat');
  assert.equal(await called((done) => store.get('none', done)), undefined);
  assert.deepEqual((await called((done) => store.all(done))).map((each) => each.user).sort(), ['ann', 'cat']);
  assert.equal(await called((done) => store.length(done)), 2);

  const later = new Date(Date.now() + 3_600_000);
  assert.equal(await called((done) => store.touch('one', { cookie: { expires: later } }, done)), true);
  const row = await called((done) => store.db.get("SELECT expired FROM sessions WHERE sid = 'one'", done));
  assert.deepEqual(row, { expired: later.getTime() });

  await called((done) => store.destroy('one', done));
  // Without a callback; the next call is behind it in the queue.
  store.destroy('two');
  assert.equal(await called((done) => store.length(done)), 0);
  await called((done) => store.set('three', cookie(60_000), done));
  assert.equal(await called((done) => store.clear(done)), true);
  assert.equal(await called((done) => store.length(done)), 0);
  await close(store);
});

test('sessions expire, also those that node-sqlite3 wrote as REAL, and are removed at the next start', async (t) => {
  const dir = temporaryFolder(t);
  const store = await openStore({ dir, db: 'sessions.db' });
  await called((done) => store.set('old', { ...cookie(60_000), user: 'old' }, done));
  await called((done) => store.set('new', { ...cookie(60_000), user: 'new' }, done));
  await called((done) => store.db.run('UPDATE sessions SET expired = expired + 0.0', done));
  assert.equal((await called((done) => store.get('new', done))).user, 'new');
  await called((done) => store.db.run("UPDATE sessions SET expired = ? WHERE sid = 'old'", [Date.now() - 1], done));
  assert.equal(await called((done) => store.get('old', done)), undefined);
  assert.equal(await called((done) => store.length(done)), 2);
  await close(store);

  const restarted = await openStore({ dir, db: 'sessions.db' });
  assert.equal(await called((done) => restarted.length(done)), 1);
  await close(restarted);
});

test('the store uses a database and a table that it is given', async () => {
  const db = new sqlite3.Database(':memory:');
  const store = await openStore({ db, table: 'visitors' });
  assert.equal(store.db, db);
  await called((done) => store.set('one', cookie(60_000), done));
  assert.deepEqual(await called((done) => db.get('SELECT sid, typeof(sess) AS type FROM visitors', done)), {
    sid: 'one',
    type: 'text',
  });
  await close(store);
});

test('errors reach the callback', async () => {
  const store = await openStore({ db: ':memory:' });
  await called((done) => store.db.exec('DROP TABLE sessions', done));
  await assert.rejects(
    called((done) => store.set('one', cookie(1), done)),
    { code: 'SQLITE_ERROR', message: 'SQLITE_ERROR: no such table: sessions' },
  );
  await assert.rejects(
    called((done) => store.destroy('one', done)),
    /no such table/,
  );
  await close(store);
});

test('a store without a place for its file ends the program with the reason', (t) => {
  const program = `
    import session from 'express-session';
    import connectSqlite3 from 'connect-sqlite3';
    new (connectSqlite3(session))({ dir: ${JSON.stringify(join(temporaryFolder(t), 'missing'))}, db: 'sessions.db' });`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /SQLITE_CANTOPEN: unable to open database file/);
});
