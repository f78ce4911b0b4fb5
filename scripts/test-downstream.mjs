// Runs programs on published libraries with the packed package as their sqlite3: node scripts/test-downstream.mjs [file ...]
//
// --sqlite3=<folder> takes the package in that folder instead, such as node-sqlite3 itself, to see where the two differ.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installLocked, pack, root, runTests } from './pack.mjs';

const home = join(root, 'test/downstream');
const target = join(home, 'node_modules/sqlite3');

const { values: given, positionals: named } = parseArgs({
  options: { sqlite3: { type: 'string' } },
  allowPositionals: true,
});

const folder = mkdtempSync(join(tmpdir(), 'sqlite-tandem-packed-'));
try {
  const tarball = pack(folder);
  // package.json names this file, so npm puts it where every library finds it as sqlite3.
  copyFileSync(tarball, join(home, 'sqlite-tandem.tgz'));
  installLocked(home);
  // What npm installed may be of an earlier run; the libraries stay, their sqlite3 is always the one just packed.
  rmSync(target, { recursive: true, force: true });
  if (given.sqlite3 === undefined) unpack(tarball);
  else compareWith(resolve(given.sqlite3));

  const files = readdirSync(home)
    .filter((name) => name.endsWith('.test.mjs'))
    .filter((name) => named.length === 0 || named.some((part) => name.includes(part)))
    .map((name) => join(home, name));
  if (files.length === 0) throw new Error(`test-downstream: no test file matches ${named.join(' ')}`);
  await runTests(files, { concurrency: 2, timeout: 300_000 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function unpack(tarball) {
  mkdirSync(target);
  const run = spawnSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], { encoding: 'utf8' });
  if (run.status !== 0) throw run.error ?? new Error(`tar failed: ${run.stderr}`);
}

function compareWith(other) {
  symlinkSync(other, target);
  process.env.DOWNSTREAM_SQLITE3 = JSON.parse(readFileSync(join(other, 'package.json'), 'utf8')).name;
}
