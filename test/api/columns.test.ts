// Column names: duplicates, odd names, and results whose shape changes under a statement.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, each, row, rows, value } from '../support/calls.js';
import { open } from '../support/database.js';

describe('column names', () => {
  test('that are equal: the last column wins, the others keep their values', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select 1 as a, 2 as b, 3 as a, 4 as c'), { a: 3, b: 2, c: 4 });
    assert.deepEqual(await row(db, 'select 1 as a, 2 as a, 3 as a'), { a: 3 });
    assert.deepEqual(Object.keys(await row(db, 'select 1 as a, 2 as b, 3 as a')), ['a', 'b']);
  });

  test('that are equal in a join', async (t) => {
    const db = await open(t);
    await value(db, 'exec', "create table p(id, name); create table c(id, p, name); insert into p values(1, 'p')");
    await value(db, 'exec', "insert into c values(7, 1, 'c')");
    const sql = 'select * from p join c on c.p = p.id';
    assert.deepEqual(await rows(db, sql), [{ id: 7, name: 'c', p: 1 }]);
    assert.deepEqual((await each(db, sql)).rows, [{ id: 7, name: 'c', p: 1 }]);
  });

  test('that are empty', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select 1 as "", 2 as b'), { '': 1, b: 2 });
  });

  test('that look like integers come first, as in every object', async (t) => {
    const db = await open(t);
    const got = await row(db, 'select 1 as b, 2 as "10", 3 as a, 4 as "2", 5 as "01", 6 as "-1"');
    assert.deepEqual(Object.entries(got), [
      ['2', 4],
      ['10', 2],
      ['b', 1],
      ['a', 3],
      ['01', 5],
      ['-1', 6],
    ]);
  });

  test('of members of Object.prototype are own properties', async (t) => {
    const db = await open(t);
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];
    const sql = `select ${names.map((name, at) => `${at} as "${name}"`).join(', ')}`;
    for (const got of [await row(db, sql), ...(await rows(db, sql)), ...(await each(db, sql)).rows]) {
      assert.deepEqual(Object.keys(got), names);
      names.forEach((name, at) => {
        assert.equal(Object.getOwnPropertyDescriptor(got, name)?.value, at, name);
      });
      assert.equal(Object.getPrototypeOf(got), Object.prototype);
    }
  });

  test('__proto__ with an object as its value would be one, but is a value like any other', async (t) => {
    const db = await open(t);
    const got = await row(db, `select x'01' as "__proto__", null as a`);
    assert.equal(Object.getPrototypeOf(got), Object.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(got, '__proto__')?.value, Buffer.from([1]));
    assert.deepEqual(Object.keys(await row(db, 'select 1 as "__proto__", 2 as "__proto__", 3 as b')), [
      '__proto__',
      'b',
    ]);
  });

  const odd = [
    'with "quotes"',
    "with 'apostrophes'",
    'with `backticks` and $\u007bdollar}',
    'with \\ and \\u0041 and \\n',
    'with\nnewline\r\ttab',
    'with \u2028 and \u2029',
    'with */ and // and <!-- -->',
    'a:1,b',
    ']}); throw 1; ({[',
    'größe 漢 😀',
    'a b',
    ' ',
    'class',
    'x'.repeat(5000),
  ];
  for (const name of odd) {
    test(`may be ${JSON.stringify(name.slice(0, 40))}`, async (t) => {
      const db = await open(t);
      assert.deepEqual(await row(db, `select 1 as "${name.replaceAll('"', '""')}", 2 as other`), {
        [name]: 1,
        other: 2,
      });
    });
  }

  test('of expressions without a name are their text', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select 1+1, count(*), max(2, 3)'), { '1+1': 2, 'count(*)': 1, 'max(2, 3)': 3 });
  });

  test('stay with their own query when many shapes are in flight', async (t) => {
    const db = await open(t);
    const queries = Array.from({ length: 300 }, (_, at) => row(db, `select ${at} as c${at % 150}, 'x' as d${at % 7}`));
    const got = await Promise.all(queries);
    got.forEach((one, at) => {
      assert.deepEqual(one, { [`c${at % 150}`]: at, [`d${at % 7}`]: 'x' });
    });
  });

  test('of rows of the same query are shared in name only: a row may be changed freely', async (t) => {
    const db = await open(t);
    const [first, second] = await rows(db, 'select 1 as a union all select 2');
    assert.ok(first !== undefined && second !== undefined);
    first['b'] = 5;
    delete first['a'];
    assert.deepEqual(second, { a: 2 });
    assert.deepEqual(await row(db, 'select 3 as a'), { a: 3 });
  });
});

describe('a statement whose table changes', () => {
  test('returns a column that was added', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a); insert into t values(1)');
    const statement = db.prepare('select * from t');
    assert.deepEqual(await rows(statement), [{ a: 1 }]);
    await value(db, 'exec', "alter table t add column b default 'new'");
    assert.deepEqual(await rows(statement), [{ a: 1, b: 'new' }]);
    assert.deepEqual((await each(statement)).rows, [{ a: 1, b: 'new' }]);
    await answer(statement, 'reset');
    assert.deepEqual(await row(statement), { a: 1, b: 'new' });
    await answer(statement, 'finalize');
  });

  test('returns a column that was added before the first execution', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a); insert into t values(1)');
    const statement = db.prepare('select * from t');
    await answer(statement, 'bind');
    await value(db, 'exec', 'alter table t add column b default 2');
    assert.deepEqual(await row(statement), { a: 1, b: 2 });
    await answer(statement, 'finalize');
  });

  test('returns the new name of a column and misses one that was dropped', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a, b, c); insert into t values(1, 2, 3)');
    const statement = db.prepare('select * from t');
    assert.deepEqual(await row(statement), { a: 1, b: 2, c: 3 });
    await answer(statement, 'reset');
    await value(db, 'exec', 'alter table t rename column a to z');
    assert.deepEqual(await row(statement), { z: 1, b: 2, c: 3 });
    await answer(statement, 'reset');
    await value(db, 'exec', 'alter table t drop column b');
    assert.deepEqual(await row(statement), { z: 1, c: 3 });
    await answer(statement, 'finalize');
  });

  test('returns another table of the same name', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a, b); insert into t values(1, 2)');
    const statement = db.prepare('select * from t');
    assert.deepEqual(await rows(statement), [{ a: 1, b: 2 }]);
    await value(db, 'exec', "drop table t; create table t(x, y); insert into t values('x', 'y')");
    assert.deepEqual(await rows(statement), [{ x: 'x', y: 'y' }]);
    await answer(statement, 'finalize');
  });

  test('maps to the new shape', async (t) => {
    const db = await open(t);
    await value(db, 'exec', "create table t(k, v); insert into t values('x', 1)");
    const statement = db.prepare('select * from t');
    assert.deepEqual(await value(statement, 'map'), { x: 1 });
    await value(db, 'exec', 'alter table t add column w default 2');
    assert.deepEqual(await value(statement, 'map'), { x: { k: 'x', v: 1, w: 2 } });
    await answer(statement, 'finalize');
  });
});
