// A library's catalogue with Knex: schema, joins, transactions, streams, errors.
//
// Holds: OPEN_* flags found by name; new Database(file, flags, callback); run and all with an array of bindings or with
// undefined in its place; this.lastID and this.changes in the callback; all() under a stream; messages of errors.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import knexModule from 'knex';
import { temporaryFolder, testLoads } from './support.mjs';

testLoads('knex');

const open = (filename, more = {}) =>
  knexModule({
    client: 'sqlite3',
    connection: { filename, ...more.connection },
    useNullAsDefault: true,
    ...more.config,
  });

async function createCatalogue(knex) {
  await knex.raw('PRAGMA foreign_keys = ON');
  await knex.schema
    .createTable('authors', (table) => {
      table.increments('id');
      table.string('name').notNullable().unique();
      table.boolean('living').defaultTo(true);
    })
    .createTable('books', (table) => {
      table.increments('id');
      table.integer('author_id').notNullable().references('authors.id').onDelete('CASCADE');
      table.string('title').notNullable();
      table.integer('year');
      table.binary('cover');
    });
}

describe('knex', () => {
  let knex;
  before(async () => {
    knex = open(':memory:');
    await createCatalogue(knex);
  });
  after(() => knex.destroy());

  test('gives the id of an inserted row and the number of changed rows', async () => {
    assert.deepEqual(await knex('authors').insert({ name: 'Tove Jansson', living: false }), [1]);
    assert.deepEqual(await knex('authors').insert({ name: 'Italo Calvino', living: false }), [2]);
    assert.deepEqual(await knex('authors').insert({ name: 'Ali Smith' }).returning(['id', 'living']), [
      { id: 3, living: 1 },
    ]);
    assert.equal(await knex('authors').where('id', '<', 3).update({ living: 0 }), 2);
    assert.equal(await knex('authors').where({ name: 'nobody' }).del(), 0);
  });

  test('inserts in batches and joins', async () => {
    const titles = Array.from({ length: 250 }, (_, n) => ({
      author_id: 1 + (n % 3),
      title: `Book ${n}`,
      year: 1900 + n,
    }));
    await knex.batchInsert('books', titles, 50);
    const rows = await knex('books')
      .join('authors', 'authors.id', 'books.author_id')
      .groupBy('authors.id')
      .orderBy('authors.id')
      .select('authors.name')
      .count({ books: '*' })
      .min({ first: 'year' });
    assert.deepEqual(rows, [
      { name: 'Tove Jansson', books: 84, first: 1900 },
      { name: 'Italo Calvino', books: 83, first: 1901 },
      { name: 'Ali Smith', books: 83, first: 1902 },
    ]);
    assert.deepEqual(await knex('books').whereIn('id', [3, 5]).orderBy('id').pluck('title'), ['Book 2', 'Book 4']);
    assert.equal(await knex('books').where('year', 1).first(), undefined);
  });

  test('keeps blobs, dates and null', async () => {
    const cover = Buffer.from([0, 1, 254, 255]);
    const [id] = await knex('books').insert({ author_id: 2, title: 'Le città invisibili', year: null, cover });
    const book = await knex('books').where({ id }).first();
    assert.deepEqual(book, { id, author_id: 2, title: 'Le città invisibili', year: null, cover });
    const day = new Date('1972-11-01T00:00:00Z');
    assert.deepEqual(await knex.raw('select ? as day, typeof(?) as type, ? as yes', [day, null, true]), [
      { day: day.getTime(), type: 'null', yes: 1 },
    ]);
    await knex('books').where({ id }).del();
  });

  test('commits a transaction, rolls back another and a savepoint in a third', async () => {
    await knex.transaction(async (trx) => {
      await trx('books').where({ id: 1 }).update({ title: 'Committed' });
    });
    await assert.rejects(
      knex.transaction(async (trx) => {
        await trx('books').where({ id: 1 }).update({ title: 'Rolled back' });
        throw new Error('changed my mind');
      }),
      /changed my mind/,
    );
    assert.equal((await knex('books').where({ id: 1 }).first()).title, 'Committed');
    await knex.transaction(async (trx) => {
      await trx('books').where({ id: 1 }).update({ title: 'Outer' });
      const inner = trx.transaction(async (savepoint) => {
        await savepoint('books').where({ id: 1 }).update({ title: 'Inner' });
        throw new Error('only this part');
      });
      await assert.rejects(inner, /only this part/);
    });
    assert.equal((await knex('books').where({ id: 1 }).first()).title, 'Outer');
  });

  test('streams rows in their order', async () => {
    const years = [];
    for await (const row of knex('books').select('year').orderBy('id').stream()) years.push(row.year);
    assert.equal(years.length, 250);
    assert.deepEqual(
      years,
      years.map((_, n) => 1900 + n),
    );
    await assert.rejects(async () => {
      for await (const row of knex('no_such_table').stream()) assert.fail(JSON.stringify(row));
    }, /SQLITE_ERROR: no such table: no_such_table/);
  });

  test('rejects with code, number and message of SQLite and goes on', async () => {
    await assert.rejects(knex('authors').insert({ name: 'Ali Smith' }), (error) => {
      assert.ok(error instanceof Error);
      assert.equal(error.code, 'SQLITE_CONSTRAINT');
      assert.equal(error.errno, 19);
      assert.match(error.message, / - SQLITE_CONSTRAINT: UNIQUE constraint failed: authors\.name$/);
      return true;
    });
    await assert.rejects(knex('books').insert({ author_id: 99, title: 'x' }), /FOREIGN KEY constraint failed/);
    await assert.rejects(knex.raw('select ? as a', [1, 2]), /Expected 2 bindings, saw 1/);
    assert.equal((await knex('authors').count({ n: '*' }))[0].n, 3);
  });

  test('upserts and alters tables', async () => {
    await knex('authors').insert({ name: 'Ali Smith', living: 1 }).onConflict('name').merge({ living: 0 });
    assert.equal((await knex('authors').where({ name: 'Ali Smith' }).first()).living, 0);
    await knex.schema.alterTable('books', (table) => {
      table.dropColumn('cover');
      table.string('shelf').defaultTo('A');
    });
    assert.deepEqual(Object.keys(await knex('books').columnInfo()), ['id', 'author_id', 'title', 'year', 'shelf']);
    assert.equal((await knex('books').where({ shelf: 'A' }).count({ n: '*' }))[0].n, 250);
  });

  test('answers two hundred queries that were asked at once', async () => {
    const books = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        knex('books')
          .where({ id: n + 1 })
          .first(),
      ),
    );
    assert.deepEqual(
      books.map((book) => book.id),
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
  });
});

