// What 'sqlite-tandem/promises' exports: the same by import and require, and the same in the types.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import * as promises from 'sqlite-tandem/promises';

const root = dirname(require.resolve('sqlite-tandem/package.json'));
const names = [
  'AbortError',
  'Database',
  'ParameterError',
  'SqliteError',
  'Statement',
  'Transaction',
  'open',
  'sql',
  'types',
];

describe('the promise API', () => {
  test('exports its classes, open, sql and types, and nothing else', () => {
    assert.deepEqual(Object.keys(promises).sort(), names);
  });

  test('gives one class to import and require', async () => {
    const imported: object = await import('sqlite-tandem/promises');
    assert.deepEqual(Object.keys(imported).sort(), names);
    for (const [name, value] of Object.entries(imported)) assert.equal(value, Reflect.get(promises, name), name);
  });

  test('declares for ES modules what it declares for CommonJS', () => {
    const read = (file: string): string => readFileSync(join(root, 'types', file), 'utf8');
    const exported = (text: string): string[] =>
      [...text.matchAll(/^export \{([^}]*)\}/gm)]
        .flatMap(([, list = '']) => list.split(','))
        .map((name) => name.replace('type ', '').trim())
        .filter((name) => name !== '')
        .concat([...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name = '']) => name))
        .sort();
    assert.deepEqual(exported(read('promises.d.mts')), exported(read('promises.d.ts')));
  });

  test('has classes that carry their own names', () => {
    for (const [name, value] of Object.entries(promises)) {
      if (!/^[A-Z]/.test(name)) continue;
      assert.equal((value as { name: string }).name, name);
    }
  });
});
