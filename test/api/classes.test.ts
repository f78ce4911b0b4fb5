// The classes as users meet them: names, subclasses, patched methods, event emitters.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, once, single, value } from '../support/calls.js';
import { open } from '../support/database.js';

describe('Database and Statement', () => {
  test('have their names', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    assert.equal(sqlite3.Database.name, 'Database');
    assert.equal(sqlite3.Statement.name, 'Statement');
    assert.equal(db.constructor, sqlite3.Database);
    assert.equal(statement.constructor, sqlite3.Statement);
    await answer(statement, 'finalize');
  });

  test('are event emitters', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    assert.ok(db instanceof EventEmitter);
    assert.ok(statement instanceof EventEmitter);
    const heard: unknown[] = [];
    db.on('of the user', (...args: unknown[]) => heard.push(args));
    assert.equal(db.emit('of the user', 1, 2), true);
    assert.deepEqual(heard, [[1, 2]]);
    assert.equal(db.listenerCount('of the user'), 1);
    await answer(statement, 'finalize');
  });

  test('have methods that can be replaced, and those of the prototype are used', async (t) => {
    const db = await open(t);
    const original = Object.getOwnPropertyDescriptor(sqlite3.Database.prototype, 'run');
    assert.ok(original?.writable === true && original.configurable === true);
    const seen: unknown[] = [];
    try {
      Reflect.set(sqlite3.Database.prototype, 'run', function (this: sqlite3.Database, ...args: unknown[]) {
        seen.push(args[0]);
        return Reflect.apply(original.value as () => unknown, this, args) as unknown;
      });
      await value(db, 'run', 'create table t(v)');
    } finally {
      Object.defineProperty(sqlite3.Database.prototype, 'run', original);
    }
    assert.deepEqual(seen, ['create table t(v)']);
    assert.equal(await single(db, 'select count(*) as v from t'), 0);
  });
});

describe('a class that extends Database', () => {
  class Logged extends sqlite3.Database {
    readonly log: unknown[] = [];
    override get(sql: string, ...parameters: unknown[]): this {
      this.log.push(sql);
      return super.get(sql, ...parameters);
    }
    double(): number {
      return 2;
    }
  }

  test('opens, calls back on itself and keeps its members', async () => {
    let db: Logged | undefined;
    const { self } = await once('open', (callback) => {
      db = new Logged(':memory:', callback);
    });
    assert.ok(db instanceof sqlite3.Database);
    assert.equal(self, db);
    assert.equal(db.double(), 2);
    assert.equal(await single(db, 'select 4 as v'), 4);
    assert.deepEqual(db.log, ['select 4 as v']);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('works with a constructor of its own', async () => {
    class Memory extends sqlite3.Database {
      readonly opened: Promise<void>;
      constructor() {
        let settle: () => void = () => undefined;
        super(':memory:', () => settle());
        this.opened = new Promise((resolve) => {
          settle = resolve;
        });
      }
    }
    const db = new Memory();
    await db.opened;
    assert.equal(db.open, true);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });
});

describe('a class that extends Statement', () => {
  test('prepares and executes', async (t) => {
    const db = await open(t);
    class Named extends sqlite3.Statement {
      readonly label = 'mine';
    }
    const statement = new Named(db, 'select ? as v');
    assert.equal(statement.label, 'mine');
    assert.equal(await single(statement, 5), 5);
    const { self } = await answer(statement, 'run', 1);
    assert.equal(self, statement);
    await answer(statement, 'finalize');
  });
});
