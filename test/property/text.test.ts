// Texts of any lengths and widths, side by side in large results: each comes back whole, at the edges of blocks too.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { each, rows } from '../support/calls.js';
import { open } from '../support/database.js';
import { check } from './check.js';

const characters = ['a', 'é', '語', '😀'] as const;

/** Texts of about so many bytes: the edges are those of short text (1024) and of a block (4096). */
const edgeText = fc
  .tuple(
    fc.constantFrom(0, 1, 12, 13, 40, 512, 1024, 2048, 4096, 8192),
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom<readonly string[]>(['a'], ['a'], ['é'], ['語'], ['😀'], characters),
    fc.boolean(),
  )
  .map(([edge, offset, kinds, endsWide]) => {
    const size = Math.max(0, edge + offset);
    let text = '';
    for (let bytes = 0, i = 0; bytes < size; i++) {
      const next = kinds[i % kinds.length] ?? 'a';
      const width = Buffer.byteLength(next);
      // What does not fit any more is filled with ASCII, so that the size is exact.
      text += bytes + width > size ? 'a' : next;
      bytes += bytes + width > size ? 1 : width;
    }
    return endsWide ? `${text}é` : text;
  });

/** Bytes that are mostly no UTF-8. */
const damaged = fc
  .array(
    fc.oneof(fc.constantFrom(0x61, 0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xff), fc.integer({ max: 255, min: 0 })),
    {
      maxLength: 12,
    },
  )
  .map((bytes) => Buffer.from(bytes));

type Cell = string | Buffer | number | null;

const cell: fc.Arbitrary<Cell> = fc.oneof(
  { weight: 6, arbitrary: edgeText },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)) },
);

/** SQL that returns these rows, with a parameter for each cell. */
const valuesOf = (table: readonly (readonly Cell[])[]): string =>
  `values ${table.map((cells) => `(${cells.map(() => '?').join()})`).join()}`;

const tables = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 })).chain(([columns, count]) => {
  const cells = fc.array(cell, { minLength: columns, maxLength: columns });
  return fc.array(cells, { minLength: count, maxLength: count });
});

describe('texts', () => {
  test('of mixed lengths come back whole through all() and each()', async (t) => {
    const db = await open(t);
    await check(
      fc.asyncProperty(tables, async (table) => {
        const sql = valuesOf(table);
        const all = await rows(db, sql, table.flat());
        assert.deepEqual(all.map(Object.values), table);
        const { rows: delivered } = await each(db, sql, table.flat());
        assert.deepEqual(delivered.map(Object.values), table);
      }),
      60,
    );
  });

  test('that are no UTF-8 read as Node decodes them, between others that are', async (t) => {
    const db = await open(t);
    await check(
      fc.asyncProperty(fc.array(fc.tuple(damaged, edgeText), { minLength: 1, maxLength: 15 }), async (pairs) => {
        const sql = pairs.map(() => 'select cast(? as text) as d, ? as t').join(' union all ');
        const found = await rows(db, sql, pairs.flat());
        assert.deepEqual(
          found,
          pairs.map(([bytes, text]) => ({ d: bytes.toString(), t: text })),
        );
      }),
      80,
    );
  });
});
