// Tests addon/core without Node: node scripts/test-core.mjs [--sanitize address,undefined | thread] [--all] [--build]
// [--every] [part of a test's name ...]. Builds a program of addon/core, SQLite and test/core, and runs it. --all does so plainly
// and with each sanitizer, --build only builds. Tests that let each operation fail in turn leave
// some out, which --every makes them not do. What was built is kept in addon/build/core-*.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareSqlite } from './prepare-sqlite.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const sanitized = ['address,undefined', 'thread'];
const cc = process.env.CC ?? 'gcc';
const cxx = process.env.CXX ?? 'g++';

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
  const missing = jobs.filter(({ object }) => !existsSync(object));
  if (missing.some(({ source }) => source.endsWith('sqlite3.c'))) {
    console.error(`test-core: compiling SQLite for ${basename(folder)}; the first time takes a minute or two.`);
  }
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let job = missing.shift(); job !== undefined; job = missing.shift()) await compile(job);
  });
  await Promise.all(workers);

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

function sanitizing(sanitizers) {
  if (sanitizers === '') return [];
  // Checking the types of objects needs what -fno-rtti leaves out.
  const without = sanitizers.includes('undefined') ? ['-fno-sanitize=vptr'] : [];
  return [`-fsanitize=${sanitizers}`, ...without, '-fno-sanitize-recover=all', '-fno-omit-frame-pointer'];
}

/** SQLite as the addon has it: the object that its build has made, or one of its own with a sanitizer. */
function sqliteJob(folder, sanitizers) {
  const built = join(root, 'addon/build/Release/obj.target/sqlite3/sqlite/sqlite3.o');
  const source = join(root, 'addon/sqlite/sqlite3.c');
  if (sanitizers === '' && existsSync(built)) return { source, object: built };
  // What is undefined in SQLite is SQLite's concern.
  const flags = [
    ...[sanitizers === '' ? '-O2' : '-O1', '-g', '-w', '-c'],
    ...sanitizing(sanitizers.replace(',undefined', '')),
    ...sqliteDefines().map((define) => `-D${define}`),
  ];
  return job(folder, cc, source, flags, []);
}

function ownJobs(folder, sanitizers) {
  const flags = [
    ...['-std=c++17', '-fno-exceptions', '-fno-rtti', '-pthread', '-O1', '-g', '-c'],
    ...['-Wall', '-Wextra', '-Wshadow', '-Wconversion', '-Werror'],
    ...sanitizing(sanitizers),
    ...['-I', join(root, 'addon'), '-isystem', join(root, 'addon/sqlite')],
  ];
  // The tests bring memory of their own, which can run out.
  const core = filesOf('addon/core', '.cc').filter((file) => basename(file) !== 'memory.cc');
  const headers = [...filesOf('addon/core', '.h'), ...filesOf('test/core', '.h')];
  return [...core, ...filesOf('test/core', '.cc')].map((source) => job(folder, cxx, source, flags, headers));
}

/** An object's name tells all that it was made of, so what is there need not be made again. */
function job(folder, compiler, source, flags, headers) {
  const contents = [source, ...headers].map((file) => readFileSync(file));
  const hash = hashOf([versionOf(compiler), ...flags, ...contents]);
  return { compiler, source, flags, object: join(folder, `${basename(source)}-${hash}.o`) };
}

async function compile({ compiler, source, flags, object }) {
  await command(compiler, [...flags, source, '-o', `${object}.new`]);
  renameSync(`${object}.new`, object);
}

/** The options of addon/sqlite.gypi, which is JSON but for its quotes, comments and last commas. */
function sqliteDefines() {
  const text = readFileSync(join(root, 'addon/sqlite.gypi'), 'utf8')
    .replace(/'([^']*)'|#.*$/gm, (_match, content) => (content === undefined ? '' : JSON.stringify(content)))
    .replace(/,(\s*[\]}])/g, '$1');
  const { variables } = JSON.parse(text);
  const here = { darwin: 'mac', win32: 'win' }[process.platform] ?? process.platform;
  const conditional = variables.conditions.flatMap(([condition, { sqlite_defines: defines }]) => {
    const [, operator, system] = /^OS (==|!=) "(\w+)"$/.exec(condition) ?? [];
    if (system === undefined) throw new Error(`addon/sqlite.gypi has a condition that is unknown here: ${condition}`);
    return (system === here) === (operator === '==') ? defines : [];
  });
  return [...variables.sqlite_defines, ...conditional];
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

function filesOf(folder, ending) {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(root, folder, file));
}

function versionOf(compiler) {
  const { stdout, error } = spawnSync(compiler, ['--version'], { encoding: 'utf8' });
  if (error) throw new Error(`${compiler} is missing: the tests of the core need a C and a C++ compiler.`);
  return stdout;
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(String(part.length)).update(part);
  return hash.digest('hex').slice(0, 16);
}

function command(name, options) {
  return new Promise((done, failed) => {
    const child = spawn(name, options, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', failed);
    child.on('close', (code) => {
      if (code === 0) done();
      else failed(new Error(`${name} failed: ${options.join(' ')}`));
    });
  });
}
