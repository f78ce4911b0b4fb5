// Checks the style of everything: node scripts/lint.mjs [--fix]. Biome for TypeScript and JavaScript, clang-format and
// clang-tidy for C++; every finding is an error. --fix formats in place what can be formatted.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareSqlite } from './prepare-sqlite.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const fix = process.argv.includes('--fix');
const biome = join(dirname(createRequire(import.meta.url).resolve('@biomejs/biome/package.json')), 'bin/biome');

const missing = (fix ? ['clang-format'] : ['clang-format', 'clang-tidy']).filter(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
);
if (missing.length > 0) {
  console.error(`lint: ${missing.join(' and ')} not found; on Debian: apt-get install ${missing.join(' ')}`);
  process.exit(1);
}

const cpp = ['addon/core', 'addon/napi', 'test'].flatMap((directory) =>
  readdirSync(join(root, directory), { recursive: true })
    .filter((file) => /\.(cc|h)$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(directory, file)),
);
if (cpp.length === 0) throw new Error('lint: no C++ found; the folders above are wrong.');

const colors = `--colors=${process.stderr.isTTY ? 'force' : 'off'}`;
const failures = [];
if (fix) {
  await check('biome', process.execPath, [biome, 'check', '--write', '--error-on-warnings', colors]);
  await check('clang-format', 'clang-format', ['-i', ...cpp]);
} else {
  await check('biome', process.execPath, [biome, 'ci', '--error-on-warnings', colors]);
  await check('clang-format', 'clang-format', ['--dry-run', '-Werror', ...cpp]);
  await tidy(cpp.filter((file) => file.startsWith('addon') && file.endsWith('.cc')));
}
if (failures.length > 0) {
  console.error(`lint: failed: ${failures.join(', ')}`);
  process.exitCode = 1;
}

/** clang-tidy, one process for each file, as many at once as there are cores. */
async function tidy(files) {
  prepareSqlite();
  const flags = [
    ...['-std=c++17', '-fno-exceptions', '-fno-rtti', '-pthread', '-Wall', '-Wextra', '-Wpedantic', '-Wshadow'],
    ...['-DNAPI_VERSION=8', '-DNODE_API_NO_EXTERNAL_BUFFERS_ALLOWED', '-Iaddon'],
    ...['-isystem', 'addon/sqlite', '-isystem', nodeHeaders()],
  ];
  const waiting = [...files];
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      await check(`clang-tidy ${file}`, 'clang-tidy', ['--quiet', file, '--', ...flags]);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

function nodeHeaders() {
  const prefixes = [process.env.npm_config_nodedir, resolve(process.execPath, '../..')].filter(Boolean);
  const found = prefixes
    .map((prefix) => join(prefix, 'include/node'))
    .find((path) => existsSync(join(path, 'node_api.h')));
  if (found === undefined)
    throw new Error(`lint: node_api.h not found below ${prefixes.join(' or ')}; set npm_config_nodedir.`);
  return found;
}

/** Runs one tool; what it printed is shown in one piece, and only when it failed. */
function check(name, command, options) {
  return new Promise((done) => {
    const child = spawn(command, options, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('close', (code) => {
      if (code !== 0) {
        failures.push(name);
        process.stderr.write(`${output}\n`);
      }
      done();
    });
  });
}
