// A short form of scripts/many-processes.mjs: eight processes on one WAL file, of which none starves and nothing is lost.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const script = path.resolve(__dirname, '../../scripts/many-processes.mjs');

test('five processes that write and three that read one file lose nothing, and each gets its turn', async () => {
  const output = await new Promise<string>((resolve, reject) => {
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
    execFile(process.execPath, [script, '30'], { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${stdout}\n${stderr}`, { cause: error }));
    });
  });
  assert.match(output, /transactions 150 \(least by one process 30\)/);
  assert.match(output, /reads [1-9]\d* \(least by one process [1-9]/);
  assert.match(output, /nothing lost of 5 x 30/);
});
