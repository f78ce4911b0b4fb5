// 64-bit integers: bound exactly, read as numbers unless configured otherwise.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, each, row, rows, single, value } from '../support/calls.js';
import { open } from '../support/database.js';

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

describe('a bigint parameter', () => {
  for (const input of [0n, 1n, -1n, 2n ** 31n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, MAX, MIN]) {
    test(`${input} is stored as that integer`, async (t) => {
      const db = await open(t);
      const sql = "select typeof(?1) as type, ?1 || '' as text";
      const expected = { type: 'integer', text: String(input) };
      assert.deepEqual(await row(db, sql, input), expected);
      assert.deepEqual(await row(db, sql, [input]), expected);
      assert.deepEqual(await row(db, sql, { 1: input }), expected);
      const statement = db.prepare(sql);
      assert.deepEqual(await row(statement, input), expected);
      await answer(statement, 'finalize');
    });
  }

  test('is found again as a key beyond the safe integers', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(id integer primary key, v)');
    for (const id of [2n ** 53n, 2n ** 53n + 1n]) {
      await value(db, 'run', 'insert into t values(?, ?)', id, String(id));
    }
    assert.equal(await single(db, 'select v from t where id = ?', 2n ** 53n + 1n), '9007199254740993');
  });
});

describe('an integer reads as', () => {
  test('the nearest number by default', async (t) => {
    const db = await open(t);
    const sql =
      'select 9007199254740991 as safe, 9007199254740993 as beyond, 9223372036854775807 as max, -9223372036854775808 as min';
    assert.deepEqual(await row(db, sql), {
      safe: Number.MAX_SAFE_INTEGER,
      beyond: 9007199254740992,
      max: 2 ** 63,
      min: -(2 ** 63),
    });
  });

  test('the exact number at each boundary of its size in the file', async (t) => {
    const db = await open(t);
    const edges = [7, 8, 15, 16, 23, 24, 31, 32, 47, 48, 52].flatMap((bits) => [
      2 ** bits - 1,
      2 ** bits,
      2 ** bits + 1,
    ]);
    const all = [0, ...edges, ...edges.map((edge) => -edge)];
    await value(db, 'exec', 'create table t(v)');
    const statement = db.prepare('insert into t values(?)');
    for (const one of all) {
      statement.run(one);
    }
    await answer(statement, 'finalize');
    assert.deepEqual(
      await rows(db, 'select v, typeof(v) as type from t order by rowid'),
      all.map((v) => ({ v, type: 'integer' })),
    );
  });

  test('a bigint with integers set to bigint', async (t) => {
    const db = await open(t);
    assert.equal(db.configure('integers', 'bigint'), db);
    const sql = "select 1 as small, 9223372036854775807 as max, 1.5 as real, 'x' as text";
    const expected = { small: 1n, max: MAX, real: 1.5, text: 'x' };
    assert.deepEqual(await row(db, sql), expected);
    assert.deepEqual(await rows(db, sql), [expected]);
    assert.deepEqual((await each(db, sql)).rows, [expected]);
  });

  test('a bigint only beyond the safe integers with integers set to mixed', async (t) => {
    const db = await open(t);
    db.configure('integers', 'mixed');
    const got = await rows(
      db,
      `select column1 as v from (values (0), (-5), (9007199254740991), (9007199254740992), (-9007199254740991),
       (-9007199254740992), (9223372036854775807), (-9223372036854775808))`,
    );
    assert.deepEqual(
      got.map(({ v }) => v),
      [0, -5, 9007199254740991, 2n ** 53n, -9007199254740991, -(2n ** 53n), MAX, MIN],
    );
  });

  test('a number again with integers set to number', async (t) => {
    const db = await open(t);
    db.configure('integers', 'bigint');
    assert.equal(await single(db, 'select 1 as v'), 1n);
    db.configure('integers', 'number');
    assert.equal(await single(db, 'select 1 as v'), 1);
  });

  test('what was configured at the time of the call', async (t) => {
    const db = await open(t);
    const before = single(db, 'select 1 as v');
    db.configure('integers', 'bigint');
    const after = single(db, 'select 1 as v');
    assert.deepEqual(await Promise.all([before, after]), [1, 1n]);
  });

  test('what its own database is configured to', async (t) => {
    const [one, other] = [await open(t), await open(t)];
    one.configure('integers', 'bigint');
    assert.equal(await single(other, 'select 1 as v'), 1);
    assert.equal(await single(one, 'select 1 as v'), 1n);
  });

  test('refuses a setting that does not exist', async (t) => {
    const db = await open(t);
    assert.throws(() => Reflect.apply(db.configure, db, ['integers', 'float']), TypeError);
    assert.throws(() => Reflect.apply(db.configure, db, ['integers', 5]), TypeError);
    assert.equal(await single(db, 'select 1 as v'), 1);
  });
});
