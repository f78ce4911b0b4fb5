// Flows of Node-RED's SQLite node, run by the few parts of Node-RED that the node uses.
//
// Holds: new Database(file, mode or undefined) without a callback and its 'open' and 'error' events; all() with an array
// or an object; exec(); loadExtension(path, callback); close(undefined).
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { called, temporaryFolder, testLoads } from './support.mjs';

const require = createRequire(import.meta.url);
const sqlite3 = require('sqlite3');
// Node-RED finds this file through package.json; the package has no main.
const registerNodes = require('node-red-node-sqlite/sqlite.js');

testLoads('node-red-node-sqlite/sqlite.js');

/** Node-RED as the SQLite node sees it: types, nodes that send and report, settings. */
class Runtime {
  settings = { sqliteReconnectTime: 10 };
  #types = new Map();
  #nodes = new Map();

  nodes = {
    registerType: (type, Type) => this.#types.set(type, Type),
    createNode: (node, { id }) => {
      Object.assign(node, EventEmitter.prototype, {
        send: (message) => node.emit('sent', message),
        error: (error, message) => node.emit('failed', error, message),
        log: (line) => node.emit('logged', line),
        status: () => {},
      });
      EventEmitter.call(node);
      this.#nodes.set(id, node);
    },
    getNode: (id) => this.#nodes.get(id),
  };

  constructor() {
    registerNodes(this);
  }

  /** A database and a node that queries it. */
  async deploy(database, query) {
    const Config = this.#types.get('sqlitedb');
    const Query = this.#types.get('sqlite');
    const db = new Config({ id: 'db', ...database });
    const opened = new Promise((resolve, reject) => {
      db.once('logged', resolve);
      db.once('failed', (...report) => reject(report[1]));
    });
    const node = new Query({ id: 'query', mydb: 'db', ...query });
    await opened;
    return { db, node };
  }

  /** Ends a database as a new deployment of the flow does. */
  close(db) {
    const closed = once(db.db, 'close');
    return Promise.all([new Promise((done) => db.emit('close', done)), closed]);
  }
}

/** Sends a message into a node; resolves with the message it sends on, rejects with the error that it reports. */
function through(node, message) {
  return new Promise((resolve, reject) => {
    const settle = (end) => (value) => {
      node.removeAllListeners('sent').removeAllListeners('failed');
      end(value);
    };
    node.once('sent', settle(resolve));
    node.once('failed', settle(reject));
    node.emit('input', message);
  });
}

test('a flow takes its SQL from the topic and its values from the payload', async (t) => {
  const runtime = new Runtime();
  const file = join(temporaryFolder(t), 'flow.sqlite');
  const { db, node } = await runtime.deploy({ db: file, mode: 'RWC' }, { sqlquery: 'msg.topic' });
  assert.deepEqual((await through(node, { topic: 'CREATE TABLE reading (sensor TEXT, value, at)' })).payload, []);
  const topic = 'INSERT INTO reading VALUES ($sensor, $value, $at)';
  const now = Date.now();
  assert.deepEqual((await through(node, { topic, payload: ['hall', 20.5, now] })).payload, []);
  await through(node, { topic, payload: ['yard', null, now] });
  const { payload, extra } = await through(node, { topic: 'SELECT * FROM reading ORDER BY sensor', extra: 'kept' });
  assert.deepEqual(payload, [
    { sensor: 'hall', value: 20.5, at: now },
    { sensor: 'yard', value: null, at: now },
  ]);
  assert.equal(extra, 'kept');
  await runtime.close(db);
});

test('prepared queries take named values, fixed ones none, batches many statements', async () => {
  const runtime = new Runtime();
  const { db, node } = await runtime.deploy({ db: ':memory:', mode: 'RWC' }, { sqlquery: 'batch' });
  const script = `
    BEGIN;
    CREATE TABLE device (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE state (device REFERENCES device, on_ INTEGER);
    INSERT INTO device (name) VALUES ('lamp'), ('fan');
    INSERT INTO state VALUES (1, 1), (2, 0);
    COMMIT;`;
  assert.deepEqual((await through(node, { topic: script })).payload, []);

  node.sqlquery = 'prepared';
  node.sql = 'SELECT name, on_ FROM device JOIN state ON device = id WHERE id = $id';
  assert.deepEqual((await through(node, { params: { $id: 1 } })).payload, [{ name: 'lamp', on_: 1 }]);
  assert.deepEqual((await through(node, { params: [2] })).payload, [{ name: 'fan', on_: 0 }]);

  node.sqlquery = 'fixed';
  node.sql = 'SELECT count(*) AS devices FROM device';
  assert.deepEqual((await through(node, {})).payload, [{ devices: 2 }]);
  await runtime.close(db);
});

