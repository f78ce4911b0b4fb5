// The classes as programs change them: extended, wrapped, patched, copied; and which of their methods show in a loop.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite-tandem';
import { answer, once, single, value } from '../support/calls.js';
import { open, temporaryFile } from '../support/database.js';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a method for the time of one function. */
async function patched(prototype: object, name: string, replacement: Method, body: () => Promise<void>): Promise<void> {
  const original = Object.getOwnPropertyDescriptor(prototype, name);
  assert.ok(original !== undefined, `${name} is there`);
  try {
    Reflect.set(prototype, name, replacement);
    await body();
  } finally {
    Object.defineProperty(prototype, name, original);
  }
}

const names = (prototype: object): string[] => {
  const found: string[] = [];
  for (const name in prototype) found.push(name);
  return found;
};

describe('a class that extends Database', () => {
  class Counting extends sqlite3.Database {
    statements = 0;
    override prepare(...args: [string, ...unknown[]]): sqlite3.Statement {
      this.statements += 1;
      return super.prepare(...args);
    }
    override close(callback?: (error: sqlite3.SqliteError | null) => void): this {
      this.heard.push('close()');
      return super.close(callback);
    }
    override emit(event: string | symbol, ...args: unknown[]): boolean {
      this.heard.push(event);
      return super.emit(event, ...args);
    }
    readonly heard: unknown[] = [];
  }

  test('has its overridden methods called, by the library too', async () => {
    const { self } = await once('open', (callback) => new Counting(':memory:', callback));
    assert.ok(self instanceof Counting && self instanceof sqlite3.Database && self instanceof EventEmitter);
    assert.equal(self.constructor.name, 'Counting');
    await answer(self.prepare('select 1'), 'finalize');
    assert.equal(self.statements, 1);
    await value(self, 'close');
    assert.deepEqual(self.heard, ['open', 'close()', 'close']);
  });

  test('is accepted where a Database is', async (t) => {
    const { self } = await once('open', (callback) => new Counting(temporaryFile(t), callback));
    const db = self as Counting;
    const statement = new sqlite3.Statement(db, 'select 1 as v');
    assert.equal(await single(statement), 1);
    await answer(statement, 'finalize');
    const backup = new sqlite3.Backup(db, temporaryFile(t), 'main', 'main', true);
    assert.deepEqual((await answer(backup, 'step', -1)).args, [null, true]);
    await value(db, 'close');
  });
});

describe('classes that extend Statement and Backup', () => {
  test('have their overridden methods called', async (t) => {
    const db = await open(t, temporaryFile(t));
    class Loud extends sqlite3.Statement {
      readonly calls: string[] = [];
      override get(...args: unknown[]): this {
        this.calls.push('get');
        return super.get(...args);
      }
    }
    const statement = new Loud(db, 'select ? as v');
    assert.equal(await single(statement, 4), 4);
    assert.deepEqual(statement.calls, ['get']);
    await answer(statement, 'finalize');

    class Whole extends sqlite3.Backup {
      all(callback: (error: Error | null, completed: boolean) => void): this {
        return this.step(-1, callback);
      }
    }
    const backup = new Whole(db, temporaryFile(t), 'main', 'main', true);
    assert.deepEqual((await answer(backup, 'all')).args, [null, true]);
  });
});

describe('a patched prototype', () => {
  test('of Statement is used by the methods of Database', async (t) => {
    const db = await open(t);
    for (const name of ['run', 'get', 'all', 'each', 'map']) {
      const original = Reflect.get(sqlite3.Statement.prototype, name) as Method;
      const seen: unknown[] = [];
      const replacement: Method = function (...args) {
        seen.push(this instanceof sqlite3.Statement);
        return original.apply(this, args);
      };
      await patched(sqlite3.Statement.prototype, name, replacement, async () => {
        await answer(db, name, 'select 1 as k, 2 as v');
      });
      assert.deepEqual(seen, [true], name);
    }
  });

  test('of Database is used for existing objects', async (t) => {
    const db = await open(t);
    const { all } = sqlite3.Database.prototype;
    const replacement: Method = function (sql, ...args) {
      return Reflect.apply(all, this, [`select * from (${String(sql)}) limit 1`, ...args]);
    };
    await patched(sqlite3.Database.prototype, 'all', replacement, async () => {
      assert.deepEqual((await answer(db, 'all', 'select 1 as v union select 2')).args, [null, [{ v: 1 }]]);
    });
    assert.equal(((await value(db, 'all', 'select 1 as v union select 2')) as unknown[]).length, 2);
  });

  test('can get promises from promisify()', async (t) => {
    const db = await open(t);
    const get = promisify(db.get.bind(db) as (sql: string, callback: (error: unknown, row: unknown) => void) => void);
    assert.deepEqual(await get('select 5 as v'), { v: 5 });
    await assert.rejects(get('select nope'), { code: 'SQLITE_ERROR' });
  });

  test('can get methods of the user', async (t) => {
    const db = await open(t);
    Reflect.set(sqlite3.Database.prototype, 'double', function (this: sqlite3.Database, callback: Method) {
      return this.get('select 2 as v', callback);
    });
    t.after(() => Reflect.deleteProperty(sqlite3.Database.prototype, 'double'));
    assert.deepEqual((await answer(db, 'double')).args, [null, { v: 2 }]);
  });
});

describe('the methods', () => {
  test('that node-sqlite3 writes in JavaScript show in a loop, as those of an emitter do; the others do not', () => {
    const emitter = names(EventEmitter.prototype);
    const sorted = (found: readonly string[]): string[] => [...found].sort();
    const database = ['run', 'get', 'all', 'each', 'map', 'prepare', 'backup', ...emitter];
    assert.deepEqual(sorted(names(sqlite3.Database.prototype)), sorted(database));
    assert.deepEqual(sorted(names(sqlite3.Statement.prototype)), sorted(['map', ...emitter]));
    assert.deepEqual(sorted(names(sqlite3.Backup.prototype)), sorted(emitter));
  });

  test('can all be replaced', () => {
    for (const { prototype } of [sqlite3.Database, sqlite3.Statement, sqlite3.Backup]) {
      for (const [name, found] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        assert.equal(found.configurable, true, name);
        if ('value' in found) assert.equal(found.writable, true, name);
      }
    }
  });

  test('of an emitter work on a database whose emitter was never used', async (t) => {
    const db = await open(t);
    assert.deepEqual(db.eventNames(), []);
    assert.equal(db.listenerCount('trace'), 0);
    db.setMaxListeners(20);
    assert.equal(db.getMaxListeners(), 20);
    const listener = (): void => undefined;
    db.on('trace', listener);
    assert.equal(Reflect.get(Reflect.get(db, '_events') as object, 'trace'), listener, 'programs look there');
  });
});

describe('the deep path lib/sqlite3', () => {
  test('is the module, with and without the suffix', () => {
    assert.equal(require('sqlite-tandem/lib/sqlite3.js'), sqlite3);
    assert.equal(require('sqlite-tandem/lib/sqlite3'), sqlite3);
  });
});
