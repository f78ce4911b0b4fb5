// What the programs share: a temporary folder, and the check that a library really loads the package under test.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const require = createRequire(import.meta.url);

/** A folder that is gone when the test has ended. */
export function temporaryFolder(t) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sqlite-tandem-downstream-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Declares the test that the library gets the package under test when it asks for sqlite3. */
export function testLoads(library) {
  test(`${library} loads the package under test as sqlite3`, () => {
    const fromLibrary = createRequire(require.resolve(library));
    const { name } = fromLibrary('sqlite3/package.json');
    // Set by scripts/test-downstream.mjs when the programs are run on another implementation, to compare.
    assert.equal(name, process.env.DOWNSTREAM_SQLITE3 ?? 'sqlite-tandem');
    assert.equal(fromLibrary.resolve('sqlite3'), require.resolve('sqlite3'));
  });
}

/** Calls a callback-style function; resolves with what follows the error in its callback. */
export function called(start) {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });
}
