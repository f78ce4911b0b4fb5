// The two copies of the shared numbers are equal, and the native door is the one that TypeScript declares.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { addon, binding } from 'sqlite-tandem/lib/native/binding.js';
import { layout } from 'sqlite-tandem/lib/native/layout.js';

const root = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('the numbers of the layout', () => {
  const ours: Readonly<Record<string, number>> = layout;
  const theirs = addon.layout();

  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    test(`${name} is the same in TypeScript and in C++`, () => {
      assert.equal(typeof ours[name], 'number', 'TypeScript has it');
      assert.equal(typeof theirs[name], 'number', 'C++ has it');
      assert.equal(ours[name], theirs[name]);
    });
  }

  test('are all that layout.h defines', () => {
    const defined = [...read('addon/core/layout.h').matchAll(/\bk([A-Z]\w*) = /g)].map(
      ([, name = '']) => name.charAt(0).toLowerCase() + name.slice(1),
    );
    assert.ok(defined.length > 100, 'the constants of layout.h were found');
    assert.deepEqual(defined.toSorted(), Object.keys(theirs).toSorted());
  });

  test('tell records, operations, tags and flags of one kind apart', () => {
    for (const prefix of ['operation', 'option', 'integers', 'parameter(?=Null|Double|Integer|Text|Blob)', 'cell']) {
      const values = Object.entries(ours)
        .filter(([name]) => new RegExp(`^${prefix}`).test(name))
        .map(([, value]) => value);
      assert.ok(values.length >= 3, prefix);
      assert.equal(new Set(values).size, values.length, prefix);
    }
  });
});

describe('the native door', () => {
  const source = read('src/native/binding.ts');
  const doors: readonly (readonly [name: string, exported: Readonly<Record<string, unknown>>, known: string])[] = [
    ['Addon', { ...addon }, 'start'],
    ['Binding', { ...binding }, 'submit'],
  ];

  for (const [name, exported, known] of doors) {
    const declared = new RegExp(`export interface ${name} \\{\\n(.*?)\\n\\}`, 's').exec(source)?.[1] ?? '';
    const functions = [...declared.matchAll(/^ {2}(\w+)\(/gm)].map(([, member = '']) => member);
    const values = [...declared.matchAll(/^ {2}readonly (\w+):/gm)].map(([, member = '']) => member);

    test(`has exactly what the interface ${name} declares`, () => {
      assert.ok(functions.includes(known), functions.join());
      assert.deepEqual(Object.keys(exported).toSorted(), [...functions, ...values].toSorted());
    });

    test(`has functions where ${name} declares functions, and values where it declares values`, () => {
      for (const member of functions) assert.equal(typeof exported[member], 'function', member);
      for (const member of values) assert.notEqual(typeof exported[member], 'function', member);
    });
  }
});
