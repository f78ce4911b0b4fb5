// Errors of the promise API: all that SQLite knows, and where the call was made.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SqliteError } from 'sqlite-tandem/promises';
import { failureOf, open, sqliteFailure } from './support.js';

describe('an error of SQLite', () => {
  test('has both codes, the SQL and the place in it', async (t) => {
    const db = await open(t);
    const sql = "SELECT 'ünï\u{1F600}', nope";
    const error = await sqliteFailure(db.get(sql), 'SQLITE_ERROR');
    assert.equal(error.message, 'SQLITE_ERROR: no such column: nope');
    assert.equal(error.name, 'SqliteError');
    assert.equal(error.errno, 1);
    assert.equal(error.sql, sql);
    assert.equal(sql.slice(error.offset), 'nope');
  });

  test('keeps the primary code beside the extended one', async (t) => {
    const db = await open(t);
    await db.exec('CREATE TABLE u (v UNIQUE); INSERT INTO u VALUES (1)');
    const error = await sqliteFailure(db.run('INSERT INTO u VALUES (1)'), 'SQLITE_CONSTRAINT');
    assert.equal(error.errno, 19);
    assert.equal(error.extendedCode, 'SQLITE_CONSTRAINT_UNIQUE');
    assert.equal(error.extendedErrno, 2067);
    assert.equal('offset' in error, false);
  });

  test('harms no other call', async (t) => {
    const db = await open(t);
    const [before, failed, behind] = await Promise.allSettled([
      db.get('SELECT 1'),
      db.get('nonsense'),
      db.get('SELECT 2'),
    ]);
    assert.equal(before.status, 'fulfilled');
    assert.equal(failed.status, 'rejected');
    assert.equal(behind.status, 'fulfilled');
  });

  test('is an uncaught rejection of its own when nobody handles it, and no other', async (t) => {
    const db = await open(t);
    const promise = db.get('nonsense');
    const chained = promise.then(() => 'fulfilled');
    await assert.rejects(chained, SqliteError);
  });
});

describe('the stack of an error', () => {
  async function outer(work: () => Promise<unknown>): Promise<void> {
    await work();
  }

  const leadsHere = async (work: () => Promise<unknown>): Promise<void> => {
    const { stack = '' } = await failureOf(outer(work));
    assert.match(stack, /^\w*Error: .*\n(?: {4}at .*\n)*? {4}at async outer /, stack);
    assert.doesNotMatch(stack.split('\n')[1] ?? '', /lib.promises.errors/);
  };

  test('leads to the function that awaits the call', async (t) => {
    const db = await open(t);
    for (const method of ['run', 'get', 'all', 'exec'] as const) {
      await leadsHere(() => Reflect.apply(db[method], db, ['nonsense']) as Promise<unknown>);
    }
    await leadsHere(() => db.prepare('nonsense'));
    await leadsHere(() => db.iterate('nonsense').next());
  });

  test('leads there through Promise.all and through a handler', async (t) => {
    const db = await open(t);
    await leadsHere(() => Promise.all([db.get('SELECT 1'), db.get('nonsense')]));
    await leadsHere(() =>
      db.get('nonsense').catch((error: unknown) => {
        throw error;
      }),
    );
  });

  test('leads out of a transaction', async (t) => {
    const db = await open(t);
    await leadsHere(() => db.transaction(async (tx) => tx.get('nonsense')));
  });

  test('leads there for calls on a closed database', async (t) => {
    const db = await open(t);
    await db.close();
    await leadsHere(() => db.get('SELECT 1'));
  });
});
