// The declarations where those of node-sqlite3 differ from what it does: each line compiles, and holds when it runs.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import sqlite3, { type Database, type RunResult, type Statement } from 'sqlite-tandem';
import { once } from '../support/calls.js';
import { open, temporaryFolder } from '../support/database.js';

describe('the declarations', () => {
  test('say that close(), serialize(), parallelize() and configure() return the database', async (t) => {
    const db = await open(t);
    const same: Database = db
      .configure('trace', true)
      .configure('limit', sqlite3.LIMIT_ATTACHED, 1)
      .serialize()
      .parallelize();
    const { self } = await once('close', (callback) => {
      const closing: Database = same.close(callback);
      assert.equal(closing, db);
    });
    assert.equal(self, db);
  });

  test('say that `this` is the database in the callback of exec()', async (t) => {
    const db = await open(t);
    await new Promise<void>((resolve) => {
      db.exec('select 1', function (error) {
        assert.equal(this, db);
        assert.equal(error, null);
        resolve();
      });
    });
  });

  test('know map(), sql, filename, mode and open', async (t) => {
    const db = await open(t);
    const names: string = db.filename;
    const flags: number = db.mode;
    const isOpen: boolean = db.open;
    const statement: Statement = db.prepare('select 1 as k, 2 as v');
    const sql: string = statement.sql;
    assert.deepEqual([names, flags, isOpen, sql], [':memory:', 65542, true, 'select 1 as k, 2 as v']);
    const mapped: Record<string, number>[] = [];
    statement.map<number>((_error, result) => mapped.push(result));
    await once('finalize', (callback) => statement.finalize(callback));
    assert.deepEqual(mapped, [{ 1: 2 }]);
  });

  test('know Backup, backup() and cached.objects', async (t) => {
    const db = await open(t);
    const backup: sqlite3.Backup = db.backup(path.join(temporaryFolder(t), 'copy.db'));
    assert.ok(backup instanceof sqlite3.Backup);
    const { args } = await once('step', (callback) => backup.step(-1, callback));
    assert.deepEqual(args, [null, true]);
    const objects: Record<string, Database> = sqlite3.cached.objects;
    assert.deepEqual(Object.keys(objects), []);
  });

  test('give a RunResult, typed rows and typed listeners', async (t) => {
    const db = await open(t);
    const traced: string[] = [];
    db.on('trace', (sql) => traced.push(sql));
    const ids: number[] = [];
    db.run('create table t(v)', function (this: RunResult, error: Error | null) {
      assert.equal(error, null);
      ids.push(this.lastID, this.changes);
    });
    const values: number[] = [];
    const { args } = await once('all', (callback) => {
      db.get<{ v: number }>('select 1 as v', (_error, found) => values.push(found?.v ?? 0));
      db.each<{ v: number }>('select 2 as v', (_error, found) => values.push(found.v));
      db.all<{ v: number }>('select 3 as v', (error, found) => {
        values.push(...found.map(({ v }) => v));
        callback(error);
      });
    });
    assert.deepEqual(args, [null]);
    assert.deepEqual(values, [1, 2, 3]);
    assert.deepEqual(ids, [0, 0]);
    assert.equal(traced.length, 4);
  });
});
