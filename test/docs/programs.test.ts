// Runs the programs in examples/: each prints what its comments say.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { comparable, run, statedOutput } from './example.js';
import { root } from './markdown.js';

const folder = path.join(root, 'examples');
const programs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mjs'));

describe('each program in examples/', { concurrency: Math.max(2, availableParallelism()) }, () => {
  for (const name of programs.sort()) {
    test(`${name.replaceAll('\\', '/')} prints what it says`, async (t) => {
      const code = readFileSync(path.join(folder, name), 'utf8');
      const expected = statedOutput(code);
      assert.ok(expected.length > 0, 'it says what it prints');
      const { failure, output } = await run(t, { name, extension: 'mjs', code, output: expected });
      assert.equal(failure, '');
      assert.deepEqual(comparable(output, expected), expected);
    });
  }

  test('is there', () => {
    assert.ok(programs.length > 15);
  });
});
