// How the arguments of a call become parameters: lists, arrays, names, and what does not fit.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, assertCode, failure, row, rows, send, single, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { open } from '../support/database.js';

const AB = 'select ?1 as a, ?2 as b';

describe('parameters by position', () => {
  test('come as a list or as an array', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, AB, 'x', 'y'), { a: 'x', b: 'y' });
    assert.deepEqual(await row(db, AB, ['x', 'y']), { a: 'x', b: 'y' });
  });

  test('of an array make further arguments idle', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, AB, ['x'], 'y', 'z'), { a: 'x', b: null });
    assert.deepEqual(await row(db, AB, [], 'y', 'z'), { a: null, b: null });
  });

  test('of a Date, a RegExp or a Buffer start a list', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, AB, new Date(5), 'y'), { a: 5, b: 'y' });
    assert.deepEqual(await row(db, AB, /x/, 'y'), { a: '/x/', b: 'y' });
    assert.deepEqual(await row(db, AB, Buffer.from('x'), 'y'), { a: Buffer.from('x'), b: 'y' });
    assert.deepEqual(await row(db, AB, new Uint8Array([1]), 'y'), { a: Buffer.from([1]), b: 'y' });
  });

  test('may hold arrays only as text, wherever but in the first place', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, AB, 1, [2]), { a: 1, b: '[object Object]' });
    assert.deepEqual(await row(db, AB, [[1], 2]), { a: '[object Object]', b: 2 });
  });

  test('that are missing, undefined or holes are NULL', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, AB), { a: null, b: null });
    assert.deepEqual(await row(db, AB, 1), { a: 1, b: null });
    assert.deepEqual(await row(db, AB, undefined, 2), { a: null, b: 2 });
    const withHole: unknown[] = [];
    withHole[1] = 2;
    assert.deepEqual(await row(db, AB, withHole), { a: null, b: 2 });
    assert.deepEqual(await row(db, AB, [1, undefined]), { a: 1, b: null });
  });

  test('null counts as one: there must be a place for it', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select ? as a', null), { a: null });
    assertCode(await failure(db, 'get', 'select 1', null), 'SQLITE_RANGE', 25);
  });

  test('undefined, [] and {} are none', async (t) => {
    const db = await open(t);
    for (const none of [undefined, [], {}]) {
      assert.deepEqual(await row(db, 'select 1 as a', none), { a: 1 });
    }
  });

  test('may be many', async (t) => {
    const db = await open(t);
    const count = 32_766;
    const values = Array.from({ length: count }, (_, at) => at);
    const sql = `select count(*) as n, sum(column1) as sum from (values ${values.map(() => '(?)').join(', ')})`;
    assert.deepEqual(await row(db, sql, values), { n: count, sum: (count * (count - 1)) / 2 });
  });

  test('beyond the places are refused, and nothing is executed', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a, b)');
    const sql = 'insert into t values(?, ?)';
    for (const tooMany of [[1, 2, 3], [[1, 2, 3]], [{ 3: 1 }]]) {
      const error = await failure(db, 'run', sql, ...tooMany);
      assertCode(error, 'SQLITE_RANGE', 25);
      assert.equal(error.message, 'SQLITE_RANGE: column index out of range');
    }
    assert.deepEqual(await rows(db, 'select * from t'), []);
  });

  test('with numbers in the SQL may leave gaps', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select ?3 as c, ?1 as a', 'x', 'y', 'z'), { c: 'z', a: 'x' });
  });
});

