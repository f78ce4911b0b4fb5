// Holds the shape of the sources: short files, each of which opens with a line that states its job.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

const root = path.resolve(__dirname, '../..');
const longest = 400;

// addon/sqlite and addon/build are made by the build and not ours.
const folders = ['src', 'types', 'addon/core', 'addon/napi', 'test', 'scripts', 'bench', 'demo', 'examples'];
const sources = [
  ...folders.flatMap(filesBelow).filter((file) => /\.([cm]?[jt]s|cc|cpp|c|h)$/.test(file)),
  'addon/binding.gyp',
  'addon/sqlite.gypi',
];

describe('each source file', () => {
  test('is found', () => {
    for (const folder of ['src', 'types', 'addon/core', 'addon/napi', 'test', 'scripts']) {
      assert.ok(
        sources.some((file) => file.startsWith(`${folder}/`)),
        `no source below ${folder}`,
      );
    }
  });

  test(`has at most ${longest} lines`, () => {
    const found = sources.map((file) => [file, lineCount(read(file))] as const).filter(([, count]) => count > longest);
    assert.deepEqual(found, []);
  });

  test('opens with a comment that states its job', () => {
    assert.deepEqual(
      sources.filter((file) => !statesItsJob(read(file))),
      [],
    );
  });
});

test('the rules tell good files from bad ones', () => {
  assert.equal(lineCount('a\nb\n'), 2);
  assert.equal(lineCount('a\nb'), 2);
  assert.equal(statesItsJob('// Turns rows into objects.\nconst a = 1;\n'), true);
  assert.equal(statesItsJob('#!/usr/bin/env node\n/* Turns rows into objects. */\n'), true);
  assert.equal(statesItsJob('/** Turns rows into objects. */\n'), true);
  assert.equal(statesItsJob('# Turns sources into objects.\n'), true);
  assert.equal(statesItsJob('const a = 1; // Turns rows into objects.\n'), false);
  assert.equal(statesItsJob('// rows\nconst a = 1;\n'), false);
  assert.equal(statesItsJob('\n// Turns rows into objects.\n'), false);
  assert.equal(statesItsJob('/*\n * Turns rows into objects.\n */\n'), false);
  assert.equal(statesItsJob('#include <cstdint>\n'), false);
  assert.equal(statesItsJob('// biome-ignore lint: it would complain\n'), false);
});

function statesItsJob(text: string): boolean {
  const lines = text.split('\n');
  const first = (lines[0]?.startsWith('#!') ? lines[1] : lines[0]) ?? '';
  const comment = /^(?:\/\/|\/\*\*?|# ) *(.*)$/.exec(first)?.[1] ?? '';
  // A sentence, not a label: three words at least, and not a remark to a tool.
  return comment.split(/\s+/).length >= 3 && !/^(biome-|eslint|@ts-|clang-format|NOLINT)/.test(comment);
}

function lineCount(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function filesBelow(folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(file);
    return [file];
  });
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
