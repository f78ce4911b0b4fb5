// Builds the native addon: node scripts/build-addon.mjs [--sqlite=<prefix>] [--sqlite_libname=<name>] [--out=<dir>]
//
// Says at most one line when all goes well and repeats everything when it does not. With --out the addon's sources
// are copied to that folder and built there, so that a test can build a variant without touching the normal build.
// --debug builds without optimisation.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareSqlite } from './prepare-sqlite.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const home = join(root, 'addon');

const { values: given } = parseArgs({
  options: {
    sqlite: { type: 'string', default: process.env.npm_config_sqlite ?? '' },
    sqlite_libname: { type: 'string', default: process.env.npm_config_sqlite_libname ?? 'sqlite3' },
    out: { type: 'string' },
    debug: { type: 'boolean', default: false },
  },
});

try {
  build();
} catch (error) {
  console.error(`build-addon: ${error.message}`);
  process.exitCode = 1;
}

function build() {
  const directory = given.out === undefined ? home : copySources(resolve(given.out));
  if (given.sqlite === '') prepareSqlite(join(directory, 'sqlite'));

  const configuration = [
    given.debug ? '--debug' : '--release',
    `--sqlite=${given.sqlite}`,
    `--sqlite_libname=${given.sqlite_libname}`,
    ...nodeHeaders(),
  ];

  // Configuring rewrites the makefiles; done only when it could change something, an unchanged build takes no time.
  const stamp = join(directory, 'build/configured');
  const state = fingerprint(directory, configuration);
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== state) {
    rmSync(stamp, { force: true });
    nodeGyp(directory, ['configure', ...configuration]);
    writeFileSync(stamp, state);
  }
  if (given.sqlite === '' && !existsSync(join(directory, 'build', given.debug ? 'Debug' : 'Release'))) {
    console.error('build-addon: compiling SQLite and the addon; the first time takes a minute or two.');
  }
  nodeGyp(directory, ['build', given.debug ? '--debug' : '--release', '--jobs=max']);
}

function copySources(directory) {
  const left = new Set(['build', 'sqlite']);
  mkdirSync(directory, { recursive: true });
  cpSync(home, directory, {
    recursive: true,
    filter: (path) => !(dirname(path) === home && left.has(basename(path))),
  });
  return directory;
}

/** Node's headers: as configured, else those beside this node, else node-gyp downloads them. */
function nodeHeaders() {
  const configured = process.env.npm_config_nodedir ?? process.env.npm_package_config_node_gyp_nodedir;
  if (configured) return [`--nodedir=${configured}`];
  if (process.env.npm_config_runtime || process.env.npm_config_target) return [];
  const prefix = resolve(process.execPath, process.platform === 'win32' ? '..' : '../..');
  return existsSync(join(prefix, 'include/node/node_api.h')) ? [`--nodedir=${prefix}`] : [];
}

/** All that decides how the makefiles look: the gyp files, the list of sources, the options, and who runs them. */
function fingerprint(directory, configuration) {
  const hash = createHash('sha256');
  for (const file of ['binding.gyp', 'sqlite.gypi']) hash.update(readFileSync(join(directory, file)));
  const sources = ['core', 'napi'].map((layer) => readdirSync(join(directory, layer)).sort());
  hash.update(JSON.stringify([directory, sources, configuration, process.version, process.arch, nodeGypVersion()]));
  return hash.digest('hex');
}

function nodeGyp(directory, options) {
  const run = spawnSync(process.execPath, [nodeGypPath(), ...options, '-C', directory], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (run.error) throw run.error;
  if (run.status === 0) return;
  process.stderr.write(run.stdout);
  process.stderr.write(run.stderr);
  throw new Error(`node-gyp ${options[0]} failed in ${directory} (${run.signal ?? `exit code ${run.status}`}).`);
}

function nodeGypPath() {
  try {
    return createRequire(import.meta.url).resolve('node-gyp/bin/node-gyp.js');
  } catch {
    throw new Error('node-gyp is missing: "npm ci" in a clone, "npm install --no-save node-gyp" in a project.');
  }
}

function nodeGypVersion() {
  return JSON.parse(readFileSync(resolve(nodeGypPath(), '../../package.json'), 'utf8')).version;
}
