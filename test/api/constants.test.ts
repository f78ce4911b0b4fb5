// The constants: values that programs rely on, completeness against the sqlite3.h that is built in, names of codes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { codeName } from 'sqlite-tandem/lib/constants.js';
import { single } from '../support/calls.js';
import { open } from '../support/database.js';

/** What sqlite3 6.0.1 exports. */
const INHERITED = {
  OPEN_READONLY: 1,
  OPEN_READWRITE: 2,
  OPEN_CREATE: 4,
  OPEN_URI: 64,
  OPEN_FULLMUTEX: 65536,
  OPEN_SHAREDCACHE: 131072,
  OPEN_PRIVATECACHE: 262144,
  OK: 0,
  ERROR: 1,
  INTERNAL: 2,
  PERM: 3,
  ABORT: 4,
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  INTERRUPT: 9,
  IOERR: 10,
  CORRUPT: 11,
  NOTFOUND: 12,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  EMPTY: 16,
  SCHEMA: 17,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  MISUSE: 21,
  NOLFS: 22,
  AUTH: 23,
  FORMAT: 24,
  RANGE: 25,
  NOTADB: 26,
  LIMIT_LENGTH: 0,
  LIMIT_SQL_LENGTH: 1,
  LIMIT_COLUMN: 2,
  LIMIT_EXPR_DEPTH: 3,
  LIMIT_COMPOUND_SELECT: 4,
  LIMIT_VDBE_OP: 5,
  LIMIT_FUNCTION_ARG: 6,
  LIMIT_ATTACHED: 7,
  LIMIT_LIKE_PATTERN_LENGTH: 8,
  LIMIT_VARIABLE_NUMBER: 9,
  LIMIT_TRIGGER_DEPTH: 10,
  LIMIT_WORKER_THREADS: 11,
};

/** Of what is added: all flags and primary codes, and the extended codes programs ask for most. */
const ADDED = {
  OPEN_MEMORY: 128,
  OPEN_NOMUTEX: 32768,
  OPEN_NOFOLLOW: 16777216,
  OPEN_EXRESCODE: 33554432,
  NOTICE: 27,
  WARNING: 28,
  ROW: 100,
  DONE: 101,
  BUSY_SNAPSHOT: 517,
  CANTOPEN_ISDIR: 526,
  CONSTRAINT_CHECK: 275,
  CONSTRAINT_FOREIGNKEY: 787,
  CONSTRAINT_NOTNULL: 1299,
  CONSTRAINT_PRIMARYKEY: 1555,
  CONSTRAINT_UNIQUE: 2067,
  CONSTRAINT_DATATYPE: 3091,
  IOERR_SHORT_READ: 522,
  LOCKED_SHAREDCACHE: 262,
  READONLY_DBMOVED: 1032,
  LIMIT_PARSER_DEPTH: 12,
  LIMIT_SCHEMA: 13,
  LIMIT_TRIGGER_STEPS: 14,
};

const header = readFileSync(
  join(dirname(require.resolve('sqlite-amalgamation/package.json')), 'deps/sqlite3/sqlite3.h'),
  'utf8',
);

/** Names without SQLITE_ and numbers of all definitions that match; the pattern has a group for each of the two. */
function definitions(pattern: RegExp): [string, number][] {
  return Array.from(header.matchAll(pattern), ({ groups }) => {
    assert.ok(groups?.['name'] !== undefined && groups['value'] !== undefined, 'the pattern has both groups');
    return [groups['name'], Number(groups['value'])];
  });
}

const headerPrimaryCodes = new Map(
  definitions(/^#define SQLITE_(?<name>[A-Z]+) +(?<value>\d+) +\/\* .*$/gm).filter(
    ([name]) => header.indexOf(`#define SQLITE_${name} `) < header.indexOf('end-of-error-codes'),
  ),
);

const headerExtendedCodes = new Map(
  definitions(/^#define SQLITE_(?<name>\w+) +\(SQLITE_[A-Z]+ *\| *\((?<value>\d+)<<8\)\)/gm).map(([name, detail]) => {
    const primary = headerPrimaryCodes.get(name.slice(0, name.indexOf('_')));
    assert.ok(primary !== undefined, `${name} begins with a primary code`);
    return [name, primary + detail * 256];
  }),
);

const headerOpenFlags = new Map(
  definitions(
    /^#define SQLITE_(?<name>OPEN_\w+) +(?<value>0x\w+) +\/\* (?:Ok for sqlite3_open_v2\(\)|Extended result codes) \*\/$/gm,
  ),
);

const headerLimits = new Map(definitions(/^#define SQLITE_(?<name>LIMIT_\w+) +(?<value>\d+)$/gm));

/** The exported numbers, without the version number. */
function exported(): Record<string, number> {
  const entries = Object.entries(sqlite3).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[0] !== 'VERSION_NUMBER',
  );
  return Object.fromEntries(entries);
}

function pick(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(sqlite3, name)]));
}

describe('constants', () => {
  test('have the names and values of sqlite3', () => {
    assert.deepEqual(pick(Object.keys(INHERITED)), INHERITED);
  });

  test('include the flags, codes and limits that sqlite3 leaves out', () => {
    assert.deepEqual(pick(Object.keys(ADDED)), ADDED);
  });

  test('are those of the sqlite3.h that is built in, none missing and none more', () => {
    const defined = [...headerOpenFlags, ...headerPrimaryCodes, ...headerExtendedCodes, ...headerLimits];
    assert.deepEqual(exported(), Object.fromEntries(defined));
  });
});

describe('version constants', () => {
  test('are what SQLite itself reports', async (t) => {
    const db = await open(t);
    assert.equal(sqlite3.VERSION, await single(db, 'select sqlite_version() as v'));
    assert.equal(sqlite3.SOURCE_ID, await single(db, 'select sqlite_source_id() as v'));
  });

  test('agree with each other', () => {
    const [major, minor, patch] = sqlite3.VERSION.split('.').map(Number);
    assert.ok(major !== undefined && minor !== undefined && patch !== undefined, sqlite3.VERSION);
    assert.equal(sqlite3.VERSION_NUMBER, major * 1_000_000 + minor * 1_000 + patch);
  });
});

describe('codeName', () => {
  test('names every primary and extended code', () => {
    const codes = [...headerPrimaryCodes, ...headerExtendedCodes];
    assert.deepEqual(
      codes.map(([, code]) => codeName(code)),
      codes.map(([name]) => `SQLITE_${name}`),
    );
    assert.equal(codeName(19), 'SQLITE_CONSTRAINT');
    assert.equal(codeName(2067), 'SQLITE_CONSTRAINT_UNIQUE');
  });

  test('calls a number that is no result code UNKNOWN', () => {
    const noCodes = [-1, 29, 102, 19 + 255 * 256, 0.5, Number.NaN, sqlite3.OPEN_FULLMUTEX, sqlite3.OPEN_CREATE << 8];
    assert.deepEqual(new Set(noCodes.map(codeName)), new Set(['UNKNOWN']));
  });
});
