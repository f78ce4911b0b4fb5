// Values of a hundred megabytes, there and back in every way; in processes of their own, for the memory they take.
import { describe, test } from 'node:test';
import { expectProgram, type Kit } from '../support/child.js';

/** Binds the value in three ways, reads it back in four, and prints whether each is what was bound. */
function thereAndBack({ sqlite3, print, argument }: Kit): void {
  const size = 100_000_000;
  const kind = argument as string;
  const makers: Record<string, () => string | Buffer> = {
    blob: () => Buffer.alloc(size, 'blob of bytes'),
    ascii: () => 'plain text '.repeat(size / 11),
    text: () => 'Größe 🙂 '.repeat(size / 14),
  };
  const value = makers[kind]?.() ?? '';
  const same = (got: unknown): boolean => (Buffer.isBuffer(value) ? value.equals(got as Buffer) : got === value);
  const db = new sqlite3.Database(':memory:');
  db.run('create table t(v)');
  db.run('insert into t values(?)', value, (error: Error | null) => print(error));
  db.get('select v from t', (_error: Error | null, row: { v: unknown }) => print(same(row.v)));
  db.all('select v from t', (_error: Error | null, rows: { v: unknown }[]) => print(rows.map(({ v }) => same(v))));
  db.each('select v from t', (_error: Error | null, row: { v: unknown }) => print(same(row.v)));
  const named = db.prepare('select length(v) as l, v = $v as v from t where v = $v', { $v: value });
  named.get((_error: Error | null, row: object) => print(row));
  named.finalize();
  db.run('update t set v = ?', [value]);
  db.get('select v from t', (_error: Error | null, row: { v: unknown }) => print(same(row.v)));
  db.get('select 1 as v', (_error: Error | null, row: object) => print(row));
  db.close((error: Error | null) => print(error));
}

describe('a value of 100 MB', () => {
  const lengths = { blob: 100_000_000, ascii: 99_999_999, text: 57_142_856 };
  for (const [kind, l] of Object.entries(lengths)) {
    test(`(${kind}) comes back as it was bound, by get(), all() and each(), positional and named`, () =>
      expectProgram(thereAndBack, {
        argument: kind,
        output: [null, true, [true], true, { l, v: 1 }, true, { v: 1 }, null],
      }));
  }
});
