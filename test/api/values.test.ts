// Values: what JavaScript values are stored as, and what SQLite's values read as.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { row, rows, single, value } from '../support/calls.js';
import { open } from '../support/database.js';

/** Stored type and value of a parameter. */
const STORED = 'select typeof(?1) as type, ?1 as value';

describe('a JavaScript value is stored as', () => {
  const cases: [string, unknown, string, unknown][] = [
    ['a string', 'text', 'text', 'text'],
    ['an empty string', '', 'text', ''],
    ['zero', 0, 'integer', 0],
    ['minus zero', -0, 'integer', 0],
    ['a small integer', -5, 'integer', -5],
    ['the largest 32-bit integer', 2147483647, 'integer', 2147483647],
    ['the first integer beyond 32 bits', 2147483648, 'integer', 2147483648],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER, 'integer', Number.MAX_SAFE_INTEGER],
    ['the smallest safe integer', Number.MIN_SAFE_INTEGER, 'integer', Number.MIN_SAFE_INTEGER],
    ['an integer that is not safe', 2 ** 53, 'real', 2 ** 53],
    ['a large number', 1e300, 'real', 1e300],
    ['a fraction', 1.5, 'real', 1.5],
    ['the smallest number', Number.MIN_VALUE, 'real', Number.MIN_VALUE],
    ['infinity', Number.POSITIVE_INFINITY, 'real', Number.POSITIVE_INFINITY],
    ['minus infinity', Number.NEGATIVE_INFINITY, 'real', Number.NEGATIVE_INFINITY],
    ['NaN', Number.NaN, 'null', null],
    ['true', true, 'integer', 1],
    ['false', false, 'integer', 0],
    ['null', null, 'null', null],
    ['undefined', undefined, 'null', null],
    ['a date', new Date(1234), 'integer', 1234],
    ['a date of today', new Date(1_700_000_000_123), 'integer', 1_700_000_000_123],
    ['an invalid date', new Date(Number.NaN), 'null', null],
    ['a regular expression', /a\/b/gi, 'text', '/a\\/b/gi'],
    ['a Buffer', Buffer.from([0, 255]), 'blob', Buffer.from([0, 255])],
    ['an empty Buffer', Buffer.alloc(0), 'blob', Buffer.alloc(0)],
    ['a Uint8Array', new Uint8Array([1, 2]), 'blob', Buffer.from([1, 2])],
    ['an empty Uint8Array', new Uint8Array(0), 'blob', Buffer.alloc(0)],
    ['part of a buffer', new Uint8Array([9, 1, 2, 9]).subarray(1, 3), 'blob', Buffer.from([1, 2])],
    ['a Uint8ClampedArray', new Uint8ClampedArray([300]), 'blob', Buffer.from([255])],
    ['a Uint16Array', new Uint16Array([0x0101]), 'blob', Buffer.from([1, 1])],
    ['a Float64Array', new Float64Array([0]), 'blob', Buffer.alloc(8)],
    ['a BigInt64Array', new BigInt64Array([-1n]), 'blob', Buffer.alloc(8, 255)],
    ['a DataView', new DataView(new Uint8Array([9, 1, 2, 9]).buffer, 1, 2), 'blob', Buffer.from([1, 2])],
    ['an ArrayBuffer', new Uint8Array([3, 4]).buffer, 'blob', Buffer.from([3, 4])],
    ['an empty ArrayBuffer', new ArrayBuffer(0), 'blob', Buffer.alloc(0)],
    ['a plain object', { a: 1 }, 'text', '[object Object]'],
    ['an array inside the array', [1, 2], 'text', '[object Object]'],
    ['a boxed number', Object(1), 'text', '[object Object]'],
    ['a boxed string', Object('x'), 'text', '[object Object]'],
    ['a function', () => 1, 'text', '[object Object]'],
    ['a Map', new Map(), 'text', '[object Object]'],
    ['an object without prototype', Object.create(null), 'text', '[object Object]'],
  ];
  for (const [name, input, type, output] of cases) {
    test(`${name}: ${type}`, async (t) => {
      const db = await open(t);
      assert.deepEqual(await row(db, STORED, [input]), { type, value: output });
      assert.deepEqual(await row(db, STORED, { 1: input }), { type, value: output });
    });
  }

  test('an integer beyond 32 bits, as text: without a fraction', async (t) => {
    const db = await open(t);
    assert.equal(await single(db, "select ? || '' as v", 2 ** 31), '2147483648');
    assert.equal(await single(db, "select ? || '' as v", new Date(2 ** 41)), '2199023255552');
  });

  test('minus zero: without its sign', async (t) => {
    const db = await open(t);
    assert.ok(Object.is(await single(db, 'select ? as v', -0), 0));
  });

  test('DataView and ArrayBuffer as the only argument: blob', async (t) => {
    const db = await open(t);
    const bytes = new Uint8Array([5, 6]);
    assert.deepEqual(await single(db, 'select ? as v', new DataView(bytes.buffer)), Buffer.from([5, 6]));
    assert.deepEqual(await single(db, 'select ? as v', bytes.buffer), Buffer.from([5, 6]));
  });

  test('values of another realm: as those of this one', async (t) => {
    const db = await open(t);
    const foreign: unknown = runInNewContext(
      '[new Date(77), /x/i, new Uint8Array([1, 2]), new Uint8Array([3]).buffer]',
    );
    assert.ok(Array.isArray(foreign));
    const expected = [
      { type: 'integer', value: 77 },
      { type: 'text', value: '/x/i' },
      { type: 'blob', value: Buffer.from([1, 2]) },
      { type: 'blob', value: Buffer.from([3]) },
    ];
    const got: unknown[] = [];
    for (const input of foreign) {
      got.push(await row(db, STORED, [input]));
    }
    assert.deepEqual(got, expected);
  });

  test('an array of another realm: parameters by position', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select ? as a, ? as b', runInNewContext('[1, 2]')), { a: 1, b: 2 });
  });
});

