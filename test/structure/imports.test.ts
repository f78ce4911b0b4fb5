// Holds the direction in which the parts may know each other: api and promises -> request -> native, and napi -> core.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

const root = path.resolve(__dirname, '../..');

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

describe('TypeScript', () => {
  const imports = sourcesBelow('src', /\.ts$/).flatMap((file) => importsOf(file, read(file)));

  test('has an import from each layer to the next, so the folders below are the right ones', () => {
    for (const [from, to] of [
      ['api', 'request'],
      ['promises', 'request'],
      ['request', 'native'],
      ['result', 'native'],
    ]) {
      assert.ok(
        imports.some(({ file, target }) => layerOf(file) === from && layerOf(target) === to),
        `${from} imports nothing from ${to}`,
      );
    }
  });

  test('imports only in the direction api or promises -> request -> native; result knows layout and the types of request', () => {
    assert.deepEqual(imports.filter(isAgainstTheDirection).map(describeImport), []);
  });

  test('reaches the addon only through src/native', () => {
    const doors = sourcesBelow('src', /\.ts$/).filter((file) => /\.node\b['"`]|process\.dlopen/.test(read(file)));
    assert.deepEqual(
      doors.filter((file) => layerOf(file) !== 'native'),
      [],
    );
    assert.ok(doors.length > 0, 'something in src/native loads the addon');
  });

  test('the rule tells right imports from wrong ones', () => {
    const wrong = (file: string, text: string): number => importsOf(file, text).filter(isAgainstTheDirection).length;
    assert.equal(wrong('src/api/database.ts', "import { submit } from '../request/submit';"), 0);
    assert.equal(wrong('src/request/submit.ts', "import { Database } from '../api/database';"), 1);
    assert.equal(wrong('src/request/submit.ts', "import type { Database } from '../api/database';"), 1);
    assert.equal(wrong('src/native/binding.ts', "import { submit } from '../request/submit.js';"), 1);
    assert.equal(wrong('src/result/decode.ts', "import { kind } from '../native/layout';"), 0);
    assert.equal(wrong('src/result/decode.ts', "import { load } from '../native/binding';"), 1);
    assert.equal(wrong('src/result/decode.ts', "import type { Request } from '../request/request';"), 0);
    assert.equal(wrong('src/result/decode.ts', "import { type Request, type Call } from '../request/request';"), 0);
    assert.equal(wrong('src/result/decode.ts', "import { type Request, send } from '../request/request';"), 1);
    assert.equal(wrong('src/promises/call.ts', "import { Request } from '../request/request';"), 0);
    assert.equal(wrong('src/promises/call.ts', "import { Database } from '../api/database';"), 1);
    assert.equal(wrong('src/api/database.ts', "import { Call } from '../promises/call';"), 1);
    assert.equal(wrong('src/request/request.ts', "import type { Call } from '../promises/call';"), 1);
    assert.equal(wrong('src/promises.ts', "import { open } from './promises/open';"), 0);
    assert.equal(wrong('src/api/database.ts', "import { mailbox } from '../mailbox';"), 1);
    assert.equal(wrong('src/mailbox.ts', "import { Mailbox } from './result/deliver';"), 0);
    assert.equal(wrong('src/errors.ts', "import type { Request } from './request/request';"), 0);
    assert.equal(wrong('src/errors.ts', "export { a } from './api/database';"), 1);
    assert.equal(wrong('src/result/decode.ts', "const door = require('../native/binding');"), 1);
    assert.equal(wrong('src/result/decode.ts', "const door = await import('../native/binding');"), 1);
  });
});

describe('C++', () => {
  const includes = ['addon/core', 'addon/napi', 'test'].flatMap((folder) =>
    sourcesBelow(folder, /\.(cc|h)$/).flatMap((file) => includesOf(file, read(file))),
  );

  test('of addon/napi builds on addon/core', () => {
    assert.ok(includes.some(({ file, target }) => file.startsWith('addon/napi/') && /\bcore\//.test(target)));
  });

  test('of addon/core knows neither Node nor addon/napi, and only addon/napi includes node_api.h', () => {
    assert.deepEqual(includes.filter(isForbiddenInclude).map(describeImport), []);
    assert.ok(includes.some(({ target }) => target === 'node_api.h'));
  });

  test('the rule tells right includes from wrong ones', () => {
    const wrong = (file: string, text: string): number => includesOf(file, text).filter(isForbiddenInclude).length;
    assert.equal(wrong('addon/napi/addon.cc', '#include <node_api.h>\n#include "core/queue.h"\n'), 0);
    assert.equal(wrong('addon/core/queue.cc', '#include "queue.h"\n#include <sqlite3.h>\n'), 0);
    assert.equal(wrong('test/core/queue.cc', '#include <node_api.h>\n'), 1);
    for (const header of ['<node_api.h>', '<js_native_api.h>', '<uv.h>', '<v8.h>', '<node.h>', '"../napi/env.h"']) {
      assert.equal(wrong('addon/core/queue.cc', `  #  include ${header}\n`), 1, header);
    }
  });
});

/** Files directly in src/ are layer ''. Those that put the parts together may import all of them, and no part may import those. */
function isAgainstTheDirection({ file, target, typeOnly }: Import): boolean {
  const from = layerOf(file);
  const to = layerOf(target);
  if (from === to || (to === '' && !isAssembler(target)) || isAssembler(file)) return false;
  switch (from) {
    case 'api':
    case 'promises':
      return to !== 'request' && to !== 'result' && to !== 'native';
    case 'request':
      return to !== 'native';
    case 'result':
      return target !== 'src/native/layout' && !(to === 'request' && typeOnly);
    case '':
      // What everyone may import must not pull a layer in; naming a type of one pulls nothing in.
      return !typeOnly;
    default:
      return true;
  }
}

function isAssembler(file: string): boolean {
  return /^src\/(index|mailbox|timeline|promises)(\.ts)?$/.test(file);
}

function layerOf(file: string): string {
  return file.split('/').slice(1, -1)[0] ?? '';
}

function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (target: string | undefined, typeOnly: boolean): void => {
    if (!target?.startsWith('.')) return;
    found.push({ file, target: path.posix.join(path.posix.dirname(file), target).replace(/\.[jt]s$/, ''), typeOnly });
  };
  for (const match of text.matchAll(/^\s*(?:import|export)\s([^;'"]*?)\bfrom\s*['"]([^'"]+)['"]/gm)) {
    add(match[2], isTypeOnly(match[1] ?? ''));
  }
  for (const match of text.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm)) add(match[1], false);
  for (const match of text.matchAll(/\b(?:require|import)\s*\(\s*['"]([^'"]+)['"]\s*\)/g)) add(match[1], false);
  return found;
}

function isTypeOnly(clause: string): boolean {
  if (/^type\s/.test(clause)) return true;
  const named = /^\{([^}]*)\}\s*$/.exec(clause)?.[1];
  if (named === undefined) return false;
  const names = named.split(',').map((name) => name.trim());
  return names.every((name) => name === '' || name.startsWith('type '));
}

function isForbiddenInclude({ file, target }: Import): boolean {
  // The faults on purpose are an addon of their own.
  if (file.startsWith('addon/napi/') || file === 'test/sanitized/planted.cc') return false;
  return /(^|\/)(node_api|node_api_types|js_native_api|js_native_api_types|node|node_\w+|uv|v8\S*|napi)\.h$|\bnapi\//.test(
    target,
  );
}

function includesOf(file: string, text: string): Import[] {
  return [...text.matchAll(/^\s*#\s*include\s*[<"]([^>"]+)[>"]/gm)].map((match) => ({
    file,
    target: match[1] ?? '',
    typeOnly: false,
  }));
}

function describeImport({ file, target }: Import): string {
  return `${file} -> ${target}`;
}

function sourcesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => pattern.test(file) && !file.endsWith('.d.ts') && !file.includes('/node_modules/'));
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
