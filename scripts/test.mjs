// Runs the compiled tests: node scripts/test.mjs [part of a path ...] [--without=<part of a path> ...]
// [--option for node --test ...]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const compiled = join(root, 'dist-test');

const without = '--without=';
const given = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const options = given.filter((argument) => !argument.startsWith(without));
const left = given.filter((argument) => argument.startsWith(without)).map((argument) => argument.slice(without.length));
// Tests may be named by their source: test/life/exit.test.ts is dist-test/life/exit.test.js.
const filters = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('-'))
  .map((argument) => argument.replace(/^(\.\/)?(dist-)?test\//, '').replace(/\.[jt]s$/, ''));

const files = (existsSync(compiled) ? readdirSync(compiled, { recursive: true }) : [])
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .filter((file) => !left.some((filter) => file.includes(filter)))
  .sort();

if (files.length === 0) {
  console.error(
    `test: no compiled test matches ${filters.join(' ') || 'at all'}; "npm run build:tests" compiles them.`,
  );
  process.exit(1);
}

const run = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-reporter=spec',
    // A limit for each file. It only has to be shorter than anyone's patience with a test that hangs.
    '--test-timeout=300000',
    // The files mostly wait for processes of their own, so two at once even where there is one core.
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    ...options,
    ...files.map((file) => join(compiled, file)),
  ],
  { cwd: root, stdio: 'inherit' },
);
if (run.error) throw run.error;
process.exit(run.status ?? 1);
