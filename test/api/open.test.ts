// Opening a database: the forms of the constructor, modes, names, what is reported and when.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, asError, assertCode, event, failure, once, single, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { open, openFailure, temporaryFile, temporaryFolder } from '../support/database.js';

describe('a database that opens', () => {
  test('calls back on itself with null alone', async () => {
    let db: sqlite3.Database | undefined;
    const { self, args } = await once('open', (callback) => {
      db = new sqlite3.Database(':memory:', callback);
    });
    assert.equal(self, db);
    assert.deepEqual(args, [null]);
  });

  test('is not open before its callback and open in it', async () => {
    const seen: boolean[] = [];
    await new Promise<void>((resolve) => {
      const db = new sqlite3.Database(':memory:', () => {
        seen.push(db.open);
        resolve();
      });
      seen.push(db.open);
    });
    assert.deepEqual(seen, [false, true]);
  });

  test("reports in the order callback, 'open' event, queued calls", async () => {
    const order: string[] = [];
    const db = new sqlite3.Database(':memory:', () => order.push('callback'));
    db.on('open', () => order.push('event'));
    await value(db, 'exec', 'select 1');
    order.push('queued');
    assert.deepEqual(order, ['callback', 'event', 'queued']);
  });

  test("passes no argument to 'open' listeners and calls them on itself", async () => {
    const db = new sqlite3.Database(':memory:');
    const { self, args } = await event(db, 'open');
    assert.equal(self, db);
    assert.deepEqual(args, []);
  });

  test('opens without a callback and without a listener', async () => {
    const db = new sqlite3.Database(':memory:');
    assert.equal(await single(db, 'select 5 as v'), 5);
    assert.equal(db.open, true);
  });

  test('keeps the file name and the mode as read-only properties that are not enumerable', async (t) => {
    const file = temporaryFile(t);
    const db = await open(t, file, sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE);
    const fixed = { writable: false, enumerable: false, configurable: false };
    assert.deepEqual(Object.getOwnPropertyDescriptor(db, 'filename'), { value: file, ...fixed });
    assert.deepEqual(Object.getOwnPropertyDescriptor(db, 'mode'), { value: 6, ...fixed });
  });

  test('shows filename and mode before it is open', () => {
    const db = new sqlite3.Database(':memory:', sqlite3.OPEN_READWRITE);
    assert.equal(db.filename, ':memory:');
    assert.equal(db.mode, 2);
  });

  test('takes properties of the user', async (t) => {
    const db = await open(t);
    assert.ok(Reflect.set(db, 'uuid', 'default'));
    assert.equal(Reflect.get(db, 'uuid'), 'default');
  });

  test('has `open` as a getter of the prototype', () => {
    const { get, set } = Object.getOwnPropertyDescriptor(sqlite3.Database.prototype, 'open') ?? {};
    assert.equal(typeof get, 'function');
    assert.equal(set, undefined);
  });
});

describe('the mode', () => {
  const byDefault = 65542;
  const notModes: [string, unknown][] = [
    ['a string', '1'],
    ['a fraction', 1.5],
    ['null', null],
    ['undefined', undefined],
    ['an object', {}],
    ['NaN', Number.NaN],
    ['a number beyond 32 bits', 2 ** 32 + 1],
  ];
  for (const [name, mode] of notModes) {
    test(`falls back to the default for ${name}, and the callback is called`, async () => {
      const { self, args } = await once('open', (callback) => {
        Reflect.construct(sqlite3.Database, [':memory:', mode, callback]);
      });
      assert.deepEqual(args, [null]);
      assert.ok(self instanceof sqlite3.Database);
      assert.equal(self.mode, byDefault);
    });
  }

  test('is read-write, create and full mutex by default', async (t) => {
    const db = await open(t);
    assert.equal(db.mode, byDefault);
    assert.equal(byDefault, sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_FULLMUTEX);
  });

  test('without OPEN_CREATE refuses a missing file and makes none', async (t) => {
    const file = temporaryFile(t);
    assertCode(await openFailure(file, sqlite3.OPEN_READWRITE), 'SQLITE_CANTOPEN', 14);
    assert.equal(existsSync(file), false);
  });

  test('OPEN_READONLY reads and refuses to write', async (t) => {
    const file = temporaryFile(t);
    const writer = await open(t, file);
    await value(writer, 'exec', 'create table t(v); insert into t values(7)');
    const reader = await open(t, file, sqlite3.OPEN_READONLY);
    assert.equal(await single(reader, 'select v from t'), 7);
    assertCode(await failure(reader, 'run', 'insert into t values(8)'), 'SQLITE_READONLY', 8);
  });

  test('OPEN_CREATE alone is a misuse, whose text does not speak of memory', async (t) => {
    const file = temporaryFile(t);
    const error = await openFailure(file, sqlite3.OPEN_CREATE);
    assertCode(error, 'SQLITE_MISUSE', 21);
    assert.equal(error.message, 'SQLITE_MISUSE: bad parameter or other API misuse');
    assert.equal(existsSync(file), false);
  });
});

