// The parameters that are found in any text are those that SQLite finds in it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parametersOf } from 'sqlite-tandem/lib/promises/sql-text.js';
import { open } from './support.js';

/** Pieces of expressions that look like parameters, hide them, or are some. */
const piece = fc.oneof(
  fc.constantFrom('?', '?1', '?3', '$a', ':a', '@a', '#a', '$a::b', '$a(b)', '$a::b(c)', ':ünï', '$1'),
  fc.constantFrom("'?'", "'it''s $a'", '"?"', '`:a`', '[?]', "x'00'", '1.5e3', '/* ? */ 1', '-- ?\n 2', 'a$b', 'null'),
  fc.constantFrom('?+?', '?||$b', '(?)', '-?', '? IS ?', "?->>'$.a'", 'CASE ? WHEN 1 THEN :c END', 'abs(@d)'),
);

describe('the parameters of a text', () => {
  test('are those that SQLite finds', async (t) => {
    const db = await open(t);
    let compared = 0;
    const property = fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async (pieces) => {
      const sql = `SELECT ${pieces.join('\n, ')} FROM (SELECT 1 AS "?", 2 AS ":a", 3 AS a$b)`;
      const statement = await db.prepare(sql);
      const { names } = parametersOf(sql);
      assert.deepEqual(
        names.slice(1).map((name) => name ?? null),
        statement.parameters,
        sql,
      );
      compared++;
      await statement.finalize();
    });
    await fc.assert(property, { numRuns: 300 });
    assert.ok(compared >= 300);
  });
});
