// Values become bytes: which arguments are parameters, under which keys, and what each value turns into.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { writeParameters } from 'sqlite-tandem/lib/request/parameters.js';
import { Writer } from 'sqlite-tandem/lib/request/writer.js';

type Value =
  | { readonly null: true }
  | { readonly double: number }
  | { readonly integer: bigint }
  | { readonly text: string }
  | { readonly blob: readonly number[] };

type Parameter = readonly [key: number | string, value: Value];

const NULL: Value = { null: true };
const integer = (value: number | bigint): Value => ({ integer: BigInt(value) });
const double = (value: number): Value => ({ double: value });
const text = (value: string): Value => ({ text: value });
const blob = (...bytes: readonly number[]): Value => ({ blob: bytes });
const PLAIN = text('[object Object]');

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);

const valueBytes = (value: Value): readonly [type: number, bytes: Buffer] => {
  const bytes = Buffer.alloc(8);
  if ('double' in value) {
    bytes.writeDoubleLE(value.double);
    return [layout.parameterDouble, bytes];
  }
  if ('integer' in value) {
    bytes.writeBigInt64LE(value.integer);
    return [layout.parameterInteger, bytes];
  }
  if ('null' in value) return [layout.parameterNull, Buffer.alloc(0)];
  const [type, content] =
    'text' in value
      ? ([layout.parameterText, Buffer.from(value.text)] as const)
      : ([layout.parameterBlob, Buffer.from(value.blob)] as const);
  bytes.writeUInt32LE(content.length);
  return [type, Buffer.concat([bytes, padded(content)])];
};

/** The bytes that docs/bytes.md draws, made in another way than the code does. */
const bytesOf = (given: boolean, parameters: readonly Parameter[]): Buffer => {
  const parts = [word(parameters.length), word(given ? 1 : 0)];
  for (const [key, value] of parameters) {
    const [type, bytes] = valueBytes(value);
    if (typeof key === 'number') {
      parts.push(Buffer.from([type, 0, 0, 0]), word(key), bytes);
    } else {
      const name = Buffer.from(`${key}\0`);
      parts.push(Buffer.from([type, 1, 0, 0]), word(name.length), padded(name), bytes);
    }
  }
  return Buffer.concat(parts);
};

const bytesWritten = (args: readonly unknown[], count = args.length): Buffer => {
  const writer = new Writer();
  writer.bytes.fill(0xee);
  writeParameters(writer, args, count);
  return Buffer.from(writer.bytes.subarray(0, writer.length));
};

const assertParameters = (args: readonly unknown[], expected: readonly Parameter[], given = true): void => {
  assert.deepEqual(bytesWritten(args), bytesOf(given, expected));
};

describe('no parameters', () => {
  for (const [name, args] of [
    ['without arguments', []],
    ['of an empty array', [[]]],
    ['of an empty object', [{}]],
    ['of an empty array with arguments behind it', [[], 1, 2]],
    ['of an object without enumerable keys', [new Map([['a', 1]])]],
  ] as const) {
    test(name, () => assertParameters(args, [], false));
  }

  test('of arguments beyond the count, which are callbacks', () => {
    assert.deepEqual(
      bytesWritten([() => undefined], 0),
      bytesOf(false, []),
      'the only argument is the callback of the call',
    );
    assert.deepEqual(bytesWritten([1, () => undefined], 1), bytesOf(true, [[1, integer(1)]]));
  });
});

describe('positions', () => {
  const one: readonly Parameter[] = [
    [1, integer(7)],
    [2, text('x')],
  ];
  test('of a list of arguments', () => assertParameters([7, 'x'], one));
  test('of an array', () => assertParameters([[7, 'x']], one));
  test('of an array make all further arguments idle', () => assertParameters([[7, 'x'], 8, [9]], one));
  test('of an array of another realm', () => {
    assertParameters([runInContext("[7, 'x']", createContext())], one);
  });

  for (const [name, first, value] of [
    ['null', null, NULL],
    ['a Date', new Date(86_400_000), integer(86_400_000)],
    ['a RegExp', /a\/b/gi, text('/a\\/b/gi')],
    ['a Buffer', Buffer.from([1, 2]), blob(1, 2)],
    ['a typed array', new Uint16Array([1, 256]), blob(1, 0, 0, 1)],
    ['a DataView', new DataView(new Uint8Array([1, 2, 3]).buffer, 1), blob(2, 3)],
    ['an ArrayBuffer', new Uint8Array([4, 5]).buffer, blob(4, 5)],
    ['a bigint', 5n, integer(5)],
  ] as const) {
    test(`of a list that begins with ${name}`, () =>
      assertParameters(
        [first, 'x'],
        [
          [1, value],
          [2, text('x')],
        ],
      ));
  }

  test('undefined and holes are given, but bind nothing', () => {
    const holes: unknown[] = [];
    holes[2] = 3;
    assertParameters([undefined], []);
    assertParameters([[undefined]], []);
    assertParameters([undefined, 2], [[2, integer(2)]]);
    assertParameters([holes], [[3, integer(3)]]);
    assertParameters(
      [[1, undefined, 3, undefined]],
      [
        [1, integer(1)],
        [3, integer(3)],
      ],
    );
  });
});

