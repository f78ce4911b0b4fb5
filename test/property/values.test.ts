// Whatever is bound comes back as the contract says, through every method and in every way of passing parameters.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { each, row, rows, send, value } from '../support/calls.js';
import { open } from '../support/database.js';
import { check } from './check.js';
import { anyText, anyValue, type Bound } from './values.js';

const lists = fc.array(anyValue, { minLength: 1, maxLength: 10 });
const given = (bound: readonly Bound[]): unknown[] => bound.map((one) => one.given);
const back = (bound: readonly Bound[]): unknown[] => bound.map((one) => one.back);
const columns = (bound: readonly Bound[], write: (i: number) => string): string =>
  bound.map((_, i) => `${write(i)} as c${i}`).join();
const valuesOf = (found: object): unknown[] => Object.values(found);

/** A list of arguments must not begin with an object of named parameters, nor end in what looks like a callback. */
const asList = (bound: readonly Bound[]): unknown[] => [0, ...given(bound)];

describe('values come back', () => {
  test('through get(), from a list and from an array', async (t) => {
    const db = await open(t);
    await check(
      fc.asyncProperty(lists, async (bound) => {
        const sql = `select ${columns(bound, () => '?')}`;
        assert.deepEqual(valuesOf(await row(db, sql, given(bound))), back(bound));
        assert.deepEqual(valuesOf(await row(db, `${sql}, ? as last`, ...asList(bound))), [0, ...back(bound)]);
      }),
      300,
    );
  });

  test('through all(), by names of every prefix and by numbered places', async (t) => {
    const db = await open(t);
    await check(
      fc.asyncProperty(lists, fc.constantFrom('$', ':', '@', '?'), async (bound, prefix) => {
        const name = (i: number): string => (prefix === '?' ? `?${i + 1}` : `${prefix}n${i}`);
        const parameters = Object.fromEntries(bound.map(({ given: one }, i) => [name(i), one]));
        const found = await rows(
          db,
          `select ${columns(bound, name)} union all select ${columns(bound, name)}`,
          parameters,
        );
        assert.deepEqual(found.map(valuesOf), [back(bound), back(bound)]);
      }),
      300,
    );
  });

  test('through each() and through bind() with a later get()', async (t) => {
    const db = await open(t);
    await check(
      fc.asyncProperty(lists, async (bound) => {
        const sql = `select ${columns(bound, () => '?')}`;
        const { rows: found } = await each(db, sql, given(bound));
        assert.deepEqual(found.map(valuesOf), [back(bound)]);
        const statement = db.prepare(sql, given(bound));
        assert.deepEqual(valuesOf(await row(statement)), back(bound));
        send(statement, 'finalize');
      }),
      300,
    );
  });

  test('through run(), stored in a table and read again', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(a)');
    await check(
      fc.asyncProperty(lists, async (bound) => {
        send(db, 'run', 'delete from t');
        const statement = db.prepare('insert into t values(?)');
        // Queued all at once, so that many values share a batch.
        for (const { given: one } of bound) send(statement, 'run', [one]);
        send(statement, 'finalize');
        const found = await rows(db, 'select a as v from t order by rowid');
        assert.deepEqual(
          found.map(({ v }) => v),
          back(bound),
        );
      }),
      300,
    );
  });

  test('as values of map()', async (t) => {
    const db = await open(t);
    await check(
      fc.asyncProperty(anyValue, async ({ given: one, back: expected }) => {
        assert.deepEqual(await value(db, 'map', "select 'key' as k, ? as v", [one]), { key: expected });
      }),
      100,
    );
  });
});

test('any text may be a name of a column, and the last of equal names wins', async (t) => {
  const db = await open(t);
  const names = anyText.filter((name) => !name.includes('\0')).map((name) => Buffer.from(name).toString());
  await check(
    fc.asyncProperty(fc.array(names, { minLength: 1, maxLength: 8 }), async (list) => {
      const quoted = list.map((name, i) => `${i} as "${name.replaceAll('"', '""')}"`);
      const found = await row(db, `select ${quoted.join()}`);
      const expected = new Map(list.map((name, i) => [name, i]));
      assert.deepEqual(new Map(Object.entries(found)), expected);
    }),
    300,
  );
});
