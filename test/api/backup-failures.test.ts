// Backups that cannot begin, and steps that cannot go on: who gets which error, and what may be tried again.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { filled, PAGES, stateOf } from '../support/backup.js';
import { answer, assertCode, event, failure, value } from '../support/calls.js';
import { open, temporaryFolder } from '../support/database.js';

describe('a step that cannot go on', () => {
  test('because the destination is locked can be tried again', async (t) => {
    const { db, copy } = await filled(t);
    const other = await open(t, copy);
    await value(other, 'exec', 'create table x(v); begin exclusive');
    const backup = db.backup(copy);
    for (let times = 0; times < 2; times += 1) {
      assertCode(await failure(backup, 'step', -1), 'SQLITE_BUSY', 5);
      assert.deepEqual(stateOf(backup), [true, false, false, 0, 0]);
    }
    await value(other, 'exec', 'commit');
    assert.deepEqual((await answer(backup, 'step', -1)).args, [null, true]);
    assert.deepEqual(stateOf(backup), [true, true, false, 0, PAGES]);
  });

  test('ends the backup when its code is not to be tried again, and every later step fails alike', async (t) => {
    const { db, copy } = await filled(t);
    const other = await open(t, copy);
    await value(other, 'exec', 'create table x(v); begin exclusive');
    const backup = db.backup(copy);
    backup.retryErrors = [sqlite3.LOCKED];
    assertCode(await failure(backup, 'step', -1), 'SQLITE_BUSY', 5);
    assert.deepEqual(stateOf(backup), [true, false, true, 0, 0]);
    await value(other, 'exec', 'commit');
    assertCode(await failure(backup, 'step', -1), 'SQLITE_BUSY', 5);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
    assertCode(await failure(backup, 'step', -1), 'SQLITE_BUSY', 5);
    assert.deepEqual((await answer(backup, 'finish')).args, []);
    assert.equal(backup.failed, true);
  });

  test('does not end the backup without retry codes', async (t) => {
    const { db, copy } = await filled(t);
    const other = await open(t, copy);
    await value(other, 'exec', 'create table x(v); begin exclusive');
    const backup = db.backup(copy);
    Reflect.set(backup, 'retryErrors', ['5', null, {}]);
    assertCode(await failure(backup, 'step', -1), 'SQLITE_BUSY', 5);
    assert.equal(backup.failed, false);
    assertCode(await failure(db, 'close'), 'SQLITE_BUSY', 5);
    await value(other, 'exec', 'commit');
    assert.deepEqual((await answer(backup, 'step', -1)).args, [null, true]);
    assert.deepEqual((await answer(backup, 'finish')).args, []);
  });

  test('because the file is no database says so each time', async (t) => {
    const { db, copy } = await filled(t);
    writeFileSync(copy, 'certainly not a database '.repeat(50));
    const backup = db.backup(copy);
    assertCode(await failure(backup, 'step', -1), 'SQLITE_NOTADB', 26);
    assertCode(await failure(backup, 'step', -1), 'SQLITE_NOTADB', 26);
    assert.deepEqual(stateOf(backup), [true, false, true, 0, 0]);
  });

  test("without a callback emits 'error' on the backup", async (t) => {
    const { db, copy } = await filled(t);
    writeFileSync(copy, 'certainly not a database '.repeat(50));
    const backup = db.backup(copy);
    const emitted = event(backup, 'error');
    backup.step(-1);
    const { self, args } = await emitted;
    assert.equal(self, backup);
    assert.match(String(args[0]), /SQLITE_NOTADB/);
  });

  test('because no database has that name fails without an error', async (t) => {
    const { db, folder } = await filled(t);
    for (const [source, dest] of [
      ['missing', 'main'],
      ['main', 'missing'],
      ['', ''],
    ] as const) {
      const backup = db.backup(join(folder, `${source}-${dest}.db`), source, dest, true);
      assert.deepEqual((await answer(backup, 'step', -1)).args, [null, false]);
      assert.deepEqual((await answer(backup, 'step', -1)).args, [null, false]);
      assert.deepEqual(stateOf(backup), [true, false, true, -1, -1]);
      assert.deepEqual((await answer(backup, 'finish')).args, []);
    }
  });
});

