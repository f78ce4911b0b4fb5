// loadExtension(): a library that was compiled for this test, what goes wrong, and that SQL itself may load none.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, assertCode, event, failure, send, single, value } from '../support/calls.js';
import { open, temporaryFolder } from '../support/database.js';

const headers = join(dirname(require.resolve('sqlite-tandem/package.json')), 'addon', 'sqlite');

const GOOD = `
  #include "sqlite3ext.h"
  SQLITE_EXTENSION_INIT1
  static void twice(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    sqlite3_result_int64(context, 2 * sqlite3_value_int64(values[0]));
  }
  int sqlite3_extension_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
    (void)message;
    SQLITE_EXTENSION_INIT2(api);
    return sqlite3_create_function(db, "twice", 1, SQLITE_UTF8, 0, twice, 0, 0);
  }`;

const REFUSING = `
  #include "sqlite3ext.h"
  SQLITE_EXTENSION_INIT1
  int sqlite3_extension_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
    (void)db;
    SQLITE_EXTENSION_INIT2(api);
    *message = sqlite3_mprintf("it does not want to");
    return SQLITE_ERROR;
  }`;

/** Why libraries cannot be compiled here; false when they can. */
function whyNoCompiler(): string | false {
  if (process.platform === 'win32') return 'the compiler is called as on Unix';
  if (!existsSync(join(headers, 'sqlite3ext.h'))) return 'a system SQLite brings its own headers';
  return spawnSync('cc', ['--version']).status === 0 ? false : 'there is no C compiler';
}

describe('an extension', { skip: whyNoCompiler() }, () => {
  let good = '';
  let refusing = '';

  let folder = '';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sqlite-tandem-test-'));
    const compile = (name: string, source: string): string => {
      const library = join(folder, `${name}.so`);
      writeFileSync(join(folder, `${name}.c`), source);
      const args = ['-shared', '-fPIC', '-Wall', '-Werror', `-I${headers}`, '-o', library, join(folder, `${name}.c`)];
      const { status, stderr } = spawnSync('cc', args, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      return library;
    };
    good = compile('good', GOOD);
    refusing = compile('refusing', REFUSING);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  test('is loaded into the connection, in the order of the calls', async (t) => {
    const db = await open(t);
    const results: unknown[] = [];
    db.get('select twice(2) as v', (error: unknown) => results.push(String(error)));
    db.loadExtension(good, function (error) {
      results.push(error, this === db);
    });
    db.get('select twice(2) as v', (_error: unknown, row: unknown) => results.push(row));
    await answer(db, 'wait');
    assert.deepEqual(results, ['Error: SQLITE_ERROR: no such function: twice', null, true, { v: 4 }]);
  });

  test('is found without the suffix, and needs no callback', async (t) => {
    const db = await open(t);
    assert.equal(db.loadExtension(good.slice(0, -'.so'.length)), db);
    assert.equal(await single(db, 'select twice(21) as v'), 42);
  });

  test('belongs to the one connection', async (t) => {
    const [db, other] = [await open(t), await open(t)];
    await value(db, 'loadExtension', good);
    assertCode(await failure(other, 'get', 'select twice(1)'), 'SQLITE_ERROR', 1);
  });

  test('that refuses tells why', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'loadExtension', refusing);
    assertCode(error, 'SQLITE_ERROR', 1);
    assert.match(error.message, /it does not want to/);
    assert.equal('sql' in error, false, 'a path is no SQL');
  });

  test('cannot be loaded by SQL, neither before nor after one was loaded', async (t) => {
    const db = await open(t);
    const attempt = async (): Promise<void> => {
      const error = await failure(db, 'get', 'select load_extension(?)', good);
      assert.equal(error.message, 'SQLITE_ERROR: not authorized');
      assertCode(await failure(db, 'exec', `select load_extension('${good}')`), 'SQLITE_ERROR', 1);
    };
    await attempt();
    await failure(db, 'loadExtension', refusing);
    await attempt();
    await value(db, 'loadExtension', good);
    await attempt();
  });
});

describe('loadExtension()', () => {
  test('gives the error of the loader', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'loadExtension', '/no/such/extension');
    assertCode(error, 'SQLITE_ERROR', 1);
    assert.match(error.message, /no\/such\/extension/);
    assert.equal(await single(db, 'select 1 as v'), 1);
  });

  test('refuses a library that is none', async (t) => {
    const db = await open(t);
    const file = join(temporaryFolder(t), 'text.so');
    writeFileSync(file, 'not a library');
    assertCode(await failure(db, 'loadExtension', file), 'SQLITE_ERROR', 1);
  });

  test('refuses a path with a NUL character', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'loadExtension', '/no/such\0/extension');
    assertCode(error, 'SQLITE_MISUSE', 21);
    assert.match(error.message, /NUL/);
  });

  test("without a callback emits 'error' on the database", async (t) => {
    const db = await open(t);
    const emitted = event(db, 'error');
    db.loadExtension('/no/such/extension');
    assert.match(String((await emitted).args[0]), /SQLITE_ERROR/);
  });

  test('of a closed database is misuse', async (t) => {
    const db = await open(t);
    await value(db, 'close');
    assertCode(await failure(db, 'loadExtension', 'x'), 'SQLITE_MISUSE', 21);
  });

  test('takes nothing but text and a function', async (t) => {
    const db = await open(t);
    for (const args of [[], [5], [null], [undefined, () => undefined]]) {
      assert.throws(() => send(db, 'loadExtension', ...args), {
        name: 'TypeError',
        message: 'Argument 0 must be a string',
      });
    }
    assert.throws(() => send(db, 'loadExtension', 'x', null), {
      name: 'TypeError',
      message: 'Argument 1 must be a function',
    });
    assert.equal(sqlite3.Database.prototype.loadExtension.name, 'loadExtension');
  });
});