test('migrations run on a file and are found by the next program that opens it', async (t) => {
  const filename = join(temporaryFolder(t), 'catalogue.sqlite');
  const migrations = ['one', 'two'];
  const migrationSource = {
    getMigrations: async () => migrations,
    getMigrationName: (name) => name,
    getMigration: async (name) => ({
      up: (knex) => knex.schema.createTable(name, (table) => table.increments('id')),
      down: (knex) => knex.schema.dropTable(name),
    }),
  };
  for (const expected of [migrations, []]) {
    const knex = open(filename, { config: { migrations: { migrationSource } } });
    const [, done] = await knex.migrate.latest();
    assert.deepEqual(done, expected);
    await knex('two').insert({});
    await knex.destroy();
  }
  const knex = open(filename, { config: { migrations: { migrationSource } } });
  assert.equal((await knex('two').count({ n: '*' }))[0].n, 2);
  await knex.migrate.rollback(undefined, true);
  assert.equal(await knex.schema.hasTable('two'), false);
  await knex.destroy();
});

test('connections of a pool share an in-memory database through OPEN_URI and OPEN_SHAREDCACHE', async () => {
  const flags = ['OPEN_URI', 'OPEN_SHAREDCACHE'];
  const knex = open('file:shared?mode=memory', { connection: { flags }, config: { pool: { min: 1, max: 3 } } });
  await knex.schema.createTable('notes', (table) => table.string('text'));
  const first = await knex.client.acquireConnection();
  const second = await knex.client.acquireConnection();
  assert.notEqual(first, second);
  await knex('notes').connection(first).insert({ text: 'by the first' });
  assert.deepEqual(await knex('notes').connection(second), [{ text: 'by the first' }]);
  await Promise.all([first, second].map((connection) => knex.client.releaseConnection(connection)));
  await knex.destroy();
});

test('a database that cannot be opened rejects the query', async (t) => {
  // Knex would also print the error.
  const log = { warn: () => {} };
  const knex = open(join(temporaryFolder(t), 'missing/catalogue.sqlite'), { config: { log } });
  await assert.rejects(knex.raw('select 1'), { code: 'SQLITE_CANTOPEN', errno: 14 });
  await knex.destroy();
});
