// run, get, all, exec of the promise API, and what their options change.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failureOf, open, openTable, sqliteFailure, valuesOf } from './support.js';

describe('run', () => {
  test('tells how many rows changed and the last rowid', async (t) => {
    const db = await openTable(t);
    assert.deepEqual(await db.run('INSERT INTO t (v) VALUES (1), (2)'), { changes: 2, lastID: 2 });
    assert.deepEqual(await db.run('UPDATE t SET v = 0'), { changes: 2, lastID: 2 });
  });

  test('executes a statement that returns rows to its end', async (t) => {
    const db = await openTable(t);
    assert.equal((await db.run('INSERT INTO t (v) VALUES (1), (2) RETURNING v')).changes, 2);
  });
});

describe('get and all', () => {
  test('give undefined and an empty array when there is no row', async (t) => {
    const db = await openTable(t);
    assert.equal(await db.get('SELECT * FROM t'), undefined);
    assert.deepEqual(await db.all('SELECT * FROM t'), []);
    assert.equal(await db.get('SELECT * FROM t', [], { rowMode: 'value' }), undefined);
  });

  test('give rows as objects, arrays or values', async (t) => {
    const db = await openTable(t, ['a', 'b']);
    const sql = 'SELECT v, id FROM t';
    assert.deepEqual(await db.all(sql), [
      { v: 'a', id: 1 },
      { v: 'b', id: 2 },
    ]);
    assert.deepEqual(await db.all(sql, [], { rowMode: 'array' }), [
      ['a', 1],
      ['b', 2],
    ]);
    assert.deepEqual(await db.all(sql, [], { rowMode: 'value' }), ['a', 'b']);
    assert.deepEqual(await db.get(sql, [], { rowMode: 'array' }), ['a', 1]);
    assert.equal(await db.get(sql, [], { rowMode: 'value' }), 'a');
  });

  test('keep columns of the same name apart in arrays', async (t) => {
    const db = await open(t);
    assert.deepEqual(await db.get('SELECT 1 AS v, 2 AS v', [], { rowMode: 'array' }), [1, 2]);
    assert.deepEqual(await db.get('SELECT 1 AS v, 2 AS v'), { v: 2 });
  });

  test('take texts apart that follow each other in every row mode', async (t) => {
    const db = await open(t);
    const sql = "SELECT 'ab' || value, 'ünï' || value, x'0102', value FROM generate_series(1, 50)";
    const alternative = sql.replace(
      'generate_series(1, 50)',
      '(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 50) SELECT value FROM n)',
    );
    const arrays = await db.all(alternative, [], { rowMode: 'array' });
    assert.deepEqual(arrays[49], ['ab50', 'ünï50', Buffer.from([1, 2]), 50]);
    const values = await db.all(alternative, [], { rowMode: 'value' });
    assert.deepEqual(values.slice(-2), ['ab49', 'ab50']);
  });

  test('give results in the order of the calls', async (t) => {
    const db = await open(t);
    const order: number[] = [];
    const calls = Array.from({ length: 200 }, (_, i) =>
      db.get('SELECT ? AS i', [i]).then((row) => order.push(Number(row?.['i']))),
    );
    await Promise.all(calls);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    assert.equal(order.length, 200);
  });
});

describe('integers', () => {
  const large = 2n ** 53n + 1n;

  test('are numbers, and bigints where a number would be rounded, unless said', async (t) => {
    const db = await open(t);
    assert.deepEqual(await db.get('SELECT 1 AS a, 9007199254740993 AS b, 1.0 AS c'), { a: 1, b: large, c: 1 });
  });

  test('are read as the call wants them, and the next call is not concerned', async (t) => {
    const db = await open(t);
    const value = (integers: 'number' | 'bigint' | 'mixed'): Promise<unknown> =>
      db.get('SELECT ?', [large], { rowMode: 'value', integers });
    assert.equal(await value('number'), Number(large));
    assert.equal(await value('bigint'), large);
    assert.equal(await value('mixed'), large);
    assert.equal(await db.get('SELECT 1', [], { rowMode: 'value', integers: 'bigint' }), 1n);
    assert.equal(await db.get('SELECT 1', [], { rowMode: 'value' }), 1);
  });

  test('are read as open() says', async (t) => {
    const db = await open(t, ':memory:', { integers: 'bigint' });
    assert.deepEqual(await db.get('SELECT 1 AS v'), { v: 1n });
    const statement = await db.prepare('SELECT 1 AS v', { integers: 'number' });
    assert.deepEqual(await statement.get(), { v: 1 });
    assert.deepEqual(await statement.all([], { integers: 'mixed' }), [{ v: 1 }]);
  });
});

