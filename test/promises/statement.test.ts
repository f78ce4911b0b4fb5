// Prepared statements of the promise API: what they are, and their calls.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failureOf, open, openTable, sqliteFailure, valuesOf } from './support.js';

describe('a prepared statement', () => {
  test('is executed with new parameters again and again', async (t) => {
    const db = await openTable(t);
    const insert = await db.prepare('INSERT INTO t (v) VALUES ($v)');
    for (const v of ['a', 'b']) await insert.run({ v });
    await Promise.all(['c', 'd'].map((v) => insert.run([v])));
    assert.deepEqual(await valuesOf(db), ['a', 'b', 'c', 'd']);
    const select = await db.prepare('SELECT v FROM t WHERE id > ?', { rowMode: 'value' });
    assert.deepEqual(await select.all([2]), ['c', 'd']);
    assert.equal(await select.get([1]), 'b');
    assert.equal(await select.get([1]), 'b');
    assert.equal(await select.get([9]), undefined);
  });

  test('begins anew with each call, whatever was called before', async (t) => {
    const db = await openTable(t, ['a', 'b']);
    const select = await db.prepare('SELECT v FROM t ORDER BY id', { rowMode: 'value' });
    assert.equal(await select.get(), 'a');
    assert.equal(await select.get(), 'a');
    assert.deepEqual(await select.all(), ['a', 'b']);
    assert.equal(await select.get(), 'a');
    await select.run();
    assert.equal(await select.get(), 'a');
    await db.exec('DROP TABLE t');
  });

  test('wants all of its parameters each time: none is left from the call before', async (t) => {
    const db = await open(t);
    const statement = await db.prepare('SELECT $a AS a, $b AS b');
    assert.deepEqual(await statement.get({ a: 1, b: 2 }), { a: 1, b: 2 });
    assert.match((await failureOf(statement.get({ a: 1 }))).message, /parameter \$b has no value/);
    assert.match((await failureOf(statement.get())).message, /parameter \$a has no value/);
  });

  test('says what it is', async (t) => {
    const db = await openTable(t);
    const sql = 'SELECT v FROM t WHERE v = $v AND id > ? AND id < ?4';
    const select = await db.prepare(sql);
    assert.equal(select.sql, sql);
    assert.deepEqual(select.parameters, ['$v', null, null, '?4']);
    assert.equal(select.readOnly, true);
    const remove = await db.prepare('DELETE FROM t');
    assert.deepEqual(remove.parameters, []);
    assert.equal(remove.readOnly, false);
  });

  test('describes the columns of its rows', async (t) => {
    const db = await open(t);
    await db.exec('CREATE TABLE user (id INTEGER PRIMARY KEY, name VARCHAR(20), plain)');
    const statement = await db.prepare('SELECT id, name AS n, plain, 1 + 1 FROM user');
    assert.deepEqual(await statement.columns(), [
      { name: 'id', type: 'INTEGER', database: 'main', table: 'user', column: 'id' },
      { name: 'n', type: 'VARCHAR(20)', database: 'main', table: 'user', column: 'name' },
      { name: 'plain', type: null, database: 'main', table: 'user', column: 'plain' },
      { name: '1 + 1', type: null, database: null, table: null, column: null },
    ]);
    assert.deepEqual(await (await db.prepare('DELETE FROM user')).columns(), []);
  });

  test('writes out its SQL with values', async (t) => {
    const db = await open(t);
    const statement = await db.prepare('SELECT $a, ?');
    assert.equal(await statement.expandedSQL({ a: "it's", 2: 1 } as object).catch(() => 'refused'), 'refused');
    assert.equal(await statement.expandedSQL(["it's", 1.5]), "SELECT 'it''s', 1.5");
    assert.equal(await statement.expandedSQL([null, Buffer.from([255])]), "SELECT NULL, x'ff'");
  });

  test('that cannot be prepared rejects prepare()', async (t) => {
    const db = await open(t);
    const error = await sqliteFailure(db.prepare('SELECT nope'), 'SQLITE_ERROR');
    assert.equal(error.sql, 'SELECT nope');
    assert.equal(error.offset, 7);
  });

  test('sees a changed schema', async (t) => {
    const db = await open(t);
    await db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    const statement = await db.prepare('SELECT * FROM t');
    assert.deepEqual(await statement.all(), [{ a: 1 }]);
    await db.exec('ALTER TABLE t ADD COLUMN b');
    assert.deepEqual(await statement.all(), [{ a: 1, b: null }]);
    assert.deepEqual(
      (await statement.columns()).map(({ name }) => name),
      ['a', 'b'],
    );
  });
});

describe('finalize', () => {
  test('waits for the calls before it, and refuses those behind it', async (t) => {
    const db = await openTable(t);
    const statement = await db.prepare('INSERT INTO t (v) VALUES (1)');
    const before = statement.run();
    const finalized = statement.finalize();
    const behind = sqliteFailure(statement.run(), 'SQLITE_MISUSE');
    assert.equal((await before).changes, 1);
    await finalized;
    assert.match((await behind).message, /the statement has been finalized/);
    for (const call of [statement.all(), statement.columns(), statement.expandedSQL(), statement.iterate().next()]) {
      await sqliteFailure(call, 'SQLITE_MISUSE');
    }
    assert.deepEqual(await valuesOf(db), [1]);
  });

  test('of a statement of the database is refused inside of a transaction: calls of others may still need it', async (t) => {
    const db = await openTable(t);
    const statement = await db.prepare('INSERT INTO t (v) VALUES (?)');
    const transaction = db.transaction(() => statement.finalize());
    const waiting = statement.run([1]);
    assert.match((await sqliteFailure(transaction, 'SQLITE_MISUSE')).message, /inside its own transaction/);
    assert.equal((await waiting).changes, 1);
    await statement.run([2]);
    await statement.finalize();
    await sqliteFailure(statement.run([3]), 'SQLITE_MISUSE');
    // Nothing is left to be done then, so nothing is wrong with it.
    await db.transaction(() => statement.finalize());
    assert.deepEqual(await valuesOf(db), [1, 2]);
  });

  test('is no error when it comes again, or behind close()', async (t) => {
    const db = await open(t);
    const [one, two] = [await db.prepare('SELECT 1'), await db.prepare('SELECT 2')];
    await Promise.all([one.finalize(), one.finalize()]);
    await db.close();
    await two.finalize();
    await one.finalize();
  });
});

describe('a statement of a transaction', () => {
  test('takes part in it, and ends with it', async (t) => {
    const db = await openTable(t);
    const statement = await db.transaction(async (tx) => {
      const insert = await tx.prepare('INSERT INTO t (v) VALUES (?)');
      await insert.run([1]);
      return insert;
    });
    await sqliteFailure(statement.run([2]), 'SQLITE_MISUSE');
    await statement.finalize();
    assert.deepEqual(await valuesOf(db), [1]);
  });
});
