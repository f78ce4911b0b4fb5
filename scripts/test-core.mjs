// Tests addon/core without Node: node scripts/test-core.mjs [--sanitize address,undefined | thread] [--all] [--build]
// [--every] [--valgrind] [part of a test's name ...]. Builds a program of addon/core, SQLite and test/core, and runs it.
// --all does so plainly and with each sanitizer, --build only builds. Tests that let each operation fail in turn leave
// some out, which --every makes them not do. --valgrind runs the plain program in Valgrind, for which Debian has a package
// of that name. What was built is kept in addon/build/core-*.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { coreJobs, link, root, sanitizing } from './core-build.mjs';
import { prepareSqlite } from './prepare-sqlite.mjs';

const sanitized = ['address,undefined', 'thread'];

// Any error makes the exit code 1, also bytes that nothing refers to any more, or that were never written and decide.
const valgrind = [
  ...['valgrind', '--quiet', '--error-exitcode=1', '--leak-check=full', '--show-leak-kinds=definite,indirect,possible'],
  ...['--errors-for-leak-kinds=definite,indirect,possible', '--track-origins=yes', '--num-callers=30'],
  // One thread runs at a time: without turns, one that waits awake keeps the one it waits for from going on.
  '--fair-sched=yes',
];

const { values: given, positionals: filters } = parseArgs({
  options: {
    sanitize: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
    every: { type: 'boolean', default: false },
    valgrind: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

try {
  if (given.valgrind && (given.all || given.sanitize !== '')) {
    throw new Error('Valgrind cannot run what was built with a sanitizer.');
  }
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
function build(sanitizers) {
  if (sanitizers !== '' && !sanitized.includes(sanitizers)) {
    throw new Error(`--sanitize takes ${sanitized.join(' or ')}, not ${sanitizers}.`);
  }
  const folder = join(root, 'addon/build', `core-${sanitizers === '' ? 'plain' : sanitizers.replace(',', '-')}`);
  return link(folder, 'core', coreJobs(folder, sanitizers), sanitizing(sanitizers));
}

function run(program, sanitizers) {
  const command = [program, ...filters];
  // The thread sanitizer of older compilers cannot live with as much random placement as newer kernels do.
  if (sanitizers === 'thread' && spawnSync('setarch', ['-R', 'true']).status === 0) command.unshift('setarch', '-R');
  if (given.valgrind) command.unshift(...valgrind);
  const { status, signal, error } = spawnSync(command[0], command.slice(1), {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(given.every ? { SQLITE_TANDEM_EVERY_FAULT: '1' } : {}),
      ...(given.valgrind ? { SQLITE_TANDEM_SLOWNESS: '20' } : {}),
      ASAN_OPTIONS: 'detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1',
      UBSAN_OPTIONS: 'print_stacktrace=1',
      TSAN_OPTIONS: 'second_deadlock_stack=1:halt_on_error=1',
    },
  });
  if (error?.code === 'ENOENT' && given.valgrind)
    throw new Error('valgrind not found; on Debian: apt-get install valgrind');
  if (error) throw error;
  if (status !== 0) throw new Error(`the tests failed (${signal ?? `exit code ${status}`}).`);
}
