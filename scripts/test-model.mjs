// Runs the model test of the promise API with many more programs than the suite: node scripts/test-model.mjs [number]
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const runs = process.argv[2] ?? '10000';
if (!/^[1-9]\d*$/.test(runs)) {
  console.error(`test-model: ${runs} is no number of programs.`);
  process.exit(1);
}

const run = spawnSync(
  process.execPath,
  ['--test', '--test-reporter=spec', resolve(root, 'dist-test/promises/model.test.js')],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SQLITE_TANDEM_MODEL_RUNS: runs } },
);
if (run.error) throw run.error;
process.exit(run.status ?? 1);
