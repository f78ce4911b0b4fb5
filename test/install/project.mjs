// A project in a temporary folder, installed by one of the package managers, and the check that it got sqlite-tandem.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packLibraries, use } from './libraries.mjs';
import { startRegistry } from './registry.mjs';

/** The packed package under test; scripts/test-install.mjs makes it. */
export const tarball = process.env.SQLITE_TANDEM_TARBALL;
assert.ok(
  tarball !== undefined && existsSync(tarball),
  'SQLITE_TANDEM_TARBALL names a tarball; use npm run test:install',
);

export const version = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

/** What users write to get the package under the name that libraries require. */
export const alias = `npm:sqlite-tandem@${version}`;

/** Path of a program of one of the packages that package.json here names. */
export const tool = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));

/** The newest pnpm, a program of its own; scripts/test-install.mjs puts it beside the other tools. */
export const newestPnpm = {
  version: '12',
  program: tool('.newest-pnpm/node_modules/.bin/pnpm'),
};

/** A folder for the test file, a registry, and a PATH that leads to Node and to no compiler. */
export async function startWorkshop() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sqlite-tandem-install-')));
  const registry = await startRegistry([tarball, ...packLibraries(folder)]);
  const path = join(folder, 'path');
  mkdirSync(path);
  symlinkSync(process.execPath, join(path, 'node'));
  // Package managers start scripts, if there were any, with sh.
  symlinkSync('/bin/sh', join(path, 'sh'));

  const environment = {
    PATH: path,
    HOME: folder,
    CI: 'true',
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    YARN_CACHE_FOLDER: join(folder, 'yarn-cache'),
  };

  /** A project with this package.json and further files. */
  const project = (manifest, files = {}) => {
    const place = mkdtempSync(join(folder, 'project-'));
    const all = {
      ...files,
      'package.json': JSON.stringify({ name: 'project', version: '1.0.0', private: true, ...manifest }, null, 2),
      'use.cjs': use,
      'check.cjs': program,
    };
    for (const [name, text] of Object.entries(all)) writeFileSync(join(place, name), text);
    return place;
  };

  const close = async () => {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  };

  return { folder, registry, environment, project, close };
}

/** Runs a program to its end without blocking the registry of this process. */
export function run(command, options, { cwd, env }) {
  return new Promise((done, failed) => {
    const child = spawn(command, options, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 240_000 });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code: code ?? signal, output }));
  });
}

/** The same for a program that has to succeed; gives what it printed. */
export async function succeed(command, options, place) {
  const { code, output } = await run(command, options, place);
  assert.equal(code, 0, `${command} ${options.join(' ')} in ${place.cwd}: ${code}\n${output}`);
  return output;
}

// Loads sqlite3 from the project ('.') or from one of its libraries in all ways and makes a query. What it finds out is
// printed: the check is in one process, the judgement in another.
const program = `
const users = process.argv.slice(2).map((name) => require(name === '.' ? './use.cjs' : name));
const [{ required, imported, manifest }] = users;
const sqlite3 = required();
imported().then((module) => {
  const db = new module.Database(':memory:');
  db.serialize(() => {
    db.run('create table t (v)');
    db.run('insert into t values (?), (?)', ['a', 'b']);
    db.all('select v from t order by v', (error, rows) => {
      if (error) throw error;
      db.close((error) => {
        if (error) throw error;
        console.log(JSON.stringify({
          name: manifest().name,
          version: manifest().version,
          rows,
          oneForAll: users.every((user) => user.required() === sqlite3),
          importIsRequire: module.default === sqlite3 && module.Database === sqlite3.Database,
          binary: sqlite3.path,
        }));
      });
    });
  });
});
`;

/** Runs the check in a project for the named users of sqlite3 ('.' is the project itself). */
export async function checkProject(place, users, [command, ...options] = [process.execPath]) {
  const output = await succeed(command, [...options, 'check.cjs', ...users], place);
  const line = output.split('\n').find((text) => text.startsWith('{')) ?? output;
  const { binary, ...found } = JSON.parse(line);
  const expected = { name: 'sqlite-tandem', version, rows: [{ v: 'a' }, { v: 'b' }], oneForAll: true };
  assert.deepEqual(found, { ...expected, importIsRequire: true });
  assert.ok(binary.includes(`${sep}prebuilds${sep}`), `${binary} came out of the tarball`);
}
