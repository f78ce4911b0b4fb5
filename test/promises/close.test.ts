// The end of a database of the promise API: everything is settled, nothing is left open.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { open as openDatabase } from 'sqlite-tandem/promises';
import { expectProgram } from '../support/child.js';
import { numbers, temporaryFile } from '../support/database.js';
import { deferred, open, openTable, sqliteFailure, valuesOf } from './support.js';

describe('close', () => {
  test('waits for all calls before it', async (t) => {
    const file = temporaryFile(t);
    const db = await openDatabase(file);
    const order: string[] = [];
    const calls = [
      db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)').then(() => order.push('exec')),
      db.transaction((tx) => tx.run('INSERT INTO t (v) VALUES (1)')).then(() => order.push('transaction')),
      db.run('INSERT INTO t (v) VALUES (2)').then(() => order.push('run')),
      db.close().then(() => order.push('close')),
    ];
    assert.equal(db.isOpen, false);
    await Promise.all(calls);
    assert.deepEqual(order, ['exec', 'transaction', 'run', 'close']);
    assert.deepEqual(await valuesOf(await open(t, file)), [1, 2]);
  });

  test('lets a transaction that runs go on to its end', async (t) => {
    const file = temporaryFile(t);
    const db = await openDatabase(file);
    await db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
    const gate = deferred();
    const transaction = db.transaction(async (tx) => {
      await gate.promise;
      await tx.transaction((inner) => inner.run('INSERT INTO t (v) VALUES (1)'));
    });
    const closing = db.close();
    gate.resolve();
    await Promise.all([transaction, closing]);
    assert.deepEqual(await valuesOf(await open(t, file)), [1]);
  });

  test('finalizes statements and cursors', async (t) => {
    const db = await openTable(t, [1]);
    const statement = await db.prepare('SELECT * FROM t');
    await statement.get();
    const rows = db.iterate(numbers());
    await rows.next();
    await db.close();
    assert.match((await sqliteFailure(statement.get(), 'SQLITE_MISUSE')).message, /the database is closed/);
    assert.deepEqual(await rows.return(), { value: undefined, done: true });
  });

  test('refuses all calls behind it', async (t) => {
    const db = await openTable(t);
    const closing = db.close();
    const iteration = db.iterate('SELECT 1').next();
    for (const call of [
      db.run('SELECT 1'),
      db.get('SELECT 1'),
      db.all('SELECT 1'),
      db.exec('SELECT 1'),
      db.prepare('SELECT 1'),
      db.transaction(() => 1),
      db.backup('never.db'),
      iteration,
    ]) {
      assert.match((await sqliteFailure(call, 'SQLITE_MISUSE')).message, /the database is closed/);
    }
    await closing;
    await sqliteFailure(db.get('SELECT 1'), 'SQLITE_MISUSE');
    // The end of the last call's statement is nobody's answer, and may come a moment later.
    while (db.stats().queueLength !== 0) await turn();
  });

  test('closes once, however often it is called', async (t) => {
    const db = await open(t);
    await Promise.all([db.close(), db.close()]);
    await db.close();
  });

  test('waits for backups', async (t) => {
    const db = await openTable(
      t,
      Array.from({ length: 300 }, () => 'x'.repeat(1000)),
    );
    const copy = temporaryFile(t, 'copy.db');
    const backup = db.backup(copy, { pages: 1 });
    await Promise.all([backup, db.close()]);
    assert.equal((await valuesOf(await open(t, copy))).length, 300);
  });
});

describe('await using', () => {
  const has = typeof Symbol.asyncDispose === 'symbol';

  test('closes databases, finalizes statements, ends cursors', { skip: !has }, async (t) => {
    const db = await openTable(t, [1]);
    const statement = await db.prepare('SELECT * FROM t');
    const rows = db.iterate(numbers());
    await rows.next();
    await rows[Symbol.asyncDispose]();
    await statement[Symbol.asyncDispose]();
    await sqliteFailure(statement.get(), 'SQLITE_MISUSE');
    await db[Symbol.asyncDispose]();
    assert.equal(db.isOpen, false);
  });
});

describe('the life of a process', () => {
  test('ends by itself with an open database, and without a word from what never was closed', async () => {
    await expectProgram(
      ({ require, print }) => {
        const { open } = require('sqlite-tandem/promises') as typeof import('sqlite-tandem/promises');
        void open(':memory:').then(async (db) => {
          await db.prepare('SELECT 1');
          await db.iterate('SELECT 1 UNION SELECT 2').next();
          print('idle');
        });
      },
      { output: ['idle'] },
    );
  });

  test('ends threads of databases that nobody holds, and statements that were dropped are no hindrance', async () => {
    await expectProgram(
      ({ require, print }) => {
        const { open } = require('sqlite-tandem/promises') as typeof import('sqlite-tandem/promises');
        const threads = (): number => require('node:fs').readdirSync('/proc/self/task').length;
        const collect = async (done: () => boolean): Promise<void> => {
          while (!done()) {
            globalThis.gc?.();
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        const use = async (): Promise<void> => {
          const db = await open(':memory:');
          for (let i = 0; i < 20; i++) {
            await (await db.prepare('SELECT 1')).get();
            await db.iterate('SELECT 1 UNION SELECT 2').next();
          }
        };
        void (async () => {
          await use();
          const before = threads();
          await use();
          await collect(() => threads() < before);
          print('ended');
        })();
      },
      { output: ['ended'], nodeOptions: ['--expose-gc'] },
    );
  });

  test('may end in the middle of everything', async () => {
    await expectProgram(
      ({ require, print, path }) => {
        const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
        const program = `
          const { open } = require(${JSON.stringify(path)}.replace(/index.js$/, 'promises.js'));
          const { parentPort } = require('node:worker_threads');
          open(':memory:').then(async (db) => {
            const endless = 'WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n) SELECT ';
            await db.iterate(endless + 'v FROM n').next();
            db.transaction(async (tx) => { parentPort.postMessage('running'); await tx.get(endless + 'max(v) FROM n'); });
            db.run('SELECT 1');
            db.close();
          });`;
        const worker = new Worker(program, { eval: true });
        worker.once('message', () => void worker.terminate().then(() => print('terminated')));
      },
      { output: ['terminated'] },
    );
  });
});