describe('the file name', () => {
  test('may hold blanks, non-ASCII characters and URI characters', async (t) => {
    const file = temporaryFile(t, 'grüße 100% #1 ✓ 😀.db');
    const db = await open(t, file);
    await value(db, 'exec', 'create table t(v)');
    assert.ok(existsSync(file));
    assert.equal(db.filename, file);
  });

  test('of two databases in memory names two databases', async (t) => {
    const [one, other] = [await open(t), await open(t)];
    await value(one, 'exec', 'create table t(v)');
    assertCode(await failure(other, 'get', 'select * from t'), 'SQLITE_ERROR', 1);
  });

  test('may be empty: a private temporary database', async (t) => {
    const db = await open(t, '');
    await value(db, 'exec', 'create table t(v); insert into t values(3)');
    assert.equal(await single(db, 'select v from t'), 3);
  });

  test('with NUL is refused and no file is made of what is before it', async (t) => {
    const file = temporaryFile(t, 'real.db');
    assertCode(await openFailure(`${file}\0.txt`), 'SQLITE_CANTOPEN', 14);
    assert.equal(existsSync(file), false);
  });

  test('is no URI unless OPEN_URI is given', { skip: process.platform === 'win32' }, async (t) => {
    const cwd = temporaryFolder(t);
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database('file:x.db?mode=memory');
        db.exec('create table t(v)', (error: Error | null) => print(error));
      },
      { output: [null], cwd },
    );
    assert.ok(existsSync(join(cwd, 'file:x.db?mode=memory')));
  });

  test('as a URI with OPEN_URI shares a named memory database, which ends with its last connection', async (t) => {
    const mode = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_URI;
    const uri = 'file:shared-by-the-open-test?mode=memory&cache=shared';
    const [one, other] = [await open(t, uri, mode), await open(t, uri, mode)];
    await value(one, 'exec', 'create table t(v); insert into t values(4)');
    assert.equal(await single(other, 'select v from t'), 4);
    await answer(one, 'close');
    assert.equal(await single(other, 'select v from t'), 4);
    await answer(other, 'close');
    const later = await open(t, uri, mode);
    assertCode(await failure(later, 'get', 'select v from t'), 'SQLITE_ERROR', 1);
    assert.equal(existsSync('shared-by-the-open-test'), false);
  });

  test('of a folder cannot be opened', async (t) => {
    assertCode(await openFailure(temporaryFolder(t)), 'SQLITE_CANTOPEN', 14);
  });

  test('of a file that is no database opens, and the first query says so', async (t) => {
    const file = temporaryFile(t);
    writeFileSync(file, 'This is a text and no database. '.repeat(200));
    const db = await open(t, file);
    assertCode(await failure(db, 'get', 'select * from sqlite_schema'), 'SQLITE_NOTADB', 26);
  });
});

