// cached.Database(): one object for each file, for as long as it is open.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import sqlite3, { cached } from 'sqlite-tandem';
import { answer, once, single, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { temporaryFile, temporaryFolder } from '../support/database.js';

const URI = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_URI;

/** Opens through the cache, and closes after the test what is open then. */
async function open(t: TestContext, file: string, mode?: number): Promise<sqlite3.Database> {
  const { self, args } = await once('open', (callback) => cached.Database(file, mode, callback));
  assert.deepEqual(args, [null]);
  assert.ok(self instanceof sqlite3.Database);
  const db = self;
  t.after(() => (db.open ? answer(db, 'close') : undefined));
  return db;
}

describe('a file that is open', () => {
  test('is the same object for every caller', async (t) => {
    const file = temporaryFile(t);
    const first = await open(t, file);
    assert.equal(await open(t, file), first);
    assert.equal(await open(t, file, sqlite3.OPEN_READONLY), first, 'the mode does not matter');
    assert.equal(await open(t, relative(process.cwd(), file)), first, 'however the path is written');
    assert.equal(new cached.Database(file), first, 'with new');
    assert.equal(cached.objects[file], first);
    assert.equal(first.filename, file, 'its name is absolute');
  });

  test('calls back later, with null and the database', async (t) => {
    const file = temporaryFile(t);
    const db = await open(t, file);
    let called = false;
    const answered = once('open', (callback) => {
      cached.Database(file, function (...args: unknown[]) {
        called = true;
        Reflect.apply(callback, this, args);
      });
      assert.equal(called, false);
    });
    assert.deepEqual(await answered, { self: db, args: [null] });
  });

  test('calls back everybody who asked while it was being opened, in order and in their async context', async (t) => {
    const file = temporaryFile(t);
    const storage = new AsyncLocalStorage<number>();
    const order: unknown[] = [];
    for (const at of [1, 2, 3]) {
      storage.run(at, () => {
        cached.Database(file, (error) => order.push([at, error, storage.getStore()]));
      });
    }
    await open(t, file);
    assert.deepEqual(order, [
      [1, null, 1],
      [2, null, 2],
      [3, null, 3],
    ]);
  });

  test('takes mode and callback as the constructor of Database does', async (t) => {
    const file = temporaryFile(t);
    const readOnly = cached.Database(file, sqlite3.OPEN_READONLY, () => undefined);
    assert.equal(readOnly.mode, sqlite3.OPEN_READONLY);
    await answer(readOnly, 'wait');
    const { args } = await once('open', (callback) => cached.Database(file, null, callback));
    assert.deepEqual(args, [null]);
    const db = cached.objects[file];
    assert.ok(db !== undefined);
    assert.equal(db.mode, sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_FULLMUTEX);
    await value(db, 'close');
  });
});

describe('a database of the cache', () => {
  test('leaves it when it is closed: the next caller opens the file again', async (t) => {
    const file = temporaryFile(t);
    const first = await open(t, file);
    await value(first, 'exec', 'create table t(v)');
    const { self } = await once('close', (callback) => {
      first.close(() => {
        assert.equal(file in cached.objects, false, 'it has left before the callback');
        cached.Database(file, callback);
      });
    });
    assert.ok(self instanceof sqlite3.Database);
    assert.notEqual(self, first);
    assert.equal(await single(self, 'select count(*) as v from t'), 0);
    await value(self, 'close');
    assert.equal(file in cached.objects, false);
  });

  test('stays when its close is refused', async (t) => {
    const file = temporaryFile(t);
    const db = await open(t, file);
    const statement = db.prepare('select 1');
    const { args } = await answer(db, 'close');
    assert.match(String(args[0]), /SQLITE_BUSY/);
    assert.equal(await open(t, file), db);
    await answer(statement, 'finalize');
  });

  test('that another has followed does not drop that one when it is closed', async (t) => {
    const file = temporaryFile(t);
    const first = await open(t, file);
    delete cached.objects[file];
    const second = await open(t, file);
    assert.notEqual(second, first);
    await value(first, 'close');
    assert.equal(cached.objects[file], second);
  });

  test('is not found by its listeners: they may all be removed', async (t) => {
    const file = temporaryFile(t);
    const db = await open(t, file);
    assert.deepEqual(db.eventNames(), []);
    db.removeAllListeners();
    await value(db, 'close');
    assert.equal(file in cached.objects, false);
  });
});

describe('a file that cannot be opened', () => {
  test('gives the error to every caller, and the next one tries again', async (t) => {
    const file = temporaryFile(t);
    const codes: unknown[] = [];
    for (let times = 0; times < 3; times += 1) {
      cached.Database(file, sqlite3.OPEN_READONLY, (error) => codes.push(error?.code));
    }
    const db = cached.objects[file];
    assert.ok(db !== undefined);
    await answer(db, 'wait');
    assert.deepEqual(codes, ['SQLITE_CANTOPEN', 'SQLITE_CANTOPEN', 'SQLITE_CANTOPEN']);
    assert.equal(file in cached.objects, false);
    assert.notEqual(await open(t, file), db);
  });

  test("without a callback emits 'error' on the database, and those who follow get it all the same", async (t) => {
    const file = temporaryFile(t);
    const seen: unknown[] = [];
    const db = cached.Database(file, sqlite3.OPEN_READONLY);
    db.on('error', (error) => seen.push(['event', error.code]));
    cached.Database(file, (error) => seen.push(['callback', error?.code]));
    await answer(db, 'wait');
    assert.deepEqual(seen, [
      ['event', 'SQLITE_CANTOPEN'],
      ['callback', 'SQLITE_CANTOPEN'],
    ]);
  });

  test('is an uncaught exception when nobody listens, and the file can be opened afterwards', async (t) => {
    await expectProgram(
      ({ sqlite3: { cached, OPEN_READONLY }, argument, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        cached.Database(argument as string, OPEN_READONLY);
        cached.Database(argument as string, (error) => {
          print(error?.code);
          cached.Database(argument as string, (later) => {
            print(later);
            throw new Error('of the callback');
          });
          cached.Database(argument as string, (later) => print(later));
        });
      },
      {
        output: ['SQLITE_CANTOPEN: unable to open database file', 'SQLITE_CANTOPEN', null, 'of the callback', null],
        argument: temporaryFile(t),
      },
    );
  });

  test('because its name is no text is a TypeError', () => {
    for (const name of [undefined, null, 5, {}]) {
      assert.throws(() => Reflect.apply(cached.Database, cached, [name]), TypeError);
    }
  });
});

describe('names that are no paths', () => {
  test("':memory:' and '' are never shared", async (t) => {
    for (const name of [':memory:', '']) {
      const first = await open(t, name);
      const second = await open(t, name);
      assert.notEqual(first, second);
      assert.equal(first.filename, name);
      assert.equal(name in cached.objects, false);
    }
  });

  test('a URI stays as it is with OPEN_URI', async (t) => {
    const uri = `file:${temporaryFile(t, 'of-uri.db')}?mode=rwc`;
    const db = await open(t, uri, URI);
    assert.equal(db.filename, uri);
    assert.equal(await open(t, uri, URI), db);
    assert.ok(existsSync(uri.slice('file:'.length, -'?mode=rwc'.length)));
  });

  test('a URI is a path without OPEN_URI', async (t) => {
    const folder = temporaryFolder(t);
    await expectProgram(
      ({ sqlite3: { cached }, require, print }) => {
        const db = cached.Database('file:x.db', (error) => {
          print([error, db.filename === require('node:path').resolve('file:x.db')]);
          db.close();
        });
        db.exec('create table t(v)');
      },
      { output: [[null, true]], cwd: folder },
    );
    assert.deepEqual(readdirSync(folder), ['file:x.db']);
  });

  test('a relative path stays the same file when the working directory changes', async (t) => {
    const folder = temporaryFolder(t);
    await expectProgram(
      ({ sqlite3: { cached }, require, print }) => {
        const first = cached.Database('x.db');
        process.chdir(require('node:os').tmpdir());
        first.exec('create table t(v)', (error) => print(error));
        print(cached.Database('x.db') === first);
      },
      { output: [false, null], cwd: folder },
    );
    assert.ok(existsSync(join(folder, 'x.db')));
  });
});
