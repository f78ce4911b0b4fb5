// What a program keeps of a large result: its own size, and not the batch that it came in.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Kit, outputOf } from '../support/child.js';

const megabyte = 1024 * 1024;

/**
 * Reads results of about a megabyte, keeps one value of each, and prints how many bytes of memory those hold. Texts of
 * 13 characters are the shortest that V8 cuts out of a larger string instead of copying them.
 */
const keepOne = ({ sqlite3: { Database }, argument, print }: Kit): void => {
  const { column, results, method } = argument as { column: string; results: number; method: 'all' | 'each' };
  const collect = (globalThis as unknown as { gc: () => void }).gc;
  const used = (): number => {
    collect();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return heapUsed + Math.max(external, arrayBuffers);
  };
  const filler = "'the filler makes the batch a large one, as results are '".repeat(8).replaceAll("''", '');
  const sql = `with recursive n(v) as (select 1 union all select v + 1 from n where v < 2000)
    select printf('%013d', v) as ascii, printf('é%012d', v) as utf8, randomblob(16) as blob, ${filler} as filler from n`;
  const db = new Database(':memory:');
  const kept: unknown[] = [];
  let before = 0;
  const next = (): void => {
    if (kept.length === results + 5) {
      const growth = used() - before;
      print([growth, kept.length]);
      return;
    }
    // The first ones make code and shapes that stay.
    if (kept.length === 5) before = used();
    const take = (row: Record<string, unknown>): void => {
      kept.push(row[column]);
    };
    if (method === 'all') {
      db.all(sql, (_error: Error | null, rows: Record<string, unknown>[]) => {
        take(rows[1000] as Record<string, unknown>);
        next();
      });
    } else {
      let count = 0;
      db.each(
        sql,
        (_error: Error | null, row: Record<string, unknown>) => {
          if (++count === 1000) take(row);
        },
        next,
      );
    }
  };
  next();
};

describe('one value kept of each of 100 results of a megabyte', { concurrency: true }, () => {
  for (const [column, method] of [
    ['ascii', 'all'],
    ['utf8', 'all'],
    ['blob', 'all'],
    ['ascii', 'each'],
  ] as const) {
    test(`from the column ${column} of ${method}() holds no more than its block of text`, async () => {
      const results = 100;
      const [printed] = await outputOf(keepOne, {
        argument: { column, method, results },
        nodeOptions: ['--expose-gc'],
      });
      const [growth, kept] = printed as [number, number];
      assert.equal(kept, results + 5);
      // 100 blocks of 4 KiB, and what V8 itself grows by; whole records of 64 KiB would be four times as much.
      assert.ok(growth < 1.5 * megabyte, `${(growth / megabyte).toFixed(2)} MiB are kept`);
    });
  }
});
