// Traits of the objects that programs reach into, and late calls that no other test makes.
import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import path from 'node:path';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, asError, event, failure, once, row, value } from '../support/calls.js';
import { expectProgram, outputOf } from '../support/child.js';
import { open, temporaryFile, temporaryFolder } from '../support/database.js';

describe('an emitter', () => {
  test('keeps its listeners in _events, where programs look for them', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    const backup = db.backup(path.join(temporaryFolder(t), 'copy.db'));
    for (const emitter of [db, statement, backup] as EventEmitter[]) {
      const listener = (): void => undefined;
      emitter.on('error', listener);
      const events: unknown = Reflect.get(emitter, '_events');
      assert.ok(typeof events === 'object' && events !== null);
      assert.equal(Reflect.get(events, 'error'), listener);
      assert.equal(Reflect.get(emitter, '_eventsCount'), 1);
      emitter.setMaxListeners(3);
      assert.equal(Reflect.get(emitter, '_maxListeners'), 3);
    }
    await answer(statement, 'finalize');
    await answer(backup, 'finish');
  });
});

describe('the export', () => {
  test('is an object whose members show in a loop, with a path to the native library', () => {
    const shown = Object.keys(sqlite3);
    for (const name of ['Database', 'Statement', 'Backup', 'cached', 'verbose', 'path', 'OK', 'OPEN_URI', 'VERSION']) {
      assert.ok(shown.includes(name), name);
    }
    assert.ok(path.isAbsolute(sqlite3.path));
  });

  test('has cached.Database as a function that works with and without new', async () => {
    const { Database } = sqlite3.cached;
    for (const make of [() => Reflect.construct(Database, [':memory:']), () => Reflect.apply(Database, null, [''])]) {
      const db: unknown = make();
      assert.ok(db instanceof sqlite3.Database);
      await value(db, 'close');
    }
  });
});

describe('a row', () => {
  test('is a plain object, and one with a REAL of no fraction has an integer', async (t) => {
    const db = await open(t);
    const got = await row(db, 'select 1.0 as a, null as b');
    assert.equal(Object.getPrototypeOf(got), Object.prototype);
    assert.deepEqual(got, { a: 1, b: null });
  });
});

describe('an error', () => {
  test('is a plain Error with a stack of one line when verbose() was not called', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'get', 'select missing');
    assert.equal(error.name, 'Error');
    assert.equal(Object.getPrototypeOf(error), Error.prototype);
    assert.equal(error.stack, 'Error: SQLITE_ERROR: no such column: missing');
  });

  test('of SQL with a bad name of a parameter is SQLITE_RANGE', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'get', 'select $a', { $b: 1 });
    assert.deepEqual([error.errno, error.message], [25, 'SQLITE_RANGE: column index out of range']);
  });
});

describe('a cached database', () => {
  test('ignores the mode of a further caller', async (t) => {
    const file = temporaryFile(t);
    const first = sqlite3.cached.Database(file);
    const { self } = await once('cached', (callback) => {
      assert.equal(sqlite3.cached.Database(file, sqlite3.OPEN_READONLY, callback), first);
    });
    assert.equal(self, first);
    assert.equal(first.mode, 65542);
    await value(first, 'run', 'create table t(v)');
    await value(first, 'close');
  });
});

describe('verbose()', () => {
  test('augments the errors of exec(), but not those of loadExtension() and wait()', async () => {
    await expectProgram(
      ({ sqlite3, print }) => {
        const report = (error: Error | null): void => print(String(error?.stack).includes('--> in Database#exec('));
        const db = new (sqlite3.verbose().Database)(':memory:');
        db.exec('no sql', report);
        db.loadExtension('/missing', report);
        db.close();
        db.wait(report);
      },
      { output: [true, false, false] },
    );
  });
});

describe('calls without a callback that are queued behind an end', () => {
  test('of a database emit an error each', async () => {
    const output = await outputOf(({ sqlite3, print }) => {
      const db = new sqlite3.Database(':memory:');
      db.on('error', (error) => print(error.message));
      db.close();
      db.exec('select 1');
      db.wait();
      db.exec('select 1', (error) => print(`callback ${error?.message}`));
    });
    const text = 'SQLITE_MISUSE: Database handle is closed';
    assert.deepEqual(output, [text, text, `callback ${text}`]);
  });

  test('of a statement emit an error each', async () => {
    const output = await outputOf(({ sqlite3, print }) => {
      const statement = new sqlite3.Database(':memory:').prepare('select 1');
      statement.on('error', (error) => print(error.message));
      statement.finalize();
      statement.run();
      statement.all();
    });
    assert.deepEqual(output, Array(2).fill('SQLITE_MISUSE: Statement is already finalized'));
  });
});

describe('a late call', () => {
  test('of configure() on a closed database emits its error before it returns', async () => {
    const { self: db } = await once('open', (callback) => new sqlite3.Database(':memory:', callback));
    assert.ok(db instanceof sqlite3.Database);
    await value(db, 'close');
    const heard = event(db, 'error');
    let told = false;
    db.once('error', () => {
      told = true;
    });
    assert.equal(db.configure('busyTimeout', 1), db);
    assert.equal(told, true);
    assert.equal(asError((await heard).args[0]).message, 'SQLITE_MISUSE: Database is closed');
  });

  test('of prepare() behind a close hears that the handle is closed', async () => {
    const { self: db } = await once('open', (callback) => new sqlite3.Database(':memory:', callback));
    assert.ok(db instanceof sqlite3.Database);
    const closed = answer(db, 'close');
    const late = failure(db, 'prepare', 'select 1');
    assert.deepEqual((await closed).args, [null]);
    assert.equal((await late).message, 'SQLITE_MISUSE: Database handle is closed');
  });

  test('of finalize() on a finalized statement is a misuse', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    await answer(statement, 'finalize');
    assert.equal((await failure(statement, 'finalize')).message, 'SQLITE_MISUSE: Statement is already finalized');
  });
});
