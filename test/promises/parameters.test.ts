// Parameters of the promise API: friendly to names, strict about everything else.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ParameterError, types } from 'sqlite-tandem/promises';
import { failureOf, open } from './support.js';

type Given = readonly [sql: string, parameters: unknown];

async function refused(t: Parameters<typeof open>[0], [sql, parameters]: Given): Promise<ParameterError> {
  const db = await open(t);
  const error = await failureOf(db.get(sql, parameters as object));
  assert.ok(error instanceof ParameterError, String(error));
  assert.ok(error instanceof TypeError);
  assert.equal(error.code, 'ERR_SQLITE_PARAMETER');
  assert.equal(error.sql, sql);
  assert.ok(error.message.includes(sql), error.message);
  return error;
}

describe('values', () => {
  test('come back as they went in', async (t) => {
    const db = await open(t);
    const values = [
      null,
      0,
      -1,
      1.5,
      2 ** 40,
      Number.POSITIVE_INFINITY,
      'text',
      '',
      'ünï\u{1F600}',
      Buffer.from([1, 2, 0]),
      Buffer.alloc(0),
      2n ** 62n,
    ];
    for (const value of values) {
      assert.deepEqual(await db.get('SELECT ?', [value], { rowMode: 'value' }), value);
    }
  });

  test('may be booleans, typed arrays, ArrayBuffers and small bigints', async (t) => {
    const db = await open(t);
    const value = (given: object | boolean | bigint): Promise<unknown> =>
      db.get('SELECT ?', [given], { rowMode: 'value' });
    assert.equal(await value(true), 1);
    assert.equal(await value(false), 0);
    assert.equal(await value(12n), 12);
    assert.deepEqual(await value(new Uint8Array([1, 2])), Buffer.from([1, 2]));
    assert.deepEqual(await value(new Uint8Array([1, 2]).buffer), Buffer.from([1, 2]));
    assert.deepEqual(await value(new Uint16Array([258])), Buffer.from([2, 1]));
    assert.deepEqual(await value(new SharedArrayBuffer(2)), Buffer.from([0, 0]));
  });

  test('are copied at the call, also when the call has to wait', async (t) => {
    const db = await open(t);
    const bytes = Buffer.from('before');
    const list = [bytes];
    const queue = db.transaction(async () => {});
    const got = db.get('SELECT ?', list, { rowMode: 'value' });
    bytes.write('behind');
    list.length = 0;
    await queue;
    assert.deepEqual(await got, Buffer.from('before'));
  });
});

describe('named parameters', () => {
  test('match with their prefix and without', async (t) => {
    const db = await open(t);
    const sql = 'SELECT $a AS a, :b AS b, @c AS c';
    const expected = { a: 1, b: 2, c: 3 };
    assert.deepEqual(await db.get(sql, { a: 1, b: 2, c: 3 }), expected);
    assert.deepEqual(await db.get(sql, { $a: 1, ':b': 2, '@c': 3 }), expected);
  });

  test('are found in objects without a prototype and of classes', async (t) => {
    const db = await open(t);
    class Point {
      x = 1;
    }
    assert.deepEqual(await db.get('SELECT $x AS x', new Point()), { x: 1 });
    assert.deepEqual(await db.get('SELECT $x AS x', Object.assign(Object.create(null), { x: 2 })), { x: 2 });
  });

  test('are all bound by one bare name when they differ in the prefix only', async (t) => {
    const db = await open(t);
    assert.deepEqual(await db.get('SELECT $a + :a + $a AS sum', { a: 2 }), { sum: 6 });
    assert.deepEqual(await db.get('SELECT $a AS x, :a AS y', { $a: 1, a: 2 }), { x: 1, y: 2 });
  });

  test('may also come by position', async (t) => {
    const db = await open(t);
    assert.deepEqual(await db.get('SELECT $a AS a, ? AS b, $a AS c', [1, 2]), { a: 1, b: 2, c: 1 });
  });

  test('may be numbers, and the numbers that the text skips need no value', async (t) => {
    const db = await open(t);
    assert.deepEqual(await db.get('SELECT ?3 AS a', { 3: 'x' }), { a: 'x' });
  });
});

function detached(): Uint8Array {
  const bytes = new Uint8Array(4);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}