describe('parameters by name', () => {
  test('carry their prefix in the key', async (t) => {
    const db = await open(t);
    const sql = 'select $a as a, :b as b, @c as c, ?5 as d';
    assert.deepEqual(await row(db, sql, { $a: 1, ':b': 2, '@c': 3, '?5': 4 }), { a: 1, b: 2, c: 3, d: 4 });
  });

  test('are not found without the prefix, and nothing is executed', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    assertCode(await failure(db, 'run', 'insert into t values($a)', { a: 1 }), 'SQLITE_RANGE', 25);
    assertCode(await failure(db, 'run', 'insert into t values($a)', { $a: 1, $b: 2 }), 'SQLITE_RANGE', 25);
    assertCode(await failure(db, 'run', 'insert into t values($a)', { '': 1 }), 'SQLITE_RANGE', 25);
    assertCode(await failure(db, 'run', 'insert into t values($a)', { 0: 1 }), 'SQLITE_RANGE', 25);
    assert.deepEqual(await rows(db, 'select * from t'), []);
  });

  test('may be numbers, in each form that JavaScript reads as a whole number', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, AB, { 1: 'x', 2: 'y' }), { a: 'x', b: 'y' });
    assert.deepEqual(await row(db, AB, { '1.0': 'x', '0x2': 'y' }), { a: 'x', b: 'y' });
  });

  test('that are missing or undefined are NULL', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select $a as a, $b as b', { $b: undefined }), { a: null, b: null });
  });

  test('used twice in the SQL are bound once', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select $a as a, $a as b', { $a: 7 }), { a: 7, b: 7 });
  });

  test('may be non-ASCII or in the style of Tcl', async (t) => {
    const db = await open(t);
    assert.equal(await single(db, 'select $größe as v', { $größe: 1 }), 1);
    assert.equal(await single(db, 'select $a::x(y) as v', { '$a::x(y)': 2 }), 2);
  });

  test('may be inherited and on an object without prototype', async (t) => {
    const db = await open(t);
    const inherited: object = Object.create({ $a: 1 });
    assert.equal(await single(db, 'select $a as v', inherited), 1);
    const bare: object = Object.assign(Object.create(null), { $a: 2 });
    assert.equal(await single(db, 'select $a as v', bare), 2);
    class Parameters {
      readonly $a = 3;
    }
    assert.equal(await single(db, 'select $a as v', new Parameters()), 3);
  });

  test('that are not enumerable or are symbols do not count', async (t) => {
    const db = await open(t);
    const hidden = Object.defineProperty({ [Symbol('$a')]: 1 }, '$a', { value: 1, enumerable: false });
    assert.equal(await single(db, 'select $a as v', hidden), null);
  });

  test('may come from a getter, which is read once', async (t) => {
    const db = await open(t);
    let reads = 0;
    const parameters = {
      get $a(): number {
        reads += 1;
        return reads;
      },
    };
    assert.equal(await single(db, 'select $a as v', parameters), 1);
    assert.equal(reads, 1);
  });

  test('are not found when NUL and more stand behind the name', async (t) => {
    const db = await open(t);
    assertCode(await failure(db, 'get', 'select $a as v', { '$a\0b': 1 }), 'SQLITE_RANGE', 25);
  });

  test('make further arguments idle', async (t) => {
    const db = await open(t);
    assert.deepEqual(await row(db, 'select $a as a, $b as b', { $a: 1 }, 'idle', 'too'), { a: 1, b: null });
  });

  test('of a Map, a Set or a String object are those of its enumerable keys', async (t) => {
    const db = await open(t);
    assert.equal(await single(db, 'select $a as v', new Map([['$a', 1]])), null);
    assert.equal(await single(db, 'select $a as v', new Set(['$a'])), null);
    assertCode(await failure(db, 'get', 'select $a as v', new String('x')), 'SQLITE_RANGE', 25);
  });

  test('cannot reach the prototype of anything', async (t) => {
    const db = await open(t);
    const parsed: unknown = JSON.parse('{"__proto__": 1}');
    assertCode(await failure(db, 'get', 'select $a as v', parsed), 'SQLITE_RANGE', 25);
    assert.equal(Object.getPrototypeOf({}), Object.prototype);
  });
});

