// Runs the benchmarks, after installing their own dependencies (the rivals) when they are missing or out of date.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const bench = join(root, 'bench');

const options = process.argv.slice(2);

// Install scripts may be switched off, or find no binary to download: then prepare.mjs compiles the rivals.
if (install(bench)) run(process.execPath, [join(bench, 'prepare.mjs')]);
if (usesNode26()) install(join(bench, 'node-26'));
run(process.execPath, [join(bench, 'run.mjs'), ...options]);

function usesNode26() {
  const at = options.findIndex((option) => /^--node(=|$)/.test(option));
  if (at === -1) return Number(process.versions.node.split('.')[0]) >= 26;
  return (options[at].split('=')[1] ?? options[at + 1]) === '26';
}

/** Returns whether there was anything to install in that folder. */
function install(folder) {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const wanted = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return false;
  run('npm', ['ci', '--prefix', folder], { shell: process.platform === 'win32' });
  return true;
}

function run(command, options, more = {}) {
  const { error, status } = spawnSync(command, options, { cwd: root, stdio: 'inherit', ...more });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
