// Row objects: any list of column names, with and without generated code, gives the same rows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { arrayReader, rowReader } from 'sqlite-tandem/lib/result/row-shape.js';
import { expectProgram, type Kit, packagePath } from '../support/child.js';
import { type Cell, cellsOf, rows } from './records.js';

/** Rows that count up, each cell telling its own place. */
const read = (names: readonly string[], count: number): Record<string, unknown>[] => {
  const cells: Cell[][] = Array.from({ length: count }, (_, row) =>
    names.map((_name, column): Cell => {
      const place = row * names.length + column;
      return [{ int32: place }, { latin1: `t${place}` }, { utf16: `ü${place}` }, null][place % 4] ?? null;
    }),
  );
  const made: unknown[] = [];
  rowReader(names)(cellsOf(rows(1, 1, cells)), count, made);
  return made as Record<string, unknown>[];
};

const valueAt = (place: number): unknown => [place, `t${place}`, `ü${place}`, null][place % 4];

/** What a program that knows nothing of generated code makes of it. */
const expected = (names: readonly string[], count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, row) => {
    const made: Record<string, unknown> = {};
    names.forEach((name, column) => {
      Object.defineProperty(made, name, {
        value: valueAt(row * names.length + column),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    });
    return made;
  });

const lists: readonly (readonly [string, readonly string[]])[] = [
  ['one name', ['a']],
  ['several names', ['a', 'b', 'c']],
  ['no names at all', []],
  ['equal names', ['a', 'b', 'a', 'c', 'b', 'a']],
  ['an empty name', ['', 'a', '']],
  ['names that look like integers', ['2', 'x', '1', '0', '4294967296', '-1', '01']],
  ['__proto__', ['a', '__proto__', 'b']],
  ['__proto__ twice', ['__proto__', 'a', '__proto__']],
  ['members of Object.prototype', ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']],
  ['quotes, backslashes and line ends', ['"', "'", '`', '\\', '\n', '\r', '\u2028', '\u2029', '\0', '$\u007b1}', '*/']],
  ['code', ['"]: process.exit(1), ["', 'a: 1 }); throw 0; ({', '...cells']],
  ['reserved words', ['class', 'await', 'null', 'new', 'get', 'set', 'async', 'eval', 'arguments']],
  ['characters of all planes', ['é', '語', '😀', 'a\u0301', '\ufeff']],
  ['names used inside', ['cells', 'count', 'rows', 'tags', 'integers', 't', 'n', 'i']],
  ['250 names', Array.from({ length: 250 }, (_, i) => `c${i}`)],
  ['251 names', Array.from({ length: 251 }, (_, i) => `c${i}`)],
  ['2000 names with doubles among them', Array.from({ length: 2000 }, (_, i) => `c${i % 1990}`)],
  ['300 names with __proto__ and integers', ['__proto__', '5', '', ...Array.from({ length: 297 }, (_, i) => `c${i}`)]],
];

describe('rows', () => {
  for (const [name, names] of lists) {
    test(`of ${name} have these as own properties, the last of equal ones wins`, () => {
      const made = read(names, 5);
      const wanted = expected(names, 5);
      assert.equal(made.length, 5);
      made.forEach((row, i) => {
        assert.deepEqual(Object.entries(row), Object.entries(wanted[i] ?? {}));
        assert.equal(Object.getPrototypeOf(row), Object.prototype);
      });
      for (const key of new Set(names)) {
        assert.deepEqual(
          made.map((row) => Object.getOwnPropertyDescriptor(row, key)),
          wanted.map((row) => Object.getOwnPropertyDescriptor(row, key)),
        );
      }
    });
  }

  test('are appended to those that are there', () => {
    const made: unknown[] = ['first'];
    const reader = rowReader(['v']);
    reader(cellsOf(rows(1, 1, [[{ int32: 1 }], [{ int32: 2 }]])), 2, made);
    reader(cellsOf(rows(1, 1, [[{ int32: 3 }]])), 1, made);
    assert.deepEqual(made, ['first', { v: 1 }, { v: 2 }, { v: 3 }]);
  });

  test('are objects of their own', () => {
    const [first, second] = read(['a', 'b'], 2);
    assert.notEqual(first, second);
    delete first?.['a'];
    assert.ok(second !== undefined && 'a' in second);
  });
});

describe('rows that are arrays', () => {
  for (const columns of [1, 3, 250, 251]) {
    test(`of ${columns} cells have these in order, generated or not`, () => {
      const cells: Cell[][] = [0, 1, 2].map((row) =>
        Array.from(
          { length: columns },
          (_, i): Cell => (i % 2 === 0 ? { int32: row * columns + i } : { latin1: `t${i}` }),
        ),
      );
      const made: unknown[] = ['first'];
      arrayReader(columns)(cellsOf(rows(1, 1, cells)), 3, made);
      const wanted = [0, 1, 2].map((row) =>
        Array.from({ length: columns }, (_, i) => (i % 2 === 0 ? row * columns + i : `t${i}`)),
      );
      assert.deepEqual(made, ['first', ...wanted]);
    });
  }
});

describe('the function for a list of names', () => {
  test('is made once', () => {
    assert.equal(rowReader(['x', 'y']), rowReader(['x', 'y']));
  });

  test('is another one for another order, and for names whose joint text is the same', () => {
    const readers = [
      rowReader(['a', 'b']),
      rowReader(['b', 'a']),
      rowReader(['ab']),
      rowReader(['a,b']),
      rowReader(['a","b']),
      rowReader(['a', 'b', '']),
    ];
    assert.equal(new Set(readers).size, readers.length);
  });

  test('is made anew after thousands of others, which must not pile up', () => {
    const first = rowReader(['first of many']);
    for (let i = 0; i < 3000; i++) rowReader([`many ${i}`]);
    assert.notEqual(rowReader(['first of many']), first);
    assert.deepEqual(read(['first of many'], 2), expected(['first of many'], 2));
  });
});

/** Prints the rows of some queries, as text that tells own properties and their order. */
const showRows = ({ sqlite3: { Database }, argument, print }: Kit): void => {
  const db = new Database(':memory:');
  for (const sql of argument as string[]) {
    db.all(sql, (error: Error | null, found: object[]) => {
      print(error?.message ?? found.map((row) => Object.entries(row)));
    });
  }
};

/** The same as above where eval is forbidden. */
const showReader = ({ path, require, argument, print }: Kit): void => {
  try {
    new Function('return 1');
    print('code can be generated');
  } catch {
    print('no code can be generated');
  }
  const { rowReader: make, arrayReader: makeArray } = require(path.replace('index.js', 'result/row-shape.js')) as {
    rowReader: typeof rowReader;
    arrayReader: typeof arrayReader;
  };
  const cells = {
    tags: Buffer.alloc(1000),
    integers: new Int32Array(2000),
    tagAt: 0,
    slotAt: 0,
    read: (_tag: number, slot: number) => slot,
  };
  for (const names of argument as string[][]) {
    const made: unknown[] = [];
    make(names)(cells as unknown as Parameters<ReturnType<typeof make>>[0], 1, made);
    const [row] = made as [object];
    const arrays: unknown[] = [];
    makeArray(names.length)(cells as unknown as Parameters<ReturnType<typeof make>>[0], 1, arrays);
    print([
      Object.keys(row).length,
      Object.getPrototypeOf(row) === Object.prototype,
      (arrays as unknown[][])[0]?.length,
    ]);
  }
};

describe('where code may not be generated', () => {
  const nodeOptions = ['--disallow-code-generation-from-strings'];

  test('rows are the same', async () => {
    const queries = [
      'select 1 as a, 2 as b union all select 3, 4',
      'select 1 as a, 2 as a, 3 as "", 4 as "1"',
      "select 1 as __proto__, 'x' as constructor, null as b",
    ];
    await expectProgram(showRows, {
      argument: queries,
      nodeOptions,
      output: [
        [
          [
            ['a', 1],
            ['b', 2],
          ],
          [
            ['a', 3],
            ['b', 4],
          ],
        ],
        [
          [
            ['1', 4],
            ['a', 2],
            ['', 3],
          ],
        ],
        [
          [
            ['__proto__', 1],
            ['constructor', 'x'],
            ['b', null],
          ],
        ],
      ],
    });
  });

  test('every list of names works, one after the other', async () => {
    assert.match(packagePath, /index\.js$/);
    const small = lists.map(([, names]) => names).filter(({ length }) => length < 400);
    await expectProgram(showReader, {
      argument: small,
      nodeOptions,
      output: ['no code can be generated', ...small.map((names) => [new Set(names).size, true, names.length])],
    });
  });
});

test('the tag that generated code knows by itself is that of 32-bit integers', () => {
  const made: unknown[] = [];
  rowReader(['v'])(cellsOf(rows(1, 1, [[{ int32: -5 }]])), 1, made);
  assert.deepEqual(made, [{ v: -5 }]);
  assert.equal(layout.cellInt32, 0);
});