describe('parameters that throw when they are read', () => {
  test('hand the exception to the caller, and the database goes on', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const boom = (): never => {
          throw new Error('thrown while reading');
        };
        const revoked = Proxy.revocable({}, {});
        revoked.revoke();
        const hostile: Record<string, unknown> = {
          'getter of an object': Object.defineProperty({}, '$a', { get: boom, enumerable: true }),
          'getter of an array': Object.defineProperty([1], 0, { get: boom }),
          'keys of a proxy': new Proxy({ $a: 1 }, { ownKeys: boom }),
          'value of a proxy': new Proxy({ $a: 1 }, { get: boom }),
          'toString of a RegExp': [Object.assign(/x/, { toString: boom })],
          'revoked proxy': revoked.proxy,
        };
        const db = new Database(':memory:');
        const statement = db.prepare('select $a as v');
        for (const [name, parameters] of Object.entries(hostile)) {
          // Thrown by the call or passed to the callback: once in either case.
          let reports = 0;
          const report = (error: unknown): void => {
            reports += error instanceof Error && /thrown while reading|revoked/.test(error.message) ? 1 : 10;
          };
          for (const call of [
            () => db.get('select $a as v', parameters, report),
            () => statement.get(parameters, report),
            () => statement.bind(parameters, report),
            () => db.each('select $a as v', parameters, report),
          ]) {
            try {
              call();
            } catch (error) {
              report(error);
            }
          }
          db.wait(() => {
            globalThis.gc?.();
            print([name, reports]);
          });
        }
        statement.all(5, (_error: Error | null, rows: unknown) => print(rows));
        statement.finalize();
        db.close((error: Error | null) => print(error));
      },
      {
        output: [
          ['getter of an object', 4],
          ['getter of an array', 4],
          ['keys of a proxy', 4],
          ['value of a proxy', 4],
          ['toString of a RegExp', 4],
          ['revoked proxy', 4],
          [{ v: 5 }],
          null,
        ],
        nodeOptions: ['--expose-gc'],
      },
    );
  });

  for (const method of ['run', 'get', 'all', 'each', 'map', 'prepare']) {
    test(`thrown out of ${method}() they leave no statement open`, async (t) => {
      const db = await open(t);
      assert.throws(() => send(db, method, 'select ?', 2n ** 64n, () => undefined), RangeError);
      assert.deepEqual((await answer(db, 'close')).args, [null]);
    });
  }

  test('an object never gets its own conversions called', async (t) => {
    const db = await open(t);
    let called = 0;
    const spy = (): string => {
      called += 1;
      return 'converted';
    };
    const objects = [
      { toString: spy, valueOf: spy, toJSON: spy },
      { [Symbol.toPrimitive]: spy },
      { toString: 23 },
      Object.create(null) as object,
      Object.assign(() => 1, { toString: spy }),
    ];
    for (const object of objects) {
      assert.equal(await single(db, 'select ? as v', [object]), '[object Object]');
    }
    assert.equal(called, 0);
  });
});

describe('parameters that change after the call', () => {
  test('an array, an object and the bytes of a Buffer are taken at the call', async (t) => {
    const db = await open(t);
    const list = [1];
    const named = { $a: 1 };
    const bytes = Buffer.from('before');
    const got = Promise.all([
      single(db, 'select ? as v', list),
      single(db, 'select $a as v', named),
      single(db, 'select ? as v', bytes),
    ]);
    list[0] = 2;
    named.$a = 2;
    bytes.fill('x');
    assert.deepEqual(await got, [1, 1, Buffer.from('before')]);
  });

  test('a buffer that is detached after the call was copied before', async (t) => {
    const db = await open(t);
    const bytes = new Uint8Array([1, 2, 3]);
    const got = single(db, 'select ? as v', bytes);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    assert.equal(bytes.length, 0);
    assert.deepEqual(await got, Buffer.from([1, 2, 3]));
  });
});

describe('the callback among the arguments', () => {
  test('is the last argument if that is a function', async (t) => {
    const db = await open(t);
    assert.deepEqual((await answer(db, 'get', AB, 1, undefined)).args, [null, { a: 1, b: null }]);
  });

  test('is none when undefined comes last', async (t) => {
    const db = await open(t);
    const calls: unknown[] = [];
    send(db, 'get', 'select 1', () => calls.push('called'), undefined);
    send(db, 'run', 'select 1', undefined);
    await answer(db, 'wait');
    assert.deepEqual(calls, []);
  });

  test('of each() are the last two functions', async (t) => {
    const db = await open(t);
    const rowsSeen: unknown[] = [];
    const onRow = (_error: unknown, got: unknown): number => rowsSeen.push(got);
    assert.deepEqual((await answer(db, 'each', AB, 1, 2, onRow)).args, [null, 1]);
    assert.deepEqual((await answer(db, 'each', AB, [1, 2], onRow)).args, [null, 1]);
    assert.deepEqual((await answer(db, 'each', AB, { 1: 1, 2: 2 }, onRow)).args, [null, 1]);
    assert.deepEqual(rowsSeen, [
      { a: 1, b: 2 },
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ]);
  });
});