describe('a backup that cannot begin', () => {
  test('hands its error to every callback, those of later calls too', async (t) => {
    const { db, folder } = await filled(t);
    const messages: unknown[] = [];
    const note = (error: unknown): void => {
      messages.push(String(error));
    };
    const backup = db.backup(join(folder, 'missing', 'copy.db'), note);
    backup.step(1, note);
    backup.step(1);
    backup.finish(note);
    await answer(db, 'wait');
    const text = 'Error: SQLITE_CANTOPEN: unable to open database file';
    assert.deepEqual(messages, [text, text, text]);
    assert.deepEqual(stateOf(backup), [false, false, true, -1, -1]);
    assertCode(await failure(backup, 'step', 1), 'SQLITE_CANTOPEN', 14);
    assertCode(await failure(backup, 'finish'), 'SQLITE_CANTOPEN', 14);
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test("without a callback emits 'error' once, on the backup or else on the database", async (t) => {
    const { db, folder } = await filled(t);
    const missing = join(folder, 'missing', 'copy.db');
    const emitted: unknown[] = [];
    db.on('error', (error) => emitted.push(['database', error.code]));
    const backup = db.backup(missing);
    backup.on('error', (error) => emitted.push(['backup', error.code]));
    backup.step(1);
    backup.finish();
    db.backup(missing).step(1);
    await answer(db, 'wait');
    assert.deepEqual(emitted, [
      ['backup', 'SQLITE_CANTOPEN'],
      ['database', 'SQLITE_CANTOPEN'],
    ]);
  });

  test('because the database did not open gets that error', async (t) => {
    const folder = temporaryFolder(t);
    const db = new sqlite3.Database(join(folder, 'missing', 'x.db'), () => undefined);
    const messages: unknown[] = [];
    const note = (error: unknown): void => {
      messages.push(String(error));
    };
    const backup = db.backup(join(folder, 'copy.db'), note);
    backup.step(1, note);
    backup.finish(note);
    await answer(db, 'wait');
    const text = 'Error: SQLITE_CANTOPEN: unable to open database file';
    assert.deepEqual(messages, [text, text, text]);
    assertCode(await failure(db.backup('x.db'), 'step', 1), 'SQLITE_CANTOPEN', 14);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('because the database was closed gets that error, at once and in later calls', async (t) => {
    const { db, copy } = await filled(t);
    await value(db, 'close');
    let seen: unknown;
    const backup = db.backup(copy, (error) => {
      seen = error;
    });
    assert.match(String(seen), /SQLITE_MISUSE: Database is closed/);
    assertCode(await failure(backup, 'step', 1), 'SQLITE_MISUSE', 21);
    assertCode(await failure(backup, 'finish'), 'SQLITE_MISUSE', 21);
    assert.equal(backup.failed, true);
    const emitted: unknown[] = [];
    db.on('error', (error) => emitted.push(error.message));
    db.backup(copy);
    assert.deepEqual(emitted, ['SQLITE_MISUSE: Database is closed']);
    assert.equal(existsSync(copy), false);
  });

  test('because the close before it succeeds gets an error', async (t) => {
    const { db, copy } = await filled(t);
    db.close();
    const backup = db.backup(copy);
    backup.on('error', () => undefined);
    assertCode(await failure(backup, 'step', 1), 'SQLITE_MISUSE', 21);
    assert.equal(existsSync(copy), false);
  });
});

describe('a file name', () => {
  test('with a NUL character is refused, and so is a name of a database', async (t) => {
    const { db, copy } = await filled(t);
    assertCode(await failure(db, 'backup', `${copy}\0.txt`), 'SQLITE_CANTOPEN', 14);
    assertCode(await failure(db, 'backup', copy, 'main\0x', 'main', true), 'SQLITE_MISUSE', 21);
    assert.equal(existsSync(copy), false);
  });

  test('of nothing, or of memory, is a database that goes away', async (t) => {
    const { db } = await filled(t);
    assert.deepEqual((await answer(db.backup(':memory:'), 'step', -1)).args, [null, true]);
    assert.deepEqual((await answer(db.backup(''), 'step', -1)).args, [null, true]);
  });
});
