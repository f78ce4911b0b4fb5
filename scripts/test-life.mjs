// Runs the compiled tests of test/life in their long form: node scripts/test-life.mjs [part of a path ...]
// The suite runs the same tests with fewer rounds.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const parts = process.argv.slice(2);
const run = spawnSync(
  process.execPath,
  // A limit for each file, as in the suite, but of hours.
  [
    resolve(fileURLToPath(import.meta.url), '../test.mjs'),
    '--test-timeout=14400000',
    ...(parts.length > 0 ? parts : ['life/']),
  ],
  { stdio: 'inherit', env: { ...process.env, SQLITE_TANDEM_LONG: '1' } },
);
if (run.error) throw run.error;
process.exit(run.status ?? 1);
