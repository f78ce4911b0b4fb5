// Compiles addon/core and SQLite without node-gyp: what the scripts that test and fuzz them share.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(fileURLToPath(import.meta.url), '../..');
const cc = process.env.CC ?? 'gcc';
export const cxx = process.env.CXX ?? 'g++';

export function sanitizing(sanitizers) {
  if (sanitizers === '') return [];
  // Checking the types of objects needs what -fno-rtti leaves out.
  const without = sanitizers.includes('undefined') ? ['-fno-sanitize=vptr'] : [];
  return [`-fsanitize=${sanitizers}`, ...without, '-fno-sanitize-recover=all', '-fno-omit-frame-pointer'];
}

/** SQLite as the addon has it: the object that its build has made, or one of its own with a sanitizer. */
export function sqliteJob(folder, sanitizers, compiler = cc, more = []) {
  const built = join(root, 'addon/build/Release/obj.target/sqlite3/sqlite/sqlite3.o');
  const source = join(root, 'addon/sqlite/sqlite3.c');
  if (sanitizers === '' && existsSync(built)) return { source, object: built };
  // What is undefined in SQLite is SQLite's concern.
  const flags = [
    ...[sanitizers === '' ? '-O2' : '-O1', '-g', '-w', '-c'],
    ...sanitizing(sanitizers.replace(',undefined', '')),
    ...sqliteDefines().map((define) => `-D${define}`),
    ...more,
  ];
  return job(folder, compiler, source, flags, []);
}

/** The options for addon/core and for tests of it. */
export function ownFlags(sanitizers) {
  return [
    ...['-std=c++17', '-fno-exceptions', '-fno-rtti', '-pthread', '-O1', '-g', '-c'],
    ...['-Wall', '-Wextra', '-Wshadow', '-Wconversion', '-Werror'],
    ...sanitizing(sanitizers),
    ...['-I', join(root, 'addon'), '-isystem', join(root, 'addon/sqlite')],
  ];
}

/** An object's name tells all that it was made of, so what is there need not be made again. */
export function job(folder, compiler, source, flags, headers) {
  const contents = [source, ...headers].map((file) => readFileSync(file));
  const hash = hashOf([versionOf(compiler), ...flags, ...contents]);
  return { compiler, source, flags, object: join(folder, `${basename(source)}-${hash}.o`) };
}

/** Compiles those jobs whose objects are not there, as many at once as there are processors. */
export async function compileMissing(jobs) {
  const missing = jobs.filter(({ object }) => !existsSync(object));
  for (const { source, object } of missing) {
    mkdirSync(dirname(object), { recursive: true });
    if (source.endsWith('sqlite3.c')) {
      console.error(`Compiling SQLite for ${basename(dirname(object))}; the first time takes a minute or two.`);
    }
  }
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let job = missing.shift(); job !== undefined; job = missing.shift()) await compile(job);
  });
  await Promise.all(workers);
}

/** The jobs of the tests of the core; `more` are options for the compiler. */
export function coreJobs(folder, sanitizers, more = []) {
  const flags = [...ownFlags(sanitizers), ...more];
  // The tests bring memory of their own, which can run out.
  const core = filesOf('addon/core', '.cc').filter((file) => basename(file) !== 'memory.cc');
  const headers = [...filesOf('addon/core', '.h'), ...filesOf('test/core', '.h')];
  const own = [...core, ...filesOf('test/core', '.cc')].map((source) => job(folder, cxx, source, flags, headers));
  return [sqliteJob(folder, sanitizers), ...own];
}

/**
 * Compiles what is missing and links it with those options, if that has not been done; returns the path of the result.
 * What the folder keeps of earlier builds is removed.
 */
export async function link(folder, name, jobs, options, ending = '') {
  mkdirSync(folder, { recursive: true });
  await compileMissing(jobs);
  const objects = jobs.map(({ object }) => object);
  // The addon's own object of SQLite is the one whose name does not tell what it was made of.
  const result = join(folder, `${name}-${hashOf([...options, ...objects, readFileSync(objects[0])])}${ending}`);
  if (!existsSync(result)) {
    const libraries = process.platform === 'linux' ? ['-ldl', '-lm'] : [];
    await command(cxx, ['-pthread', ...options, ...objects, ...libraries, '-o', `${result}.new`]);
    renameSync(`${result}.new`, result);
  }
  const kept = new Set([...objects, result].map((path) => basename(path)));
  for (const file of readdirSync(folder)) {
    // Beside an object, what the compiler notes for the coverage of its lines.
    if (!kept.has(file.replace(/\.gc(no|da)$/, ''))) rmSync(join(folder, file));
  }
  return result;
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

export function filesOf(folder, ending) {
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

export function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(String(part.length)).update(part);
  return hash.digest('hex').slice(0, 16);
}

export function command(name, options) {
  return new Promise((done, failed) => {
    const child = spawn(name, options, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', failed);
    child.on('close', (code) => {
      if (code === 0) done();
      else failed(new Error(`${name} failed: ${options.join(' ')}`));
    });
  });
}