describe('an error names the parameter and the SQL', () => {
  const cases: readonly (readonly [string, Given, unknown, RegExp])[] = [
    ['of a missing name', ['SELECT $a, :b', { a: 1 }], ':b', /parameter :b has no value/],
    ['of an unknown name', ['SELECT $a', { a: 1, c: 1 }], 'c', /no parameter c/],
    ['of an inherited name', ['SELECT $toString', {}], '$toString', /has no value/],
    ['of a missing position', ['SELECT ?, $b', [1]], '$b', /parameter \$b has no value: 1 given, the SQL has 2/],
    ['of a value too many', ['SELECT ?', [1, 2]], 2, /value 2 has no parameter/],
    ['of values where there are none', ['SELECT 1', [1]], 1, /value 1 has no parameter/],
    ['when there are no parameters at all', ['SELECT $a', undefined], '$a', /has no value/],
    ['of a nameless parameter', ['SELECT ?', { a: 1 }], 1, /has no name/],
    ['of undefined', ['SELECT $a', { a: undefined }], '$a', /undefined/],
    ['of undefined in an array', ['SELECT ?', [undefined]], 1, /undefined/],
    ['of an object', ['SELECT ?', [{}]], 1, /an object cannot be bound/],
    ['of a Date', ['SELECT ?', [new Date()]], 1, /a Date cannot be bound/],
    ['of a function', ['SELECT ?', [() => 1]], 1, /a function cannot be bound/],
    ['of a symbol', ['SELECT ?', [Symbol('s')]], 1, /a symbol cannot be bound/],
    ['of an array', ['SELECT ?', [[1]]], 1, /an array cannot be bound; .* carray\(\?\)/],
    ['of a mixed array', ['SELECT 1 IN carray(?)', [[1, 'a']]], 1, /numbers only or strings only/],
    ['of an array with a hole', ['SELECT 1 IN carray(?)', [new Array(1)]], 1, /numbers only or strings only/],
    ['of NaN', ['SELECT $a', { a: Number.NaN }], '$a', /parameter \$a is NaN, which SQLite would store as NULL/],
    ['of NaN in an array for carray()', ['SELECT 1 IN carray(?)', [[1.5, Number.NaN]]], 1, /no NaN/],
    ['of a detached Uint8Array', ['SELECT ?', [detached()]], 1, /parameter 1: its ArrayBuffer is detached/],
    ['of a detached ArrayBuffer', ['SELECT $a', { a: detached().buffer }], '$a', /its ArrayBuffer is detached/],
    ['of a bigint that is too large', ['SELECT ?', [2n ** 63n]], 1, /does not fit into 64 bits/],
    ['of a bigint that is too small', ['SELECT ?', [-(2n ** 63n) - 1n]], 1, /does not fit into 64 bits/],
    ['of a lone value', ['SELECT ?', 5], undefined, /must be an array or an object of names, not a number/],
    ['of a lone Buffer', ['SELECT ?', Buffer.alloc(1)], undefined, /not a Buffer/],
    ['of a lone Date', ['SELECT ?', new Date()], undefined, /not a Date/],
  ];
  for (const [name, given, parameter, message] of cases) {
    test(name, async (t) => {
      const error = await refused(t, given);
      assert.equal(error.parameter, parameter);
      assert.match(error.message, message);
    });
  }

  test('and nothing is executed', async (t) => {
    const db = await open(t);
    await db.exec('CREATE TABLE t (v)');
    await failureOf(db.run('INSERT INTO t VALUES (?)', []));
    await failureOf(db.run('INSERT INTO t VALUES (?)', [{}]));
    assert.deepEqual(await db.all('SELECT * FROM t'), []);
  });
});

describe('a converter', () => {
  test('makes bindable values of what it accepts', async (t) => {
    const db = await open(t, ':memory:', { types: { DATETIME: types.date, JSON: types.json } });
    const row = await db.get('SELECT ? AS d, ? AS j, ? AS k', [new Date(0), { a: [1] }, [1, 2]]);
    assert.deepEqual(row, { d: '1970-01-01T00:00:00.000Z', j: '{"a":[1]}', k: '[1,2]' });
  });

  test('whose value cannot be bound is named', async (t) => {
    const db = await open(t);
    const odd = { read: String, accepts: () => true, write: () => ({}) };
    const error = await failureOf(db.get('SELECT $a', { a: new Map() }, { types: { ODD: odd } }));
    assert.match(error.message, /parameter \$a: its converter made an object/);
  });

  test('that throws rejects the call with an error that names the parameter and has the cause', async (t) => {
    const db = await open(t);
    const types_ = { DATETIME: types.date };
    const error = await failureOf(db.get('SELECT $at', [new Date(Number.NaN)], { types: types_ }));
    assert.ok(error instanceof ParameterError);
    assert.equal(error.parameter, '$at');
    assert.match(error.message, /parameter \$at: its converter failed/);
    assert.ok(error.cause instanceof RangeError);
  });

  test('that makes NaN, a promise or lost bytes of a value is refused', async (t) => {
    const db = await open(t);
    const made = async (value: unknown): Promise<string> => {
      const odd = { read: String, accepts: () => true, write: () => value };
      return (await failureOf(db.get('SELECT ?', [new Map()], { types: { ODD: odd } }))).message;
    };
    assert.match(await made(Number.NaN), /parameter 1 is NaN/);
    assert.match(await made(Promise.resolve(1)), /parameter 1: its converter made a Promise of it/);
    assert.match(await made(detached()), /parameter 1: its ArrayBuffer is detached/);
  });
});