// Not so with node-sqlite3, which runs them on several threads.
test('a hundred messages at once come out in the order in which they went in', async () => {
  const runtime = new Runtime();
  const { db, node } = await runtime.deploy({ db: ':memory:', mode: 'RWC' }, { sqlquery: 'msg.topic' });
  const order = [];
  const all = new Promise((resolve) => {
    node.on('sent', (message) => {
      order.push(message.payload[0].n);
      if (order.length === 100) resolve();
    });
  });
  for (let n = 0; n < 100; n += 1) node.emit('input', { topic: 'SELECT $n AS n', payload: [n] });
  await all;
  assert.deepEqual(
    order,
    Array.from({ length: 100 }, (_, n) => n),
  );
  await runtime.close(db);
});

test('a wrong query is reported by the node, which goes on', async () => {
  const runtime = new Runtime();
  const { db, node } = await runtime.deploy({ db: ':memory:', mode: 'RWC' }, { sqlquery: 'msg.topic' });
  await assert.rejects(through(node, { topic: 'SELECT * FROM nowhere' }), {
    code: 'SQLITE_ERROR',
    message: 'SQLITE_ERROR: no such table: nowhere',
  });
  node.sqlquery = 'prepared';
  node.sql = 'SELECT $a AS a';
  await assert.rejects(through(node, { params: { $b: 1 } }), { code: 'SQLITE_RANGE' });
  assert.deepEqual((await through(node, { params: { $a: 'still here' } })).payload, [{ a: 'still here' }]);
  await runtime.close(db);
});

test('an extension that does not exist is reported, and the query is not run', async (t) => {
  const runtime = new Runtime();
  const { db, node } = await runtime.deploy({ db: ':memory:', mode: 'RWC' }, { sqlquery: 'msg.topic' });
  const message = { extension: join(temporaryFolder(t), 'missing'), topic: 'CREATE TABLE t (v)' };
  await assert.rejects(through(node, message), { code: 'SQLITE_ERROR' });
  const { payload } = await through(node, { topic: 'SELECT count(*) AS tables FROM sqlite_schema' });
  assert.deepEqual(payload, [{ tables: 0 }]);
  await runtime.close(db);
});

test('read-only and read-write databases open an existing file and nothing else', async (t) => {
  const file = join(temporaryFolder(t), 'flow.sqlite');
  await assert.rejects(new Runtime().deploy({ db: file, mode: 'RW' }), { code: 'SQLITE_CANTOPEN' });
  await assert.rejects(new Runtime().deploy({ db: file, mode: 'RO' }), { code: 'SQLITE_CANTOPEN' });
  assert.ok(!existsSync(file));

  const made = new sqlite3.Database(file);
  await called((done) => made.exec('CREATE TABLE t (v); INSERT INTO t VALUES (1)', done));
  await called((done) => made.close(done));
  const runtime = new Runtime();
  const { db, node } = await runtime.deploy({ db: file, mode: 'RO' }, { sqlquery: 'msg.topic' });
  assert.deepEqual((await through(node, { topic: 'SELECT v FROM t' })).payload, [{ v: 1 }]);
  await assert.rejects(through(node, { topic: 'DELETE FROM t' }), { code: 'SQLITE_READONLY' });
  await runtime.close(db);
});

test('a database without a mode is made when it is missing', async (t) => {
  const runtime = new Runtime();
  const file = join(temporaryFolder(t), 'flow.sqlite');
  const { db } = await runtime.deploy({ db: file }, {});
  await runtime.close(db);
  assert.ok(existsSync(file));
});
