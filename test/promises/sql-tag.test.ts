// The sql tag: values stay values, whatever they are.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'sqlite-tandem/promises';
import { failureOf, open, openTable } from './support.js';

describe('sql', () => {
  test('puts a parameter in the place of each value', () => {
    const { text, values } = sql`SELECT ${1}, ${'a'} WHERE ${null}`;
    assert.equal(text, 'SELECT ?, ? WHERE ?');
    assert.deepEqual(values, [1, 'a', null]);
  });

  test('takes what is made by it for a part of the text', () => {
    const where = sql`WHERE a = ${1} AND ${sql.id('b')} > ${2}`;
    const { text, values } = sql`SELECT ${0} FROM t ${where} LIMIT ${3}`;
    assert.equal(text, 'SELECT ? FROM t WHERE a = ? AND "b" > ? LIMIT ?');
    assert.deepEqual(values, [0, 1, 2, 3]);
  });

  test('quotes identifiers', async (t) => {
    const db = await open(t);
    const name = 'a "b"; DROP TABLE x; --';
    await db.run(sql`CREATE TABLE ${sql.id('main', name)} (${sql.id('select')} TEXT)`);
    await db.run(sql`INSERT INTO ${sql.id(name)} VALUES (${'v'})`);
    assert.deepEqual(await db.all(sql`SELECT ${sql.id('select')} FROM ${sql.id(name)}`), [{ select: 'v' }]);
  });

  test('joins parts with a separator', () => {
    const list = sql.join([1, sql`lower(${'A'})`, sql.id('c')]);
    assert.equal(list.text, '?, lower(?), "c"');
    assert.deepEqual(list.values, [1, 'A']);
    const and = sql.join([sql`a = ${1}`, sql`b = ${2}`], sql` AND `);
    assert.equal(and.text, 'a = ? AND b = ?');
    assert.equal(sql.join([]).text, '');
  });

  test('makes a list of an array, with parentheses around it or not', async (t) => {
    const db = await openTable(t, ['a', 'b', 'c']);
    const value = { rowMode: 'value' } as const;
    const ids = [1, 3];
    assert.deepEqual(await db.all(sql`SELECT v FROM t WHERE id IN ${ids}`, undefined, value), ['a', 'c']);
    assert.deepEqual(await db.all(sql`SELECT v FROM t WHERE id IN (${ids})`, undefined, value), ['a', 'c']);
    assert.deepEqual(await db.all(sql`SELECT v FROM t WHERE id IN carray(${ids})`, undefined, value), ['a', 'c']);
    assert.deepEqual(await db.all(sql`SELECT v FROM t WHERE v NOT IN (${['b']}) ORDER BY id`, undefined, value), [
      'a',
      'c',
    ]);
    assert.deepEqual(await db.all(sql`SELECT v FROM t WHERE id IN ${[]}`, undefined, value), []);
  });

  test('is also at hand on databases and transactions', async (t) => {
    const db = await open(t);
    assert.equal(db.sql, sql);
    await db.transaction(async (tx) => assert.equal(tx.sql, sql));
    assert.deepEqual(await db.get(db.sql`SELECT ${1} AS v`), { v: 1 });
  });

  test('never lets a value into the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 5 }), (values) => {
        const strings = Object.assign(new Array<string>(values.length + 1).fill(' x '), { raw: [] });
        const made = sql(strings as unknown as TemplateStringsArray, ...values);
        assert.equal(made.text, strings.join('?'));
        assert.deepEqual(made.values, values);
      }),
    );
  });
});

describe('a mistake with sql', () => {
  test('as a call instead of a tag throws', () => {
    assert.throws(() => Reflect.apply(sql, undefined, ['SELECT 1']), TypeError);
    assert.throws(() => Reflect.apply(sql, undefined, [['SELECT 1']]), TypeError);
  });

  test('of an escape that JavaScript does not know throws, and loses no part of the text', () => {
    const strings = Object.assign(['DELETE FROM t WHERE a = ', undefined], { raw: ['', " AND b = '\\xg'"] });
    assert.throws(() => Reflect.apply(sql, undefined, [strings, 1]), /invalid escape/);
  });

  test('of names that are none throws', () => {
    for (const names of [[], [1], ['a\0b'], [undefined]]) {
      assert.throws(() => Reflect.apply(sql.id, sql, names), TypeError);
    }
    assert.throws(() => Reflect.apply(sql.join, sql, [[1], ', ']), TypeError);
  });

  test('of parameters beside it, or of an imitation, rejects the call', async (t) => {
    const db = await open(t);
    assert.ok((await failureOf(db.get(sql`SELECT ${1}`, [1]))) instanceof TypeError);
    const imitation = { text: 'SELECT 1', values: [] };
    assert.ok((await failureOf(Reflect.apply(db.get, db, [imitation]))) instanceof TypeError);
  });

  test('of undefined as a value is told', async (t) => {
    const db = await open(t);
    assert.match((await failureOf(db.get(sql`SELECT ${undefined}`))).message, /parameter 1 is undefined/);
  });
});
