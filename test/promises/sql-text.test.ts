// Which parameters a text has: the same as SQLite finds in it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parametersOf } from 'sqlite-tandem/lib/promises/sql-text.js';

const namesOf = (sql: string): (string | undefined)[] => parametersOf(sql).names.slice(1);

describe('the parameters of a text', () => {
  const cases: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ['SELECT 1', []],
    ['SELECT ?, ?', [undefined, undefined]],
    ['SELECT ?2, ?, ?1', ['?1', '?2', undefined]],
    ['SELECT $a, :b, @c, #d', ['$a', ':b', '@c', '#d']],
    ['SELECT $a, $a, :a', ['$a', ':a']],
    ['SELECT $a::b(c), ?', ['$a::b(c)', undefined]],
    ['SELECT $a(b c, ?)', ['$a', undefined]],
    ["SELECT '?', 'it''s ?', ?", [undefined]],
    ['SELECT "?", `?`, [?], ?', [undefined]],
    ['SELECT 1 -- ?\n, ?', [undefined]],
    ['SELECT 1 -- ?', []],
    ['SELECT /* ? /* ? */ ?', [undefined]],
    ['SELECT /* ?', []],
    ['SELECT a$b, ünï$c, :ünï', [':ünï']],
    ["SELECT x'00', 1.5e3, ?", [undefined]],
    ['SELECT a->>?, b@ -?', [undefined, undefined]],
    ["SELECT '?", []],
  ];
  for (const [sql, names] of cases) {
    test(`of ${JSON.stringify(sql)} are ${names.length}`, () => {
      assert.deepEqual(namesOf(sql), names);
    });
  }

  test('are counted to the highest number, and the ones before it are skipped', () => {
    const { count, skipped } = parametersOf('SELECT ?4, ?2');
    assert.equal(count, 4);
    assert.deepEqual([...skipped], [1, 3]);
  });

  test('leave a number alone that no statement can have', () => {
    assert.equal(parametersOf('SELECT ?999999999').count, 0);
  });

  test('are known as lists when they are the argument of carray()', () => {
    const arrays = (sql: string): number[] => [...parametersOf(sql).arrays];
    assert.deepEqual(arrays('SELECT ? IN carray(?)'), [2]);
    assert.deepEqual(arrays('SELECT v FROM CArray /* here */ ( $ids ) WHERE ?'), [1]);
    assert.deepEqual(arrays('SELECT carray, (?), mycarray(?), carray(1, ?)'), []);
  });
});
