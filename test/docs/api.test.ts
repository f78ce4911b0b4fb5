// Holds docs/api.md and the pages below docs/api to the package: a heading for each public member, and each constant by its name.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import * as promises from 'sqlite-tandem/promises';
import { headingsOf, pages, read } from './markdown.js';

/** The promise API has pages of its own. */
const isOfPromises = (page: string): boolean => page.startsWith('docs/api/promises');
const textOf = (chosen: readonly string[]): string => chosen.map(read).join('\n');
const all = pages().filter((page) => page.startsWith('docs/api'));
const text = textOf(all.filter((page) => !isOfPromises(page)));
const headings = headingsOf(text);
const emitterMethods = new Set(Object.getOwnPropertyNames(EventEmitter.prototype));

describe('the API reference', () => {
  const classes = [
    ['db', sqlite3.Database],
    ['statement', sqlite3.Statement],
    ['backup', sqlite3.Backup],
  ] as const;
  for (const [variable, { name, prototype }] of classes) {
    test(`has a heading for the constructor and each member of ${name}`, () => {
      assert.ok(isHeading(`new sqlite3.${name}`));
      const members = Object.getOwnPropertyNames(prototype).filter((member) => !emitterMethods.has(member));
      assert.deepEqual(
        members.filter((member) => member !== 'constructor' && !isHeading(`${variable}.${member}`)),
        [],
      );
    });
  }

  test('has a heading for each export that is no class and no constant', () => {
    const others = Object.keys(sqlite3).filter((name) => !/^[A-Z]/.test(name));
    assert.deepEqual(
      others.filter((name) => !isHeading(`sqlite3.${name}`)),
      [],
    );
  });

  test('names each constant', () => {
    const constants = Object.keys(sqlite3).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
    const words = new Set(text.match(/\b[A-Z][A-Z0-9_]*\b/g));
    assert.deepEqual(
      constants.filter((name) => !words.has(name)),
      [],
    );
  });

  test('has no heading for a member that does not exist', () => {
    const objects: Readonly<Record<string, object>> = {
      db: sqlite3.Database.prototype,
      statement: sqlite3.Statement.prototype,
      backup: sqlite3.Backup.prototype,
    };
    const methods = headings.flatMap((heading) => {
      const [, variable = '', member = ''] = /^(db|statement|backup)\.(\w+)\(/.exec(heading) ?? [];
      return member === '' ? [] : [[heading, Reflect.has(objects[variable] ?? {}, member)] as const];
    });
    assert.ok(methods.length > 20);
    assert.deepEqual(
      methods.filter(([, present]) => !present),
      [],
    );
  });
});

describe('the reference of the promise API', () => {
  const headingsOfPromises = headingsOf(textOf(all.filter(isOfPromises)));
  const documented = new Set(
    headingsOfPromises.flatMap((heading) => heading.split(', ').map((part) => part.replace(/\(.*/, ''))),
  );
  const membersOf = (prototype: object): string[] =>
    Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  const queries = Object.getPrototypeOf(promises.Database.prototype) as object;
  const database = [...membersOf(queries), ...membersOf(promises.Database.prototype)];
  const statement = membersOf(promises.Statement.prototype);

  test('has a heading for each member of Database and Statement', () => {
    const members = [...database.map((name) => `db.${name}`), ...statement.map((name) => `statement.${name}`)];
    assert.ok(members.length > 15);
    assert.deepEqual(
      members.filter((member) => !documented.has(member)),
      [],
    );
  });

  test('has a heading for each export that is a function or an object, and names each class', () => {
    const others = Object.keys(promises).filter((name) => !/^[A-Z]/.test(name));
    assert.deepEqual(
      others.filter((name) => !documented.has(name)),
      [],
    );
    const classes = Object.keys(promises).filter((name) => /^[A-Z]/.test(name));
    const page = textOf(all.filter(isOfPromises));
    assert.deepEqual(
      classes.filter((name) => !page.includes(name)),
      [],
    );
  });

  test('has no heading for a member that does not exist', () => {
    const known = { db: database, statement } as const;
    const found = [...documented].flatMap((name) => {
      const [, variable, member = ''] = /^(db|statement)\.(\w+)$/.exec(name) ?? [];
      return variable === 'db' || variable === 'statement' ? [[name, known[variable].includes(member)] as const] : [];
    });
    assert.ok(found.length > 15);
    assert.deepEqual(
      found.filter(([, present]) => !present),
      [],
    );
  });
});

/** Whether a heading is, or one of the names in it is, this member. */
function isHeading(member: string): boolean {
  return headings.some((heading) => heading.split(', ').some((part) => part.replace(/\(.*/, '') === member));
}