describe('names', () => {
  test('are the keys of the first argument, verbatim and with their prefix', () => {
    assertParameters(
      [{ $a: 1, ':b': 2, '@c': 3, '?4': 4, '$t::x(y)': 5, bare: 6, $ä: 7, '': 8 }],
      [
        ['$a', integer(1)],
        [':b', integer(2)],
        ['@c', integer(3)],
        ['?4', integer(4)],
        ['$t::x(y)', integer(5)],
        ['bare', integer(6)],
        ['$ä', integer(7)],
        ['', integer(8)],
      ],
    );
  });

  test('keep a NUL, which matches nothing then', () => {
    assertParameters([{ '$a\0b': 1 }], [['$a\0b', integer(1)]]);
  });

  test('make all further arguments idle', () => {
    assertParameters([{ $a: 1 }, 2, { $b: 3 }], [['$a', integer(1)]]);
  });

  test('of inherited enumerable keys count, of symbols and hidden ones do not', () => {
    const parameters: Record<PropertyKey, unknown> = Object.create({ $inherited: 2 });
    parameters['$own'] = 1;
    parameters[Symbol('s')] = 3;
    Object.defineProperty(parameters, '$hidden', { value: 4 });
    assertParameters(
      [parameters],
      [
        ['$own', integer(1)],
        ['$inherited', integer(2)],
      ],
    );
  });

  test('come from every other object: class, null prototype, Map, String, function', () => {
    class Parameters {
      $a = 1;
    }
    const bare: Record<string, unknown> = Object.create(null);
    bare['$a'] = 1;
    for (const object of [
      new Parameters(),
      bare,
      Object.assign(new Map(), { $a: 1 }),
      Object.assign(new Set([5]), { $a: 1 }),
      Object.assign(() => undefined, { $a: 1 }),
      Object.assign(Object(5n) as object, { $a: 1 }),
      new Proxy({ $a: 1 }, {}),
    ]) {
      assertParameters([object], [['$a', integer(1)]]);
    }
    assertParameters(
      [new String('xy')],
      [
        ['0', text('x')],
        [1, text('y')],
      ],
    );
  });

  test('that are numbers are positions of 16 bits, in all spellings', () => {
    const positions = { 2: 'b', '1.0': 'a', '0x3': 'c', ' 4 ': 'd', '5e0': 'e', 65537: 'f', 65536: 'g' };
    const expected: Parameter[] = [];
    for (const [key, value] of Object.entries(positions)) expected.push([Number(key) & 0xffff, text(value)]);
    assertParameters([positions], expected);
  });

  test('that are zero, negative, fractions or beyond 32 bits are names', () => {
    for (const key of ['0', '-0', '-1', '1.5', '2147483648', 'NaN', 'Infinity', '1n', '0x']) {
      assertParameters([{ [key]: 1 }], [[key, integer(1)]]);
    }
  });

  test('of undefined are given, but bind nothing', () => {
    assertParameters([{ $a: undefined }], []);
    assertParameters([{ $a: undefined, $b: null }], [['$b', NULL]]);
  });
});

