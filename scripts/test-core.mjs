// Tests addon/core without Node: node scripts/test-core.mjs [--sanitize address,undefined | thread] [--all] [--build]
// [--every] [part of a test's name ...]. Builds a program of addon/core, SQLite and test/core, and runs it. --all does so
// plainly and with each sanitizer, --build only builds. Tests that let each operation fail in turn leave some out, which
// --every makes them not do. What was built is kept in addon/build/core-*.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  command,
  compileMissing,
  cxx,
  filesOf,
  hashOf,
  job,
  ownFlags,
  root,
  sanitizing,
  sqliteJob,
} from './core-build.mjs';
import { prepareSqlite } from './prepare-sqlite.mjs';

const sanitized = ['address,undefined', 'thread'];

const { values: given, positionals: filters } = parseArgs({
  options: {
    sanitize: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
    every: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

try {
  prepareSqlite();
  for (const sanitizers of given.all ? ['', ...sanitized] : [given.sanitize]) {
    const program = await build(sanitizers);
    if (!given.build) run(program, sanitizers);
  }
} catch (error) {
  console.error(`test-core: ${error.message}`);
  process.exitCode = 1;
}

/** Returns the path of the program. */
async function build(sanitizers) {
  if (sanitizers !== '' && !sanitized.includes(sanitizers)) {
    throw new Error(`--sanitize takes ${sanitized.join(' or ')}, not ${sanitizers}.`);
  }
  const folder = join(root, 'addon/build', `core-${sanitizers === '' ? 'plain' : sanitizers.replace(',', '-')}`);
  mkdirSync(folder, { recursive: true });
  const jobs = [sqliteJob(folder, sanitizers), ...ownJobs(folder, sanitizers)];
  await compileMissing(jobs);

  const objects = jobs.map(({ object }) => object);
  const [sqlite] = objects;
  const program = join(folder, `core-${hashOf([...objects, readFileSync(sqlite)])}`);
  if (!existsSync(program)) {
    const libraries = process.platform === 'linux' ? ['-ldl', '-lm'] : [];
    await command(cxx, ['-pthread', ...sanitizing(sanitizers), ...objects, ...libraries, '-o', `${program}.new`]);
    renameSync(`${program}.new`, program);
  }
  const kept = new Set([...objects, program].map((path) => basename(path)));
  for (const file of readdirSync(folder)) {
    if (!kept.has(file)) rmSync(join(folder, file));
  }
  return program;
}

function ownJobs(folder, sanitizers) {
  const flags = ownFlags(sanitizers);
  // The tests bring memory of their own, which can run out.
  const core = filesOf('addon/core', '.cc').filter((file) => basename(file) !== 'memory.cc');
  const headers = [...filesOf('addon/core', '.h'), ...filesOf('test/core', '.h')];
  return [...core, ...filesOf('test/core', '.cc')].map((source) => job(folder, cxx, source, flags, headers));
}

function run(program, sanitizers) {
  const command = [program, ...filters];
  // The thread sanitizer of older compilers cannot live with as much random placement as newer kernels do.
  if (sanitizers === 'thread' && spawnSync('setarch', ['-R', 'true']).status === 0) command.unshift('setarch', '-R');
  const { status, signal, error } = spawnSync(command[0], command.slice(1), {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(given.every ? { SQLITE_TANDEM_EVERY_FAULT: '1' } : {}),
      ASAN_OPTIONS: 'detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1',
      UBSAN_OPTIONS: 'print_stacktrace=1',
      TSAN_OPTIONS: 'second_deadlock_stack=1:halt_on_error=1',
    },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`the tests failed (${signal ?? `exit code ${status}`}).`);
}
