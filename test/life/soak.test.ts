// A short form of scripts/soak.mjs: mixed work with faults on eight connections, each answer checked against a model.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const scripts = path.resolve(__dirname, '../../scripts');

/** What a script prints; its failure is the test's. */
const outputOf = (script: string, ...args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
    execFile(process.execPath, [path.join(scripts, script), ...args], { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${stdout}\n${stderr}`, { cause: error }));
    });
  });

describe('mixed work on eight connections', () => {
  test('answers what the model says, and gives back what it takes', async () => {
    const output = await outputOf('soak.mjs', '--operations', '1000', '--seed', '1');
    assert.match(output, /soak: ok\n$/);
    assert.match(output, /1000 operations, [1-9]\d{3} answers checked/);
    for (const work of [
      'interrupted write',
      'rolled back transaction',
      'close and reopen',
      'throwing callback',
      'big blob',
      'promise: iteration that is left',
      'promise: iteration that is cancelled',
      'promise: cancelled transaction',
      'promise: backup',
    ]) {
      assert.match(output, new RegExp(`${work} [1-9]`));
    }
  });
});

describe('growth of memory', () => {
  test('is told from noise, and shrinking from growing', async () => {
    const url = pathToFileURL(path.join(scripts, 'growth.mjs')).href;
    const { growth } = (await import(url)) as { growth(samples: readonly number[]): number };
    assert.equal(growth([5]), 0);
    assert.equal(growth([7, 7, 7]), 0);
    assert.equal(growth([0, 1, 2, 3]), 3);
    assert.equal(growth([30, 20, 10]), -20);
    assert.equal(growth([10, 20, 10, 20, 10]), 0);
    assert.ok(Math.abs(growth([100, 112, 118, 133, 140]) - 40) < 2);
  });
});
