// backup(): pages are copied step by step; what each call answers, when a backup ends, and what its properties say.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { COUNT, filled, PAGES, stateOf } from '../support/backup.js';
import { answer, assertCode, failure, once, rows, single, value } from '../support/calls.js';
import { open } from '../support/database.js';

describe('a backup', () => {
  test('copies the database into the file', async (t) => {
    const { db, copy } = await filled(t);
    const backup = db.backup(copy);
    assert.deepEqual((await answer(backup, 'step', -1)).args, [null, true]);
    assert.deepEqual((await answer(backup, 'finish')).args, []);
    const other = await open(t, copy);
    assert.equal(await single(other, COUNT), 300);
    assert.equal(await single(other, 'select integrity_check as v from pragma_integrity_check'), 'ok');
  });

  test('copies what is written between its steps', async (t) => {
    const { db, copy } = await filled(t);
    const backup = db.backup(copy);
    let written = 0;
    while (!backup.completed) {
      await value(backup, 'step', 4);
      if (written < 3) {
        await value(db, 'run', 'insert into t values(?)', written);
        written += 1;
      }
    }
    assert.equal(written, 3);
    assert.equal(await single(await open(t, copy), COUNT), 303);
  });

  test('says where it stands', async (t) => {
    const { db, copy } = await filled(t);
    const states: unknown[] = [];
    const { self } = await once('init', (callback) => {
      const backup = db.backup(copy, function (this: sqlite3.Backup, error) {
        states.push(['init', error, ...stateOf(this)]);
        callback.call(this, error);
      });
      states.push(['before', ...stateOf(backup)]);
    });
    assert.ok(self instanceof sqlite3.Backup);
    states.push(['begun', ...stateOf(self)]);
    const stepped = once('step', (callback) => {
      assert.equal(
        self.step(3, function (error, completed) {
          states.push(['step', error, completed, ...stateOf(this)]);
          callback(this);
        }),
        self,
      );
    });
    states.push(['stepping', ...stateOf(self)]);
    assert.deepEqual((await stepped).args, [self]);
    states.push(['between', ...stateOf(self)]);
    await value(self, 'step', -1);
    states.push(['copied', ...stateOf(self)]);
    assert.deepEqual(states, [
      ['before', false, false, false, -1, -1],
      ['init', null, false, false, false, -1, -1],
      ['begun', true, false, false, -1, -1],
      ['stepping', false, false, false, -1, -1],
      ['step', null, false, false, false, false, PAGES - 3, PAGES],
      ['between', true, false, false, PAGES - 3, PAGES],
      ['copied', true, true, false, 0, PAGES],
    ]);
  });

  test('holds its arguments in properties of its own that cannot be changed', async (t) => {
    const { db, copy } = await filled(t);
    const backup = db.backup(copy);
    const expected = { filename: copy, sourceName: 'main', destName: 'main', filenameIsDest: true };
    for (const [name, given] of Object.entries(expected)) {
      const fixed = { value: given, writable: false, enumerable: false, configurable: false };
      assert.deepEqual(Object.getOwnPropertyDescriptor(backup, name), fixed, name);
    }
    assert.deepEqual(backup.retryErrors, [sqlite3.BUSY, sqlite3.LOCKED]);
    await answer(backup, 'finish');
  });

  test('reads the database named first and writes the one named second', async (t) => {
    const { db, copy, folder } = await filled(t);
    await value(db, 'exec', `attach '${join(folder, 'second.db')}' as second; create table second.only(v)`);
    const backup = db.backup(copy, 'second', 'main', true);
    assert.deepEqual((await answer(backup, 'step', -1)).args, [null, true]);
    assert.deepEqual(await rows(await open(t, copy), 'select name from sqlite_schema'), [{ name: 'only' }]);
  });

  test('can be made with the constructor', async (t) => {
    const { db, copy } = await filled(t);
    const { args, self } = await once('init', (callback) => {
      new sqlite3.Backup(db, copy, 'main', 'main', true, callback);
    });
    assert.deepEqual(args, [null]);
    assert.deepEqual((await answer(self as object, 'step', -1)).args, [null, true]);
    assert.ok(existsSync(copy));
  });

  test('takes its turn among the other calls', async (t) => {
    const { db, copy } = await filled(t);
    const order: string[] = [];
    const note = (name: string) => (): void => {
      order.push(name);
    };
    db.get('select 1', note('get'));
    const backup = db.backup(copy, note('init'));
    db.run('insert into t values(1)', note('run'));
    backup.step(-1, note('step'));
    db.exec('delete from t', note('exec'));
    backup.finish(note('finish'));
    backup.step(1, note('late'));
    db.get('select 1', note('get'));
    await answer(db, 'wait');
    assert.deepEqual(order, ['get', 'init', 'run', 'step', 'exec', 'finish', 'late', 'get']);
    assert.equal(await single(await open(t, copy), COUNT), 301);
  });

  test('calls back in the async context of the call', async (t) => {
    const { db, copy } = await filled(t);
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const look = (): void => {
      seen.push(storage.getStore());
    };
    const backup = storage.run('init', () => db.backup(copy, look));
    storage.run('step', () => backup.step(-1, look));
    storage.run('finish', () => backup.finish(look));
    storage.run('late', () => backup.step(1, look));
    await answer(db, 'wait');
    assert.deepEqual(seen, ['init', 'step', 'finish', 'late']);
  });

  test('calls back in the async context of the call when the database was closed', async (t) => {
    const { db, copy } = await filled(t);
    const backup = db.backup(copy);
    await value(backup, 'step', -1);
    await value(db, 'close');
    const storage = new AsyncLocalStorage<string>();
    const seen = await new Promise((resolve) => {
      storage.run('step', () => backup.step(1, () => resolve(storage.getStore())));
    });
    assert.equal(seen, 'step');
  });
});

