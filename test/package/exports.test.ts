// What the package exports: the same objects by every way of import, the same names in code and in types.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { constants } from 'sqlite-tandem/lib/constants.js';

const CLASSES = ['Database', 'Statement', 'Backup'] as const;
const VERSIONS = ['VERSION', 'VERSION_NUMBER', 'SOURCE_ID'] as const;

const root = dirname(require.resolve('sqlite-tandem/package.json'));
const names = Object.keys(sqlite3);

function attributes(name: string): Omit<PropertyDescriptor, 'value'> {
  const descriptor = Object.getOwnPropertyDescriptor(sqlite3, name);
  assert.ok(descriptor !== undefined, `${name} is a property of the module itself`);
  const { value: _, ...rest } = descriptor;
  return rest;
}

describe('the module', () => {
  test('exports the classes, cached, verbose, path, the versions and the constants, and nothing else', () => {
    const expected = [...CLASSES, 'cached', 'verbose', 'path', ...VERSIONS, ...Object.keys(constants)];
    assert.deepEqual([...names].sort(), expected.sort());
  });

  test('keeps its constants from being overwritten', () => {
    for (const name of [...VERSIONS, ...Object.keys(constants)]) {
      assert.deepEqual(attributes(name), { writable: false, enumerable: true, configurable: true }, name);
    }
  });

  test('lets programs replace its classes', () => {
    for (const name of CLASSES) {
      assert.deepEqual(attributes(name), { writable: true, enumerable: true, configurable: true }, name);
    }
  });

  test('has classes that carry their own names and need new', () => {
    for (const name of CLASSES) {
      assert.equal(sqlite3[name].name, name);
      assert.throws(() => Reflect.apply(sqlite3[name], undefined, []), TypeError);
    }
  });

  test('says where its native library is', () => {
    assert.ok(isAbsolute(sqlite3.path), sqlite3.path);
    assert.match(sqlite3.path, /\.node$/);
    const report: unknown = process.report.getReport();
    assert.ok(typeof report === 'object' && report !== null && 'sharedObjects' in report);
    const { sharedObjects } = report;
    assert.ok(Array.isArray(sharedObjects) && sharedObjects.includes(realpathSync(sqlite3.path)), 'it is loaded');
  });
});

describe('import and require', () => {
  test('give the same objects under the same names', async () => {
    const { default: whole, ...named } = await import('sqlite-tandem');
    assert.equal(whole, sqlite3);
    assert.deepEqual(Object.keys(named).sort(), [...names].sort());
    for (const [name, value] of Object.entries(named)) {
      assert.equal(value, Reflect.get(sqlite3, name), name);
    }
  });

  test('give one class to a program that is an ES module', () => {
    const program = `
      import sqlite3, { Database, Statement, Backup, verbose, cached, OPEN_READONLY } from 'sqlite-tandem';
      import * as everything from 'sqlite-tandem';
      import { createRequire } from 'node:module';
      const required = createRequire(${JSON.stringify(join(root, 'package.json'))})('sqlite-tandem');
      console.log(JSON.stringify([
        sqlite3 === required, everything.default === required, verbose() === required,
        Database === required.Database, Statement === required.Statement, Backup === required.Backup,
        cached === required.cached, everything.Database === Database, OPEN_READONLY,
      ]));`;
    const expected = [true, true, true, true, true, true, true, true, 1];
    assert.deepEqual(JSON.parse(node(['--input-type=module', '-e', program])), expected);
  });

  test('give one class to a CommonJS program that requires first and imports later', () => {
    const program = `
      const { Database, verbose } = require('sqlite-tandem');
      import('sqlite-tandem').then((imported) => console.log(JSON.stringify([
        imported.Database === Database, imported.default.Database === Database, verbose() === imported.default,
      ])));`;
    assert.deepEqual(JSON.parse(node(['--input-type=commonjs', '-e', program])), [true, true, true]);
  });
});

describe('the types', () => {
  test('declare every exported name with the type it has, and no other name', async (t) => {
    const esNames = Object.keys(await import('sqlite-tandem'));
    const { status, output } = compile(t, { 'names.ts': commonjs(names), 'names.mts': esModule(esNames) });
    assert.equal(status, 0, output);
  });

  test('are found to differ when a name is missing on either side', (t) => {
    const [dropped, ...fewer] = names;
    const more = [...names, 'UNDECLARED'];
    const { status, output } = compile(t, {
      'fewer.ts': commonjs(fewer),
      'fewer.mts': esModule([...fewer, 'default']),
      'more.ts': commonjs(more),
      'more.mts': esModule([...more, 'default']),
    });
    assert.notEqual(status, 0);
    for (const extension of ['ts', 'mts']) {
      assert.match(output, new RegExp(`fewer\\.${extension}.*Property '${dropped}' is missing`));
      assert.match(output, new RegExp(`more\\.${extension}.*'UNDECLARED' does not exist`));
    }
  });
});

/** Runs Node in the package's folder, where the package can be imported by its name, and returns what it printed. */
function node(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    timeout: 60_000,
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** A program that compiles only when the CommonJS types declare exactly these names, with the types they have. */
function commonjs(exported: readonly string[]): string {
  return `import sqlite3 = require('sqlite-tandem');\n${comparison('sqlite3', exported)}`;
}

/** The same for the types of the ES module. */
function esModule(exported: readonly string[]): string {
  return `import * as sqlite3 from 'sqlite-tandem';\n${comparison('sqlite3', exported)}`;
}

function comparison(module: string, exported: readonly string[]): string {
  const entries = exported.map((name) => `  ${name}: true,\n`);
  const typed = exported
    .filter((name) => name in sqlite3)
    .map((name) => `${module}.${name} satisfies ${typeOf(name)};\n`);
  return `const names: Record<keyof typeof ${module}, true> = {\n${entries.join('')}};\nvoid names;\n${typed.join('')}`;
}

function typeOf(name: string): string {
  const type = typeof Reflect.get(sqlite3, name);
  return type === 'function' ? 'Function' : type;
}

/** Compiles files inside the package, where its types are found as a user's compiler finds them. */
function compile(t: TestContext, files: Record<string, string>): { status: number | null; output: string } {
  const folder = mkdtempSync(join(root, 'dist-test', 'types-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  const compilerOptions = { module: 'node16', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, output: stdout };
}
