// A writing process is killed at random moments: a short run of scripts/power-cut.mjs.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { amount } from './long.js';

const script = path.resolve(__dirname, '../../scripts/power-cut.mjs');

test('what a killed process had reported as committed is there, whole', async (t) => {
  const rounds = amount(10, 300);
  const child = spawn(process.execPath, [script, String(rounds)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, output);
  const [, kills, reported] = /^power-cut: (\d+) kills, .*; (\d+) records reported, 0 lost/.exec(output) ?? [];
  assert.equal(Number(kills), rounds, output);
  assert.ok(Number(reported) > rounds, output);
  t.diagnostic(output.trim());
});
