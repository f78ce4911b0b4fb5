// Cells of hand-made records: every tag, in any order and at any place of the buffer, and memory of their own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { Cells, Views } from 'sqlite-tandem/lib/result/cells.js';
import { type Cell, cellsOf, rows, viewsOf } from './records.js';

const readAll = (cells: Cells, count: number): unknown[] =>
  Array.from({ length: count }, (_, i) => cells.read(cells.tags[cells.tagAt + i] as number, cells.slotAt + i));

const assertRead = (given: readonly Cell[], expected: readonly unknown[]): void => {
  for (const start of [0, 8, 1000]) {
    assert.deepEqual(readAll(cellsOf(rows(1, 1, [given]), start), given.length), expected);
  }
};

describe('a cell', () => {
  test('of 32 bits is a number', () =>
    assertRead(
      [{ int32: 0 }, { int32: -1 }, { int32: 2147483647 }, { int32: -2147483648 }],
      [0, -1, 2147483647, -2147483648],
    ));

  test('of a double is a number', () =>
    assertRead(
      [{ double: 0.5 }, { double: -0 }, { double: Number.POSITIVE_INFINITY }],
      [0.5, -0, Number.POSITIVE_INFINITY],
    ));

  test('of 64 bits is a bigint', () =>
    assertRead(
      [{ integer: 2n ** 63n - 1n }, { integer: -(2n ** 63n) }, { integer: 0n }],
      [2n ** 63n - 1n, -(2n ** 63n), 0n],
    ));

  test('of NULL is null', () => assertRead([null], [null]));

  test('of text in blocks is a string', () =>
    assertRead(
      [{ latin1: 'plain' }, { utf16: 'größer 😀' }, { latin1: '' }, { utf16: '語\0語' }],
      ['plain', 'größer 😀', '', '語\0語'],
    ));

  test('of long text is a string, damaged UTF-8 with replacement characters', () =>
    assertRead(
      [
        { rawLatin1: 'é'.repeat(3001) },
        { rawUtf16: 'é語😀'.repeat(3000) },
        { rawUtf8: Buffer.from([0x61, 0xff, 0x62]) },
        { rawUtf16: '語' },
      ],
      ['é'.repeat(3001), 'é語😀'.repeat(3000), 'a\ufffdb', '語'],
    ));

  test('of a blob is a Buffer', () =>
    assertRead(
      [{ blob: Buffer.from([1, 0, 255]) }, { blob: Buffer.alloc(0) }],
      [Buffer.from([1, 0, 255]), Buffer.alloc(0)],
    ));

  test('of every tag stands beside every other', () => {
    const kinds: readonly (readonly [Cell, unknown])[] = [
      [{ int32: 7 }, 7],
      [{ double: 0.5 }, 0.5],
      [{ integer: 9n }, 9n],
      [null, null],
      [{ latin1: 'ascii' }, 'ascii'],
      [{ utf16: 'ütf' }, 'ütf'],
      [{ latin1: 'lätin' }, 'lätin'],
      [{ rawLatin1: 'räw' }, 'räw'],
      [{ rawUtf16: 'r語w' }, 'r語w'],
      [{ rawUtf8: 'räw' }, 'räw'],
      [{ blob: Buffer.from('blob') }, Buffer.from('blob')],
    ];
    for (const first of kinds) {
      for (const second of kinds) {
        const row = [first, second, first, second, second];
        assertRead(
          row.map(([cell]) => cell),
          row.map(([, value]) => value),
        );
      }
    }
  });

  test('of text fills many blocks, of both kinds in turn', () => {
    const lengths = [1024, 1024, 1024, 1024, 1, 1024, 0, 1023, 1000, 24, 500, 1024, 1024, 1024];
    const cells: Cell[] = [];
    const expected: string[] = [];
    lengths.forEach((length, i) => {
      const ascii = String.fromCharCode(97 + i).repeat(length);
      const utf8 = (length > 1 ? 'ä' : '') + 'z'.repeat(Math.max(0, length - 2));
      cells.push({ latin1: ascii }, { utf16: utf8 });
      expected.push(ascii, utf8);
    });
    assertRead(cells, expected);
  });

  test('of an unknown tag throws', () => {
    assert.throws(() => readAll(cellsOf(rows(1, 1, [[{ tag: 99 }]])), 1), /unknown cell tag 99/);
  });
});

describe('memory', () => {
  test('of a blob is its own: no view of the record, nor of a pool', () => {
    const record = rows(1, 1, [[{ blob: Buffer.from('kept') }]]);
    const views = viewsOf(record);
    const cells = new Cells();
    cells.begin(views, 0, record.length);
    const [blob] = readAll(cells, 1) as [Buffer];
    views.bytes.fill(0);
    assert.equal(blob.toString(), 'kept');
    assert.equal(blob.buffer.byteLength, 4);
  });

  test('of a record can be reused at once: strings do not change with it', () => {
    const record = rows(1, 1, [[{ latin1: 'x'.repeat(500) }, { utf16: 'ä'.repeat(500) }]]);
    const views = viewsOf(record);
    const cells = new Cells();
    cells.begin(views, 0, record.length);
    const texts = readAll(cells, 2);
    views.bytes.fill(0x7a);
    assert.deepEqual(texts, ['x'.repeat(500), 'ä'.repeat(500)]);
  });
});

describe('the views of a buffer', () => {
  test('show the same bytes, rounded up to a multiple of eight', () => {
    for (const size of [0, 1, 8, 9]) {
      const views = new Views(size);
      assert.equal(views.bytes.length, Math.ceil(size / layout.recordAlignment) * layout.recordAlignment);
      for (const view of [views.words, views.integers, views.doubles, views.bigints]) {
        assert.equal(view.buffer, views.bytes.buffer);
        assert.equal(view.byteLength, views.bytes.length);
      }
    }
  });

  test('throw a RangeError for a size that no buffer can have', () => {
    assert.throws(() => new Views(Number.MAX_SAFE_INTEGER / 2), RangeError);
  });
});
