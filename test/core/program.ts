// Builds and runs the tests of addon/core, which are a program of their own, and reports them one by one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { before, describe, test } from 'node:test';

const script = path.resolve(__dirname, '../../scripts/test-core.mjs');

interface Ending {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

const run = (args: readonly string[]): Promise<Ending> => {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The runner's own variables would make the child speak the runner's protocol.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined },
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output, errors }));
  });
};

/** One test for each test of the program, which itself ends those that hang. */
export const describeCore = (name: string, options: readonly string[]): void => {
  const skip = process.platform === 'win32' ? 'the program is written for POSIX' : false;
  describe(name, { skip }, () => {
    let listed: Ending;
    let ended: Ending;
    before(async () => {
      listed = await run([...options, '--', '--list']);
      ended = await run(options);
    });

    test('every test of the program passes', async (t) => {
      assert.equal(listed.code, 0, listed.errors);
      const names = listed.output.split('\n').filter((line) => line !== '');
      assert.ok(names.length > 40, listed.output);
      const lines = new Set(ended.output.split('\n'));
      for (const each of names) {
        await t.test(each, () => assert.ok(lines.has(`ok ${each}`), 'it passed'));
      }
    });

    test('nothing is reported: no leak, no race, no undefined behaviour', () => {
      assert.equal(ended.code, 0, `${ended.output}\n${ended.errors}`);
    });
  });
};
