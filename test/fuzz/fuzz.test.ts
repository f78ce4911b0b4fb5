// The kept corpus of the fuzzers, run through the core under the sanitizers of addresses and of undefined behaviour.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

const root = path.resolve(__dirname, '../..');
const skip = process.platform === 'win32' ? 'the program is written for POSIX' : false;

describe('the kept inputs of the fuzzers', { skip }, () => {
  for (const target of ['requests', 'databases']) {
    test(`${target}: each is survived, and nothing is reported`, async () => {
      const inputs = readdirSync(path.join(root, 'test/fuzz/corpus', target)).sort();
      assert.ok(inputs.length > 5);
      const output = await new Promise<string>((resolve, reject) => {
        const args = [path.join(root, 'scripts/fuzz.mjs'), '--replay', target];
        const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
        execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`${stdout}\n${stderr}`, { cause: error }));
        });
      });
      assert.deepEqual(output.trim().split('\n'), [...inputs, `${inputs.length} inputs survived`]);
    });
  }
});