describe('a backup that copied everything', () => {
  test('has ended: the database closes, and further calls succeed', async (t) => {
    const { db, copy } = await filled(t);
    const backup = db.backup(copy);
    await value(backup, 'step', -1);
    assert.deepEqual((await answer(backup, 'step', 1)).args, [null, true]);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
    assert.deepEqual((await answer(backup, 'step', 1)).args, [null, true]);
    assert.deepEqual((await answer(backup, 'finish')).args, []);
    assert.deepEqual(stateOf(backup), [true, true, false, 0, PAGES]);
  });

  test('stays open without retry codes, until it is finished', async (t) => {
    const { db, copy } = await filled(t);
    const backup = db.backup(copy);
    backup.retryErrors = [];
    assert.deepEqual((await answer(backup, 'step', -1)).args, [null, true]);
    assert.deepEqual((await answer(backup, 'step', -1)).args, [null, true]);
    assertCode(await failure(db, 'close'), 'SQLITE_BUSY', 5);
    assert.deepEqual((await answer(backup, 'finish')).args, []);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });
});

describe('finish()', () => {
  test('before everything was copied gives the backup up', async (t) => {
    const { db, copy } = await filled(t);
    const backup = db.backup(copy);
    assert.deepEqual((await answer(backup, 'step', 2)).args, [null, false]);
    assertCode(await failure(db, 'close'), 'SQLITE_BUSY', 5);
    const { self, args } = await answer(backup, 'finish');
    assert.equal(self, backup);
    assert.deepEqual(args, []);
    assert.deepEqual(stateOf(backup), [true, false, true, PAGES - 2, PAGES]);
    assert.equal(statSync(copy).size, 0);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('is the last call: others fail, in their turn or at once', async (t) => {
    const { db, copy } = await filled(t);
    const backup = db.backup(copy);
    const order: unknown[] = [];
    backup.finish(() => order.push('finish'));
    backup.step(1, (error) => order.push(error?.message));
    backup.finish((error) => order.push(error?.message));
    await answer(db, 'wait');
    const text = 'SQLITE_MISUSE: Backup is already finished';
    assert.deepEqual(order, ['finish', text, text]);
    let seen: unknown;
    backup.step(1, (error) => {
      seen = error;
    });
    assert.ok(seen instanceof Error, 'it was answered before step() returned');
    assert.equal(seen.message, text);
    const emitted: unknown[] = [];
    backup.on('error', (error) => emitted.push(error.message));
    backup.step(1);
    backup.finish();
    assert.deepEqual(emitted, [text, text]);
  });
});
