// Puts the pinned SQLite amalgamation into addon/sqlite, after checking that it is exactly the one we mean.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');

// A registry package that carries the amalgamation. It is never loaded; only these three files are read.
const source = join(root, 'node_modules/sqlite-amalgamation/deps/sqlite3');

const sourceId = '2026-10-16 14:45:20 555e07ef33f69a0957d24d8e555b702464a131d6f1607f4c3c1e4551e8e6ca76';

const hashes = {
  'sqlite3.c': '75a4760a7b9727a4c4c877aec92eacf39e52a8f2921ce00bd33be6d3a8e8e254',
  'sqlite3.h': 'd6c84557261893439b341d2e6c35187ae3ea24fbfd843ad94616f72d89242b8c',
  'sqlite3ext.h': '48963abfefb41ac329ef9d706acb5eadba952a99a748285c9ded6b5e0942721b',
};

/** Fills `directory` with the three files; files that are already right are left alone, so that make sees no change. */
export function prepareSqlite(directory = join(root, 'addon/sqlite')) {
  for (const [name, hash] of Object.entries(hashes)) {
    const target = join(directory, name);
    if (existsSync(target) && sha256(readFileSync(target)) === hash) continue;
    const origin = join(source, name);
    check(origin, name, hash);
    mkdirSync(directory, { recursive: true });
    // Renamed into place: a build that is stopped half-way must not leave half a file behind.
    copyFileSync(origin, `${target}.new`);
    renameSync(`${target}.new`, target);
  }
}

function check(origin, name, hash) {
  if (!existsSync(origin)) {
    throw new Error(`SQLite's ${name} is missing at ${origin}: run "npm ci" first, or build with --sqlite=<prefix>.`);
  }
  const bytes = readFileSync(origin);
  const text = bytes.toString('utf8');
  if (name !== 'sqlite3ext.h') {
    const found = /^#define SQLITE_SOURCE_ID\s+"([^"]*)"/m.exec(text)?.[1];
    if (found !== sourceId) {
      throw new Error(
        `${origin} has SQLITE_SOURCE_ID "${found}", but "${sourceId}" is pinned in scripts/prepare-sqlite.mjs.`,
      );
    }
  }
  if (name === 'sqlite3.c' && !text.includes('#define SQLITE_UDL_CAPABLE_PARSER 1')) {
    throw new Error(
      `${origin} was not generated for UPDATE ... LIMIT: see SQLITE_ENABLE_UPDATE_DELETE_LIMIT in sqlite.gypi.`,
    );
  }
  const actual = sha256(bytes);
  if (actual !== hash) {
    throw new Error(`${origin} has SHA-256 ${actual}, but ${hash} is pinned in scripts/prepare-sqlite.mjs.`);
  }
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepareSqlite();
