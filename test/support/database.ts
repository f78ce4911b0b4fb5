// Databases for tests: opened, awaited, and closed when the test is over.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { type Answer, asError, once, type SqliteError } from './calls.js';

/** Opens a database, in memory unless a file is named, and closes it after the test if the test has not. */
export async function open(t: TestContext, filename = ':memory:', mode?: number): Promise<sqlite3.Database> {
  const { self, args } = await opened(filename, mode);
  if (args[0] !== null) {
    throw args[0];
  }
  assert.ok(self instanceof sqlite3.Database, 'the callback is called on the database');
  const db = self;
  t.after(() => closeIfOpen(db));
  return db;
}

/** The error a database fails to open with. */
export async function openFailure(filename: string, mode?: number): Promise<SqliteError> {
  const { args } = await opened(filename, mode);
  return asError(args[0]);
}

/** What the callback of the constructor got. */
function opened(filename: string, mode: number | undefined): Promise<Answer> {
  return once('open', (callback) => {
    if (mode === undefined) {
      new sqlite3.Database(filename, callback);
    } else {
      new sqlite3.Database(filename, mode, callback);
    }
  });
}

/** Closes what a test left open; a refusal is no concern of that test. */
async function closeIfOpen(db: sqlite3.Database): Promise<void> {
  if (db.open) {
    await once('close after the test', (callback) => db.close(callback));
  }
}

/** A new folder that goes away after the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-tandem-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A name for a file in a folder of its own that goes away after the test. */
export function temporaryFile(t: TestContext, name = 'test.db'): string {
  return join(temporaryFolder(t), name);
}

/** SQL of a query that yields the numbers 1 to `count` as column `v`; without a count it never ends. */
export function numbers(count = Number.POSITIVE_INFINITY): string {
  const stop = Number.isFinite(count) ? ` where v < ${count}` : '';
  return `with recursive n(v) as (select 1 union all select v + 1 from n${stop}) select v from n`;
}
