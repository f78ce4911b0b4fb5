// Holds what the pages refer to: links, files of the project, names in them, and constants with their values.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { exists, headingsOf, pages, plain, proseOf, read, tablesOf } from './markdown.js';

/** A file named in a page, and the functions named right behind it. */
interface Reference {
  readonly file: string;
  readonly names: readonly string[];
}

describe('a link between the pages', () => {
  for (const page of pages()) {
    test(`of ${page} leads to a file and a heading that exist`, () => {
      const broken = [...proseOf(read(page)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].filter(
        ([, file = '', anchor]) =>
          !leadsSomewhere(file === '' ? page : path.posix.join(path.posix.dirname(page), file), anchor),
      );
      assert.deepEqual(
        broken.map(([link]) => link),
        [],
      );
    });
  }

  test('is told from a broken one', () => {
    assert.equal(leadsSomewhere('docs/flow.md', undefined), true);
    assert.equal(leadsSomewhere('docs/no.md', undefined), false);
    assert.equal(leadsSomewhere('docs/flow.md', 'batching'), true);
    assert.equal(leadsSomewhere('docs/flow.md', 'no-heading'), false);
  });
});

describe('a file of the project', () => {
  const known = pages().filter((page) => page !== 'CHANGELOG.md');

  for (const page of known) {
    test(`that ${page} names exists and holds the names beside it`, () => {
      assert.deepEqual(referencesOf(read(page)).flatMap(missing), []);
    });
  }

  test('is named at every step of docs/flow.md', () => {
    const steps = read('docs/flow.md').match(/^\*\*\d\. [\s\S]*?\n\n/gm) ?? [];
    assert.equal(steps.length, 8);
    assert.deepEqual(
      steps.filter((step) => referencesOf(step).every(({ names }) => names.length === 0)),
      [],
    );
  });

  test('holds the names that stand in the same line of a table', () => {
    const tables = pages().flatMap((page) => tablesOf(read(page)));
    const found = tables.flatMap(({ head, rows }) => {
      const column = head.indexOf('file');
      return column < 1
        ? []
        : rows.map((cells) => ({ file: plain(cells[column] ?? ''), names: namesIn(cells[0] ?? '') }));
    });
    assert.ok(found.length > 20);
    assert.deepEqual(found.flatMap(missing), []);
  });

  test('is found with the names behind it', () => {
    assert.deepEqual(referencesOf('See `src/a.ts` `f()`, `T::g()` and `h()`.'), [
      { file: 'src/a.ts', names: ['f', 'g'] },
    ]);
    assert.deepEqual(missing({ file: 'src/index.ts', names: ['noSuchName'] }), ['src/index.ts: noSuchName']);
    assert.deepEqual(missing({ file: 'src/nowhere.ts', names: [] }), ['src/nowhere.ts']);
  });
});

describe('a constant in docs/flow.md', () => {
  const constants = tablesOf(read('docs/flow.md'))
    .filter(({ head }) => head[0] === 'constant')
    .flatMap(({ rows }) => rows.map((cells) => cells.map(plain)));

  test('is in the file that the page names, with that value', () => {
    assert.ok(constants.length > 5);
    for (const [name = '', value = '', file = ''] of constants) {
      assert.ok(read(file).includes(`${name} = ${value};`), `${file}: ${name} = ${value}`);
    }
  });
});

function leadsSomewhere(file: string, anchor: string | undefined): boolean {
  if (!exists(file)) return false;
  return anchor === undefined || headingsOf(read(file)).some((heading) => anchorOf(heading) === anchor);
}

/** The anchor that Markdown renderers give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Written `path/file` and, right behind it, `name()` as often as needed, with commas between the names. */
function referencesOf(text: string): Reference[] {
  const pattern = /`((?:src|addon|test|scripts|types|demo|bench|docs)\/[\w./-]+\.\w+)`((?:,? `[\w:.#]+\(\)`)*)/g;
  return [...proseOf(text).matchAll(pattern)].map(([, file = '', names = '']) => ({
    file,
    names: [...names.matchAll(/(\w+)\(\)/g)].map(([, name = '']) => name),
  }));
}

/** The words in the code of a text. */
function namesIn(text: string): string[] {
  return (text.match(/`[^`]*`/g) ?? []).flatMap((code) => code.match(/\w+/g) ?? []);
}

function missing({ file, names }: Reference): string[] {
  if (!exists(file)) return [file];
  const text = read(file);
  return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${file}: ${name}`);
}
