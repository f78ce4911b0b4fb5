// Holds the rows of COMPATIBILITY.md to the tests they name and to the members of the package.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import sqlite3 from 'sqlite-tandem';
import { answer } from '../support/calls.js';
import { open, temporaryFolder } from '../support/database.js';
import { titlesOf } from './titles.js';

interface Row {
  readonly verdict: 'same' | 'better' | 'refused' | 'beyond';
  readonly about: readonly string[];
  readonly there: string;
  readonly here: string;
  readonly tests: readonly string[];
}

const root = path.resolve(__dirname, '../..');
let rows: readonly Row[];
let isMember: (about: string) => boolean;

before(async () => {
  const load = (name: string): Promise<unknown> => import(pathToFileURL(path.join(root, 'compatibility', name)).href);
  const { sections } = (await load('index.mjs')) as { sections: readonly { readonly rows: readonly Row[] }[] };
  rows = sections.flatMap((section) => section.rows);
  ({ isMember } = (await load('row.mjs')) as { isMember: typeof isMember });
});

describe('each row', () => {
  test('names a test, and every test it names exists', () => {
    const missing = rows.flatMap(({ about, tests }) =>
      tests.length === 0 ? [`no test: ${about[0]}`] : tests.filter((name) => !isTest(name)),
    );
    assert.deepEqual(missing, []);
  });

  test('says what node-sqlite3 does, and what is different here if anything is', () => {
    const silent = rows.filter(({ verdict, there, here }) => {
      if (verdict === 'beyond') return there !== '' || here === '';
      return there === '' || (verdict === 'same') !== (here === '');
    });
    assert.deepEqual(silent, []);
  });

  test('is the only one for what it is about', () => {
    const seen = rows.flatMap((row) => row.about.map((about) => about.replace(/\s+/g, ' ')));
    assert.deepEqual(
      seen.filter((about, index) => seen.indexOf(about) !== index),
      [],
    );
  });

  test('about a member is about one that exists, unless it is refused', async (t) => {
    const existing = await members(t);
    const named = rows.filter(({ verdict }) => verdict !== 'refused').flatMap((row) => row.about.filter(isMember));
    assert.ok(named.length > 150);
    assert.deepEqual(
      named.filter((name) => !existing.includes(name)),
      [],
    );
  });
});

describe('each public member', () => {
  test('has a row', async (t) => {
    const named = rows.flatMap((row) => row.about);
    assert.deepEqual(
      (await members(t)).filter((name) => !named.includes(name)),
      [],
    );
  });

  test('of the export of node-sqlite3 is one of 55, and has a row', () => {
    const known = rows
      .filter(({ verdict }) => verdict !== 'beyond')
      .flatMap((row) => row.about.filter((name) => name.startsWith('sqlite3.') && isMember(name)));
    assert.equal(known.length, 55);
  });
});

describe('COMPATIBILITY.md', () => {
  test('is what the rows give', () => {
    const script = path.join(root, 'scripts/compatibility.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
});

describe('titles', () => {
  test('are read from the source with those around them', () => {
    const source = `
describe('a', () => {
  test('b', () => {});
  describe("it's", () => {
    test(
      \`c \\\`d\\\` \${e}\`,
      () => {},
    );
  });
  test.skip('f', () => {});
});
test('g', () => {});
const text = "test('h')";
`;
    assert.deepEqual(titlesOf(source), ['a > b', "a > it's > c `d` …", 'a > f', 'g']);
  });

  test('tell a test that exists from one that does not', () => {
    assert.equal(isTest('compatibility/compatibility: each row > is the only one for what it is about'), true);
    assert.equal(isTest('compatibility/compatibility: is the only one for what it is about'), false);
    assert.equal(isTest('compatibility/compatibility: each row > is one'), false);
    assert.equal(isTest('compatibility/nowhere: each row > is the only one for what it is about'), false);
    assert.equal(isTest('no test at all'), false);
  });
});

/** Whether 'folder/file: title > title' is a test. */
function isTest(name: string): boolean {
  const [, file = '', titles = ''] = /^([\w/-]+): (.*)$/.exec(name) ?? [];
  const source = path.join(root, 'test', `${file}.test.ts`);
  return existsSync(source) && titlesOf(readFileSync(source, 'utf8')).includes(titles);
}

/** All own names of the module, of its cache, of the prototypes and of instances. */
async function members(t: test.TestContext): Promise<string[]> {
  const db = await open(t);
  const statement = db.prepare('select 1');
  await answer(statement, 'run');
  const backup = db.backup(path.join(temporaryFolder(t), 'copy.db'));
  await answer(backup, 'finish');
  await answer(statement, 'finalize');
  const namesOf = (prefix: string, ...owners: object[]): string[] => [
    ...new Set(
      owners
        .flatMap((owner) => Object.getOwnPropertyNames(owner))
        .filter((name) => name !== 'constructor')
        .map((name) => prefix + name),
    ),
  ];
  return [
    ...namesOf('sqlite3.', sqlite3),
    ...namesOf('cached.', sqlite3.cached),
    ...namesOf('Database#', sqlite3.Database.prototype, db),
    ...namesOf('Statement#', sqlite3.Statement.prototype, statement),
    ...namesOf('Backup#', sqlite3.Backup.prototype, backup),
  ];
}
