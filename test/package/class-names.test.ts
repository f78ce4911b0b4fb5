// Classes keep their names when the modules are bundled: errors and util.inspect() show them.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import sqlite3 from 'sqlite-tandem';
import { open } from 'sqlite-tandem/promises';

const lib = resolve(__dirname, '../../lib');
const isClass = (value: unknown): value is { readonly name: string } =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));

test('each class that a module exports has the name it is exported by', () => {
  const names = readdirSync(lib, { recursive: true, encoding: 'utf8' });
  let classes = 0;
  for (const name of names.filter((name) => name.endsWith('.js') && !name.startsWith('bundle'))) {
    for (const [key, value] of Object.entries(require(join(lib, name)) as object)) {
      if (!isClass(value)) continue;
      classes++;
      assert.equal(value.name, key, name);
      assert.match(Function.prototype.toString.call(value), new RegExp(`^class ${key}\\b`), name);
    }
  }
  assert.ok(classes > 20, `${classes} classes`);
});

test('an iterator of the promise API is shown as Rows', async () => {
  const database = await open(':memory:');
  assert.match(inspect(database.iterate('SELECT 1')), /^Rows /);
  await database.close();
});

test('a method that is called on another object names its class', () => {
  assert.throws(() => sqlite3.Statement.prototype.run.call({} as never), /class Statement/);
});