describe('the text of a call', () => {
  test('holds one statement; blanks, comments and semicolons behind it are no other', async (t) => {
    const db = await open(t);
    assert.deepEqual(await db.get('SELECT 1 AS v; -- done\n ; /* yes */'), { v: 1 });
    const error = await sqliteFailure(db.run('SELECT 1; SELECT 2'), 'SQLITE_MISUSE');
    assert.equal(error.message, 'SQLITE_MISUSE: the SQL text has more than one statement');
    assert.equal(error.sql, 'SELECT 1; SELECT 2');
    await sqliteFailure(db.prepare('SELECT 1; SELECT 2'), 'SQLITE_MISUSE');
    await sqliteFailure(db.iterate('SELECT 1; SELECT 2').next(), 'SQLITE_MISUSE');
  });

  test('must hold a statement', async (t) => {
    const db = await open(t);
    for (const sql of ['', '  ', '-- nothing', ';']) {
      const error = await sqliteFailure(db.run(sql), 'SQLITE_MISUSE');
      assert.equal(error.message, 'SQLITE_MISUSE: the SQL text has no statement');
    }
  });

  test('is a string, and anything else rejects the promise', async (t) => {
    const db = await open(t);
    for (const method of ['run', 'get', 'all', 'exec', 'prepare'] as const) {
      for (const sql of [undefined, null, 1, Buffer.from('SELECT 1'), ['SELECT 1']]) {
        assert.ok((await failureOf(Reflect.apply(db[method], db, [sql]))) instanceof TypeError);
      }
    }
  });
});

describe('exec', () => {
  test('executes all statements of a text', async (t) => {
    const db = await open(t);
    assert.equal(await db.exec('CREATE TABLE t (id, v); INSERT INTO t VALUES (1, 2); SELECT * FROM t;'), undefined);
    assert.deepEqual(await valuesOf(db), [2]);
  });

  test('stops at the first that fails', async (t) => {
    const db = await open(t);
    const script = 'CREATE TABLE t (id, v); SELECT nope; INSERT INTO t VALUES (1, 1)';
    const error = await sqliteFailure(db.exec(script), 'SQLITE_ERROR');
    assert.ok(script.slice(error.offset).startsWith('nope'));
    assert.deepEqual(await valuesOf(db), []);
  });
});

describe('an option', () => {
  test('that does not exist, or has a wrong value, rejects the call', async (t) => {
    const db = await open(t);
    const wrong: readonly Record<string, unknown>[] = [
      { rowmode: 'array' },
      { rowMode: 'list' },
      { integers: 'string' },
      { timeout: -1 },
      { timeout: 1.5 },
      { timeout: '1' },
      { signal: {} },
      { types: { X: {} } },
      { types: { X: { read: String, write: String } } },
      { types: 1 },
    ];
    for (const options of wrong) {
      const error = await failureOf(db.get('SELECT 1', [], options as object));
      assert.ok(error instanceof TypeError, JSON.stringify(options));
      assert.match(error.message, new RegExp(`option ${Object.keys(options)[0]}`));
    }
    for (const options of [null, [], new Date(), new AbortController().signal, 'array']) {
      const error = await failureOf(db.get('SELECT 1', [], options as object));
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /options must be an object/);
    }
    class Defaults {
      readonly rowMode = 'value';
    }
    assert.equal(await db.get('SELECT 1', [], new Defaults()), 1);
    assert.ok((await failureOf(db.exec('SELECT 1', { rowMode: 'array' } as object))) instanceof TypeError);
  });
});