describe('a database that fails to open', () => {
  const missing = (folder: string): string => join(folder, 'missing', 'test.db');

  test('calls back on itself with the error alone, and stays closed', async (t) => {
    const { self, args } = await once('open', (callback) => {
      new sqlite3.Database(missing(temporaryFolder(t)), callback);
    });
    assert.equal(args.length, 1);
    const error = asError(args[0]);
    assertCode(error, 'SQLITE_CANTOPEN', 14);
    assert.equal(error.message, 'SQLITE_CANTOPEN: unable to open database file');
    assert.ok(self instanceof sqlite3.Database);
    assert.equal(self.open, false);
  });

  test("with a callback emits neither 'error' nor 'open'", async (t) => {
    const events: string[] = [];
    let db: sqlite3.Database | undefined;
    await once('open', (callback) => {
      db = new sqlite3.Database(missing(temporaryFolder(t)), callback);
      db.on('error', () => events.push('error'));
      db.on('open', () => events.push('open'));
    });
    await answer(db ?? {}, 'exec', 'select 1');
    assert.deepEqual(events, []);
  });

  test("without a callback emits 'error' on itself, once", async (t) => {
    const errors: unknown[] = [];
    const db = new sqlite3.Database(missing(temporaryFolder(t)));
    db.on('error', (error) => errors.push(error));
    await answer(db, 'exec', 'select 1');
    assert.equal(errors.length, 1);
    assertCode(asError(errors[0]), 'SQLITE_CANTOPEN', 14);
  });

  test('without callback and listener is an uncaught exception', async (t) => {
    await expectProgram(
      ({ sqlite3: { Database }, argument, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        new Database(argument as string);
      },
      { output: ['SQLITE_CANTOPEN: unable to open database file'], argument: missing(temporaryFolder(t)) },
    );
  });

  for (const method of ['run', 'get', 'all', 'map', 'exec', 'prepare']) {
    test(`answers a queued ${method}() and one after the failure with the open error`, async (t) => {
      const db = new sqlite3.Database(missing(temporaryFolder(t)), () => undefined);
      assertCode(await failure(db, method, 'select 1'), 'SQLITE_CANTOPEN', 14);
      assertCode(await failure(db, method, 'select 1'), 'SQLITE_CANTOPEN', 14);
    });
  }

  test('answers a queued wait() with the open error', async (t) => {
    const db = new sqlite3.Database(missing(temporaryFolder(t)), () => undefined);
    assertCode(await failure(db, 'wait'), 'SQLITE_CANTOPEN', 14);
  });

  test('answers a queued each() through its complete callback, without a row', async (t) => {
    const db = new sqlite3.Database(missing(temporaryFolder(t)), () => undefined);
    const rows: unknown[] = [];
    const { args } = await once('each', (complete) => {
      db.each('select 1', (error: Error | null, row: unknown) => error ?? rows.push(row), complete);
    });
    assertCode(asError(args[0]), 'SQLITE_CANTOPEN', 14);
    assert.deepEqual(rows, []);
  });

  test('answers the calls of a queued statement', async (t) => {
    const db = new sqlite3.Database(missing(temporaryFolder(t)), () => undefined);
    const statement = db.prepare('select 1', () => undefined);
    for (const method of ['bind', 'run', 'get', 'all', 'reset', 'finalize']) {
      assertCode(await failure(statement, method), 'SQLITE_CANTOPEN', 14);
    }
  });

  test('answers close(), before and after the failure was reported', async (t) => {
    const folder = temporaryFolder(t);
    const queued = new sqlite3.Database(missing(folder), () => undefined);
    await answer(queued, 'close');
    assert.equal(queued.open, false);
    const reported = new sqlite3.Database(missing(folder), () => undefined);
    await answer(reported, 'exec', 'select 1');
    await answer(reported, 'close');
    assert.equal(reported.open, false);
  });

  test('answers queued calls after the callback and in their order', async (t) => {
    const order: string[] = [];
    const db = new sqlite3.Database(missing(temporaryFolder(t)), () => order.push('open'));
    db.run('select 1', () => order.push('run'));
    db.exec('select 1', () => order.push('exec'));
    db.get('select 1', () => order.push('get'));
    await answer(db, 'close');
    assert.deepEqual(order, ['open', 'run', 'exec', 'get']);
  });

  test('leaves the way free for a later open of the same name', async (t) => {
    const folder = temporaryFolder(t);
    await openFailure(missing(folder));
    mkdirSync(join(folder, 'missing'));
    const db = await open(t, missing(folder));
    assert.equal(await single(db, 'select 1 as v'), 1);
  });
});
