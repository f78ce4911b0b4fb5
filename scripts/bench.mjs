// Runs the benchmarks, after installing their own dependencies (the rivals) when they are missing or out of date.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const bench = join(root, 'bench');

const installed = join(bench, 'node_modules/.package-lock.json');
const wanted = join(bench, 'package-lock.json');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs) {
  run('npm', ['ci', '--prefix', bench], { shell: process.platform === 'win32' });
  // Install scripts may be switched off, or find no binary to download: then this compiles the rivals.
  run(process.execPath, [join(bench, 'prepare.mjs')]);
}
run(process.execPath, [join(bench, 'run.mjs'), ...process.argv.slice(2)]);

function run(command, options, more = {}) {
  const { error, status } = spawnSync(command, options, { cwd: root, stdio: 'inherit', ...more });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