describe('a value', () => {
  const rows: readonly (readonly [string, unknown, Value])[] = [
    ['string', 'é語😀', text('é語😀')],
    ['empty string', '', text('')],
    ['string with NUL', 'a\0b', text('a\0b')],
    ['lone surrogate', 'a\ud800', text('a\ufffd')],
    ['zero', 0, integer(0)],
    ['minus zero', -0, integer(0)],
    ['integer of 32 bits', -2147483648, integer(-2147483648)],
    ['integer beyond 32 bits', 2147483648, integer(2147483648)],
    ['largest safe integer', Number.MAX_SAFE_INTEGER, integer(9007199254740991)],
    ['smallest safe integer', Number.MIN_SAFE_INTEGER, integer(-9007199254740991)],
    ['integer that is not safe', 2 ** 53, double(2 ** 53)],
    ['fraction', 1.5, double(1.5)],
    ['smallest number', Number.MIN_VALUE, double(Number.MIN_VALUE)],
    ['infinity', Number.POSITIVE_INFINITY, double(Number.POSITIVE_INFINITY)],
    ['negative infinity', Number.NEGATIVE_INFINITY, double(Number.NEGATIVE_INFINITY)],
    ['NaN, which SQLite takes for NULL', Number.NaN, double(Number.NaN)],
    ['true', true, integer(1)],
    ['false', false, integer(0)],
    ['null', null, NULL],
    ['bigint', 123456789012345678n, integer(123456789012345678n)],
    ['largest bigint', 2n ** 63n - 1n, integer(2n ** 63n - 1n)],
    ['smallest bigint', -(2n ** 63n), integer(-(2n ** 63n))],
    ['Date', new Date(1_700_000_000_123), integer(1_700_000_000_123)],
    ['Date before 1970', new Date(-1), integer(-1)],
    ['invalid Date', new Date(Number.NaN), double(Number.NaN)],
    ['Date of another realm', runInContext('new Date(5)', createContext()), integer(5)],
    ['RegExp', /x/y, text('/x/y')],
    ['RegExp of another realm', runInContext('/x/g', createContext()), text('/x/g')],
    ['Buffer', Buffer.from([0, 255]), blob(0, 255)],
    ['empty Buffer', Buffer.alloc(0), blob()],
    ['part of a buffer', Buffer.from([1, 2, 3, 4]).subarray(1, 3), blob(2, 3)],
    ['Float64Array', new Float64Array([1]), blob(0, 0, 0, 0, 0, 0, 0xf0, 0x3f)],
    ['BigInt64Array', new BigInt64Array([-1n]), blob(255, 255, 255, 255, 255, 255, 255, 255)],
    ['DataView', new DataView(new Uint8Array([1, 2, 3]).buffer, 1, 1), blob(2)],
    ['ArrayBuffer', new Uint8Array([1, 2]).buffer, blob(1, 2)],
    ['SharedArrayBuffer', new SharedArrayBuffer(2), blob(0, 0)],
    ['plain object', { a: 1 }, PLAIN],
    ['array in a list', [1, 2], PLAIN],
    ['function', () => 1, PLAIN],
    ['boxed number', new Number(5), PLAIN],
    ['boxed string', new String('x'), PLAIN],
    ['Map', new Map(), PLAIN],
    ['null-prototype object', Object.create(null), PLAIN],
  ];

  for (const [name, value, expected] of rows) {
    test(`${name}, in a list, an array and under a name`, () => {
      assertParameters(
        [0, value],
        [
          [1, integer(0)],
          [2, expected],
        ],
      );
      assertParameters([[value]], [[1, expected]]);
      assertParameters([{ $v: value }], [['$v', expected]]);
    });
  }

  test('with a toString, toJSON or valueOf of its own is not asked', () => {
    const asked = (): never => assert.fail('code of the object ran');
    assertParameters(
      [0, { toString: asked, toJSON: asked, valueOf: asked, [Symbol.toPrimitive]: asked }],
      [
        [1, integer(0)],
        [2, PLAIN],
      ],
    );
  });

  test('that is a Date gives its time even when its methods were replaced', () => {
    const date = new Date(5);
    date.getTime = () => 6;
    date.valueOf = () => 7;
    assertParameters([date], [[1, integer(5)]]);
  });

  test('long enough to make the buffer grow keeps those before and after it', () => {
    const long = 'é'.repeat(50_000);
    assertParameters(
      ['a', long, Buffer.alloc(70_000, 1), 'b'],
      [
        [1, text('a')],
        [2, text(long)],
        [3, { blob: [...Buffer.alloc(70_000, 1)] }],
        [4, text('b')],
      ],
    );
  });
});

describe('a value that cannot be bound throws', () => {
  for (const value of [2n ** 63n, -(2n ** 63n) - 1n, 10n ** 30n]) {
    test(`RangeError for ${value}`, () => {
      assert.throws(() => bytesWritten([value]), RangeError);
      assert.throws(() => bytesWritten([{ $a: value }]), { name: 'RangeError', message: /\$a/ });
    });
  }

  test('TypeError for a symbol', () => {
    assert.throws(() => bytesWritten([Symbol('s')]), TypeError);
    assert.throws(() => bytesWritten([[1, Symbol('s')]]), { name: 'TypeError', message: /2/ });
    assert.throws(() => bytesWritten([{ $a: Symbol.iterator }]), { name: 'TypeError', message: /\$a/ });
  });

  test('whatever reading it throws', () => {
    const thrown = new Error('from a getter');
    const parameters = {
      get $a(): never {
        throw thrown;
      },
    };
    const throws = (args: readonly unknown[]): void =>
      assert.throws(
        () => bytesWritten(args),
        (error) => error === thrown,
      );
    throws([parameters]);
    throws([
      new Proxy(
        {},
        {
          ownKeys() {
            throw thrown;
          },
        },
      ),
    ]);
    throws([Object.defineProperty([1, 2], 1, { get: () => parameters.$a })]);
  });
});
