// The built addon shows Node's two entry points to the process and nothing of SQLite.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

const addon = path.resolve(__dirname, '../../addon/build/Release/sqlite_tandem.node');

// ELF only: two copies of SQLite can be mixed up by the dynamic linker where symbols share one namespace.
describe('symbols of the addon', { skip: process.platform !== 'linux' && 'reads an ELF file' }, () => {
  test('are exactly the entry points of Node-API', () => {
    assert.deepEqual(symbols('--defined-only').sort(), [
      'napi_register_module_v1',
      'node_api_module_get_api_version_v1',
    ]);
  });

  test('that it takes from the process include no function of SQLite', () => {
    const taken = symbols('--undefined-only');
    assert.ok(taken.includes('napi_create_threadsafe_function'), 'the list holds what the addon surely takes');
    assert.deepEqual(
      taken.filter((name) => /^sqlite3_/.test(name)),
      [],
    );
  });

  test('of SQLite are inside it', () => {
    assert.ok(existsSync(addon));
    const inside = nm(addon).filter((line) => / t sqlite3_open_v2$/.test(line));
    assert.equal(inside.length, 1, 'the bundled sqlite3_open_v2 is a local symbol');
  });
});

function symbols(kind: string): string[] {
  return nm('-D', kind, addon).map((line) => (line.split(/\s+/).at(-1) ?? '').replace(/@.*$/, ''));
}

function nm(...options: string[]): string[] {
  return execFileSync('nm', options, { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .filter((line) => line !== '');
}
