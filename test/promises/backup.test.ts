// backup() of the promise API: a complete copy, taken between other calls.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import type { BackupProgress } from 'sqlite-tandem/promises';
import { temporaryFile } from '../support/database.js';
import { failureOf, open, openTable, sqliteFailure, valuesOf } from './support.js';

const texts = Array.from({ length: 100 }, (_, i) => String(i).padStart(1000, 'x'));

describe('backup', () => {
  test('copies everything, and tells how many pages', async (t) => {
    const db = await openTable(t, texts);
    const copy = temporaryFile(t);
    const { pageCount } = await db.backup(copy);
    assert.ok(pageCount > 20);
    const copied = await open(t, copy);
    assert.deepEqual(await valuesOf(copied), texts);
    assert.deepEqual(await copied.get('PRAGMA page_count'), { page_count: pageCount });
  });

  test('reports its progress, in steps of so many pages, and other calls run between them', async (t) => {
    const db = await openTable(t, texts);
    const seen: BackupProgress[] = [];
    let reads = 0;
    await db.backup(temporaryFile(t), {
      pages: 5,
      onProgress: (progress) => {
        seen.push(progress);
        void db.get('SELECT 1').then(() => reads++);
      },
    });
    const [first] = seen;
    assert.ok(first !== undefined && seen.length > 3);
    assert.equal(first.remaining, first.pageCount - 5);
    assert.equal(seen.at(-1)?.remaining, 0);
    assert.ok(reads >= seen.length - 1, 'a read was answered before the step that came behind it');
  });

  test('waits for transactions, and does not see what they take back', async (t) => {
    const db = await openTable(t, [1]);
    const copy = temporaryFile(t);
    const failing = db.transaction(async (tx) => {
      await tx.run('INSERT INTO t (v) VALUES (2)');
      throw new Error('back');
    });
    await Promise.allSettled([failing, db.backup(copy)]);
    assert.deepEqual(await valuesOf(await open(t, copy)), [1]);
  });

  test('copies an attached database', async (t) => {
    const db = await open(t);
    await db.exec("ATTACH ':memory:' AS other; CREATE TABLE other.t (id, v); INSERT INTO other.t VALUES (1, 'x')");
    const copy = temporaryFile(t);
    await db.backup(copy, { source: 'other' });
    assert.deepEqual(await valuesOf(await open(t, copy)), ['x']);
  });

  test('is cancelled by its signal, and leaves the destination as it was', async (t) => {
    const db = await openTable(t, texts);
    const copy = temporaryFile(t);
    const old = await open(t, copy);
    await old.exec("CREATE TABLE t (id, v); INSERT INTO t VALUES (1, 'old')");
    const controller = new AbortController();
    const call = db.backup(copy, {
      pages: 1,
      signal: controller.signal,
      onProgress: () => controller.abort('enough'),
    });
    const error = await failureOf(call);
    assert.equal(error.name, 'AbortError');
    assert.equal(error.cause, 'enough');
    await db.get('SELECT 1');
    assert.deepEqual(await valuesOf(old), ['old']);
    await db.backup(copy);
  });

  test('is ended by what onProgress throws', async (t) => {
    const db = await openTable(t, texts);
    const mistake = new Error('mistake');
    const call = db.backup(temporaryFile(t), {
      pages: 1,
      onProgress: () => {
        throw mistake;
      },
    });
    assert.equal(await failureOf(call), mistake);
    await db.close();
  });

  test('does not take what onProgress throws for a lock that it could wait for', async (t) => {
    const db = await openTable(t, texts);
    const mistakes: readonly unknown[] = [Object.assign(new Error('mistake'), { errno: sqlite3.BUSY }), null];
    for (const mistake of mistakes) {
      let thrown = false;
      const call = db.backup(temporaryFile(t), {
        pages: 1,
        // Once: a backup that went on would come to its end.
        onProgress: () => {
          if (thrown) return;
          thrown = true;
          throw mistake;
        },
      });
      assert.deepEqual(await Promise.allSettled([call]), [{ status: 'rejected', reason: mistake }]);
    }
  });

  test('tries again while the destination is locked, up to busyTimeout', async (t) => {
    const copy = temporaryFile(t);
    const locker = await open(t, copy);
    await locker.exec('CREATE TABLE t (v)');
    const db = await open(t, ':memory:', { busyTimeout: 30 });
    await db.exec('CREATE TABLE t (id, v)');
    await locker.transaction(() => sqliteFailure(db.backup(copy), 'SQLITE_BUSY'), { mode: 'exclusive' });
    await db.backup(copy);
  });

  test('rejects what cannot be', async (t) => {
    const db = await open(t);
    await sqliteFailure(db.backup(temporaryFile(t, 'no/folder/copy.db')), 'SQLITE_CANTOPEN');
    await sqliteFailure(db.backup(temporaryFile(t), { source: 'nowhere' }), 'SQLITE_ERROR');
    for (const args of [
      [],
      [1],
      ['x', { pages: 0 }],
      ['x', { onProgress: 1 }],
      ['x', { source: 1 }],
      ['x', { page: 1 }],
    ]) {
      assert.ok((await failureOf(Reflect.apply(db.backup, db, args))) instanceof TypeError, JSON.stringify(args));
    }
  });
});