describe('a value of SQLite reads as', () => {
  test('number, string, Buffer and null', async (t) => {
    const db = await open(t);
    const sql = "select 1 as i, 1.5 as r, 1.0 as whole, 'x' as t, x'00ff' as b, null as n, '' as e, x'' as z";
    assert.deepEqual(await row(db, sql), {
      i: 1,
      r: 1.5,
      whole: 1,
      t: 'x',
      b: Buffer.from([0, 255]),
      n: null,
      e: '',
      z: Buffer.alloc(0),
    });
  });

  test('infinities as infinities', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select 9e999 as a, -9e999 as b'), {
      a: Number.POSITIVE_INFINITY,
      b: Number.NEGATIVE_INFINITY,
    });
  });

  test('the same number for every kind of real', async (t) => {
    const db = await open(t);
    const reals = [0.1, -1 / 3, Math.PI, 5e-324, 1.7976931348623157e308, 2 ** 53 + 2, -(2 ** 63)];
    assert.deepEqual(
      await rows(db, 'select value as v from json_each(?)', JSON.stringify(reals)),
      reals.map((v) => ({ v })),
    );
    for (const real of reals) {
      assert.equal(await single(db, 'select ? as v', real), real);
    }
  });

  test('a plain object with properties in the order of the columns', async (t) => {
    const db = await open(t);
    const got = await row(db, 'select 1 as z, 2 as a, 3 as m');
    assert.equal(Object.getPrototypeOf(got), Object.prototype);
    assert.deepEqual(Object.keys(got), ['z', 'a', 'm']);
    assert.deepEqual(Object.getOwnPropertyDescriptor(got, 'a'), {
      value: 2,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  });

  test('values of mixed types in one column', async (t) => {
    const db = await open(t);
    const mixed = [1, 'x', null, 2.5, Buffer.from('b'), 2 ** 40, '', Buffer.alloc(0), 'ü', -1];
    await value(db, 'exec', 'create table t(v)');
    for (const item of mixed) {
      db.run('insert into t values(?)', [item]);
    }
    assert.deepEqual(
      await rows(db, 'select v from t order by rowid'),
      mixed.map((v) => ({ v })),
    );
  });
});
