// The types option: declared types of columns choose how values are read, values choose how they are written.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Converter, type Database, types } from 'sqlite-tandem/promises';
import { failureOf, open } from './support.js';

const map = { Boolean: types.boolean, DATETIME: types.date, TIMESTAMP: types.timestamp, JSON: types.json };
/** Of two converters for Dates the first writes; both read what it wrote. */
const written = '2033-05-18T03:33:20.000Z';

async function openEvents(t: Parameters<typeof open>[0], withTypes = true): Promise<Database> {
  const db = await open(t, ':memory:', withTypes ? { types: map } : {});
  await db.exec(
    'CREATE TABLE event (id INTEGER, done BOOLEAN, at datetime(3), ms TIMESTAMP, data JSON, name VARCHAR(9))',
  );
  return db;
}

const event = { id: 1, done: true, at: new Date(1e12), ms: new Date(2e12), data: { a: [1, null] }, name: 'x' };
const insert = 'INSERT INTO event VALUES ($id, $done, $at, $ms, $data, $name)';
const stored = { id: 1, done: 1, at: '2001-09-09T01:46:40.000Z', ms: written, data: '{"a":[1,null]}', name: 'x' };

describe('types', () => {
  test('write and read values by every call', async (t) => {
    const db = await openEvents(t);
    await db.run(insert, event);
    const select = await db.prepare('SELECT * FROM event');
    assert.deepEqual(await db.get('SELECT * FROM event'), event);
    assert.deepEqual(await db.all('SELECT * FROM event'), [event]);
    assert.deepEqual(await select.get(), event);
    assert.deepEqual(await select.all(), [event]);
    for await (const row of db.iterate('SELECT * FROM event')) assert.deepEqual(row, event);
    await db.transaction(async (tx) => assert.deepEqual(await tx.get('SELECT * FROM event'), event));
    assert.deepEqual(await db.get('SELECT * FROM event', [], { types: {} }), stored);
  });

  test('work in every row mode', async (t) => {
    const db = await openEvents(t);
    await db.run(insert, event);
    assert.deepEqual(await db.get('SELECT id, done, at FROM event', [], { rowMode: 'array' }), [1, true, event.at]);
    assert.deepEqual(await db.all('SELECT data FROM event', [], { rowMode: 'value' }), [event.data]);
    assert.deepEqual(await db.get('SELECT id, done FROM event', [], { rowMode: 'value' }), 1);
  });

  test('leave NULL and expressions alone', async (t) => {
    const db = await openEvents(t);
    await db.run('INSERT INTO event (id) VALUES (1)');
    const row = await db.get('SELECT done, at, data, 1 = 1 AS e FROM event');
    assert.deepEqual(row, { done: null, at: null, data: null, e: 1 });
  });

  test('convert the last of columns with one name, and __proto__ as any other', async (t) => {
    const db = await openEvents(t);
    await db.run(insert, event);
    assert.deepEqual(await db.get('SELECT done AS v, id AS v FROM event'), { v: 1 });
    assert.deepEqual(await db.get('SELECT id AS v, done AS v FROM event'), { v: true });
    const row = await db.get('SELECT done AS __proto__ FROM event');
    assert.deepEqual(Object.entries(row ?? {}), [['__proto__', true]]);
  });

  test('may come with one call or one statement', async (t) => {
    const db = await openEvents(t, false);
    await db.run(insert, event, { types: map });
    const sql = 'SELECT done FROM event';
    assert.deepEqual(await db.get(sql), { done: 1 });
    assert.deepEqual(await db.get(sql, [], { types: map }), { done: true });
    const statement = await db.prepare(sql, { types: map });
    assert.deepEqual(await statement.get(), { done: true });
    assert.deepEqual(await statement.get([], { types: {} }), { done: 1 });
  });

  test('follow a changed schema', async (t) => {
    const db = await openEvents(t);
    await db.exec('CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)');
    const statement = await db.prepare('SELECT * FROM t');
    assert.deepEqual(await statement.get(), { a: 1 });
    await db.exec('DROP TABLE t; CREATE TABLE t (b INTEGER, a BOOLEAN); INSERT INTO t VALUES (1, 1)');
    assert.deepEqual(await statement.get(), { b: 1, a: true });
  });

  test('that throw reject the call, and name the column', async (t) => {
    const db = await openEvents(t);
    await db.run("INSERT INTO event (data) VALUES ('{')");
    const error = await failureOf(db.all('SELECT data FROM event'));
    assert.match(error.message, /column data: the converter of JSON failed/);
    assert.ok(error.cause instanceof SyntaxError);
    assert.deepEqual(await db.get('SELECT id FROM event'), { id: null });
  });

  test('that return promises are refused, in all row modes', async (t) => {
    const db = await open(t);
    await db.exec('CREATE TABLE t (v LATER); INSERT INTO t VALUES (1)');
    const later = { read: (value: unknown) => Promise.resolve(value) };
    for (const rowMode of ['object', 'array', 'value'] as const) {
      const error = await failureOf(db.get('SELECT v FROM t', [], { rowMode, types: { LATER: later } }));
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /column v: the converter of LATER returned a promise; converters are synchronous/);
    }
  });

  test('get bigints where integers are bigints', async (t) => {
    const db = await openEvents(t);
    await db.run(insert, event);
    const row = await db.get('SELECT id, done, ms FROM event', [], { integers: 'bigint' });
    assert.deepEqual(row, { id: 1n, done: true, ms: event.ms });
  });
});

describe('the converters of the package', () => {
  const read = (converter: Converter, value: string | number | bigint): unknown => converter.read(value);

  test('read booleans from numbers and words', () => {
    for (const value of [1, 1n, -1, 'true', 'yes', '1', 't'])
      assert.equal(read(types.boolean, value), true, String(value));
    for (const value of [0, 0n, 'false', 'No', '0', 'off', ''])
      assert.equal(read(types.boolean, value), false, String(value));
  });

  test("read dates from SQLite's texts in UTC, from ISO texts and from milliseconds", () => {
    const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
    for (const value of [
      '2026-01-02 03:04:05',
      '2026-01-02T03:04:05.000Z',
      '2026-01-02T04:04:05+01:00',
      at.getTime(),
    ]) {
      assert.deepEqual(read(types.date, value), at);
      assert.deepEqual(read(types.timestamp, value), at);
    }
    assert.deepEqual(read(types.date, BigInt(at.getTime())), at);
    assert.deepEqual(read(types.date, '2026-01-02'), new Date(Date.UTC(2026, 0, 2)));
  });

  test('write dates as text or as milliseconds', async (t) => {
    const db = await open(t);
    const write = (converter: Converter): Promise<unknown> =>
      db.get('SELECT ?', [new Date(2e12)], { types: { D: converter }, rowMode: 'value' });
    assert.equal(await write(types.date), written);
    assert.equal(await write(types.timestamp), 2e12);
  });

  test('refuse dates that are none', async (t) => {
    const db = await openEvents(t);
    for (const one of [types.date, types.timestamp]) {
      const call = db.get('SELECT ?', [new Date(Number.NaN)], { types: { D: one } });
      assert.ok((await failureOf(call)).cause instanceof RangeError);
    }
  });
});
