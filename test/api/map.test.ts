// map(): rows as an object, keyed by the first column.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, asError, failure, once, send, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { open } from '../support/database.js';

describe('map()', () => {
  test('returns the database, and calls back without `this` with null and an object', async (t) => {
    const db = await open(t);
    const { self, args } = await once('map', (callback) => {
      assert.equal(send(db, 'map', "select 'k' as a, 2 as b", callback), db);
    });
    assert.equal(self, undefined);
    assert.deepEqual(args, [null, { k: 2 }]);
  });

  test('maps the first of two columns to the second', async (t) => {
    const db = await open(t);
    assert.deepEqual(await value(db, 'map', "select column1 as id, column2 as name from (values (2, 'b'), (1, 'a'))"), {
      1: 'a',
      2: 'b',
    });
  });

  test('maps to the whole row when there are more than two columns', async (t) => {
    const db = await open(t);
    assert.deepEqual(await value(db, 'map', "select 'k' as id, 1 as a, 2 as b"), { k: { id: 'k', a: 1, b: 2 } });
  });

  test('maps to undefined when there is one column', async (t) => {
    const db = await open(t);
    assert.deepEqual(await value(db, 'map', "select 'k' as id"), { k: undefined });
  });

  test('passes an empty object when there are no rows', async (t) => {
    const db = await open(t);
    assert.deepEqual(await value(db, 'map', 'select 1 as a, 2 as b where 0'), {});
  });

  test('keeps the last of equal keys', async (t) => {
    const db = await open(t);
    assert.deepEqual(await value(db, 'map', "select column1 as k, column2 as v from (values ('a', 1), ('a', 2))"), {
      a: 2,
    });
  });

  test('makes text of keys that are none', async (t) => {
    const db = await open(t);
    const sql = "select null as k, 1 as v union all select 1.5, 2 union all select x'4142', 3";
    assert.deepEqual(await value(db, 'map', sql), { null: 1, 1.5: 2, AB: 3 });
  });

  test('takes parameters', async (t) => {
    const db = await open(t);
    assert.deepEqual(await value(db, 'map', 'select ? as k, ? as v', 'x', 'y'), { x: 'y' });
    assert.deepEqual(await value(db, 'map', 'select $k as k, $v as v', { $k: 'x', $v: 'y' }), { x: 'y' });
  });

  test('goes by the order of the properties of a row, in which integers come first', async (t) => {
    const db = await open(t);
    assert.deepEqual(await value(db, 'map', 'select \'a\' as b, 2 as "1"'), { 2: 'a' });
  });

  test('passes the error alone, without `this`', async (t) => {
    const db = await open(t);
    assert.equal((await failure(db, 'map', 'select nope')).message, 'SQLITE_ERROR: no such column: nope');
    const { self, args } = await answer(db, 'map', 'select abs(-9223372036854775807 - 1) as k, 1 as v');
    assert.equal(asError(args[0]).message, 'SQLITE_ERROR: integer overflow');
    assert.equal(self, undefined);
    assert.equal((await answer(db, 'map', 'select ?', 1, 2)).self, undefined);
  });

  test('without a callback says so, at the call or at its end, and leaves no statement open', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(String(error)));
        const db = new Database(':memory:');
        try {
          Reflect.apply(db.map, db, ['select 1']);
        } catch (error) {
          print(String(error));
        }
        db.close((error: Error | null) => print(error));
      },
      { output: ['TypeError: callback is not a function', null] },
    );
  });

  test('of a statement returns it, starts from the first row, and can be repeated', async (t) => {
    const db = await open(t);
    const statement = db.prepare("select ? as k, 'v' as v");
    const { args } = await once('map', (callback) => {
      assert.equal(send(statement, 'map', 'x', callback), statement);
    });
    assert.deepEqual(args, [null, { x: 'v' }]);
    assert.deepEqual(await value(statement, 'map'), { x: 'v' });
    assert.deepEqual(await value(statement, 'map', ['y']), { y: 'v' });
    await answer(statement, 'finalize');
  });
});
