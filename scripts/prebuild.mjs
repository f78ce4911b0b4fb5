// Copies the built addon to prebuilds/, where the published package looks for it: node scripts/prebuild.mjs
//
// Nothing is compiled or downloaded when the package is installed, so what a platform needs must be in the tarball. Each
// platform adds its own file; they are gathered in one folder before a release.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const built = join(root, 'addon/build/Release/sqlite_tandem.node');

// Symbols that only a debugger reads are left out. Windows keeps them in a file of its own anyway.
const strip = { linux: ['--strip-unneeded'], freebsd: ['--strip-unneeded'], darwin: ['-x'] }[process.platform];

try {
  const file = prebuild();
  console.log(`${relative(root, file)} ${(statSync(file).size / 1e6).toFixed(2)} MB`);
} catch (error) {
  console.error(`prebuild: ${error.message}`);
  process.exitCode = 1;
}

function prebuild() {
  if (!existsSync(built)) throw new Error(`${relative(root, built)} is missing; "npm run build:addon" makes it.`);
  const folder = join(root, 'prebuilds', `${process.platform}-${process.arch}`);
  const file = join(folder, isMusl() ? 'node.napi.musl.node' : 'node.napi.node');
  // Made beside its place and renamed: a running program may have the old file mapped. The name keeps its ending,
  // without which Node would not load it as an addon.
  const copy = join(folder, `new-${process.pid}.node`);
  mkdirSync(folder, { recursive: true });
  try {
    copyFileSync(built, copy);
    if (strip !== undefined) stripSymbols(copy);
    load(copy);
    renameSync(copy, file);
  } finally {
    rmSync(copy, { force: true });
  }
  return file;
}

function isMusl() {
  return process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
}

function stripSymbols(file) {
  const run = spawnSync('strip', [...strip, file], { encoding: 'utf8' });
  if (run.error?.code === 'ENOENT') {
    console.error('prebuild: there is no strip on this machine; the file is larger than it needs to be.');
    return;
  }
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`strip failed: ${run.stderr}`);
}

/** A binary that does not load here loads nowhere; in a process of its own, because a bad one could end this one. */
function load(file) {
  const program = 'if (typeof require(process.argv[1]).start !== "function") throw new Error("not our addon")';
  const run = spawnSync(process.execPath, ['-e', program, file], { encoding: 'utf8', timeout: 60_000 });
  if (run.status !== 0) throw new Error(`${file} does not load: ${run.stderr}`);
}
