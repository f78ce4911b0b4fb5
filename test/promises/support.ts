// Databases of the promise API for tests: opened, and closed when the test is over.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Database, type OpenOptions, open as openDatabase, SqliteError } from 'sqlite-tandem/promises';

/** Opens a database, in memory unless a file is named, and closes it after the test. */
export async function open(t: TestContext, file = ':memory:', options?: OpenOptions): Promise<Database> {
  const db = await openDatabase(file, options);
  t.after(() => db.close());
  return db;
}

/** The same with a table `t (id INTEGER PRIMARY KEY, v)` that has rows with these values. */
export async function openTable(t: TestContext, values: readonly (number | string)[] = []): Promise<Database> {
  const db = await open(t);
  await db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
  for (const value of values) await db.run('INSERT INTO t (v) VALUES (?)', [value]);
  return db;
}

/** The values of that table in the order of their ids. */
export function valuesOf(db: Pick<Database, 'all'>): Promise<unknown[]> {
  return db.all('SELECT v FROM t ORDER BY id', [], { rowMode: 'value' });
}

/** The error with which a promise is rejected. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof Error, `an error came, not ${String(error)}`);
    return error;
  }
  throw new assert.AssertionError({ message: 'the promise was fulfilled' });
}

/** The same where it must be an error of SQLite with that code. */
export async function sqliteFailure(promise: Promise<unknown>, code: string): Promise<SqliteError> {
  const error = await failureOf(promise);
  assert.ok(error instanceof SqliteError, String(error));
  assert.equal(error.code, code, error.message);
  return error;
}

/** A promise and what settles it. */
export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** SQL of a query that never ends. */
export const endless = 'WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n) SELECT max(v) FROM n';
