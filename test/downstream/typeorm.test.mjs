// A music library with TypeORM: entities, relations, transactions, migrations, and a busy database.
//
// Holds: verbose() when it loads; new Database(file, callback) and (file, flags, callback); run and all with an array or
// undefined, through a function whose `this` has lastID and changes; changes undefined after all(); error.toString()
// with "SQLITE_BUSY:"; OPEN_URI; close(callback).
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import typeorm from 'typeorm';
import { called, temporaryFolder, testLoads } from './support.mjs';

const { DataSource, EntitySchema, In, Like, MoreThan, QueryFailedError } = typeorm;
const sqlite3 = createRequire(import.meta.url)('sqlite3');

testLoads('typeorm');

const Artist = new EntitySchema({
  name: 'Artist',
  columns: {
    id: { type: Number, primary: true, generated: true },
    name: { type: String, unique: true },
    active: { type: Boolean, default: true },
    since: { type: Date, nullable: true },
    labels: { type: 'simple-json', nullable: true },
    photo: { type: 'blob', nullable: true },
  },
  relations: { albums: { type: 'one-to-many', target: 'Album', inverseSide: 'artist' } },
});

const Album = new EntitySchema({
  name: 'Album',
  columns: {
    id: { type: 'varchar', primary: true, generated: 'uuid' },
    title: { type: String },
    year: { type: Number },
    created: { type: Date, createDate: true },
    version: { type: Number, version: true },
  },
  relations: {
    artist: { type: 'many-to-one', target: 'Artist', inverseSide: 'albums', nullable: false, onDelete: 'CASCADE' },
    genres: { type: 'many-to-many', target: 'Genre', joinTable: true, cascade: true },
  },
});

const Genre = new EntitySchema({
  name: 'Genre',
  columns: { id: { type: Number, primary: true, generated: true }, name: { type: String } },
});

const entities = [Artist, Album, Genre];

const open = (database, more) =>
  new DataSource({ type: 'sqlite', database, entities, synchronize: true, ...more }).initialize();

describe('typeorm', () => {
  let source;
  let artists;
  let albums;
  before(async () => {
    source = await open(':memory:');
    artists = source.getRepository('Artist');
    albums = source.getRepository('Album');
  });
  after(() => source.destroy());

  test('saves entities and gives them their ids', async () => {
    const nina = await artists.save({
      name: 'Nina',
      since: new Date('1954-01-01T00:00:00Z'),
      labels: ['RCA', 'Verve'],
    });
    assert.equal(nina.id, 1);
    const more = await artists.save([{ name: 'Miles' }, { name: 'Fela', active: false, photo: Buffer.from([0, 255]) }]);
    assert.deepEqual(
      more.map((artist) => artist.id),
      [2, 3],
    );
    const inserted = await artists.insert({ name: 'Abbey' });
    assert.deepEqual(inserted.identifiers, [{ id: 4 }]);
    assert.equal(inserted.raw, 4);
  });

  test('reads columns back in the types of the entity', async () => {
    const nina = await artists.findOneByOrFail({ name: 'Nina' });
    assert.deepEqual(nina.labels, ['RCA', 'Verve']);
    assert.equal(nina.since.toISOString(), '1954-01-01T00:00:00.000Z');
    assert.equal(nina.active, true);
    const fela = await artists.findOneByOrFail({ name: 'Fela' });
    assert.equal(fela.active, false);
    assert.deepEqual(fela.photo, Buffer.from([0, 255]));
    assert.equal(fela.since, null);
  });

  test('saves and loads relations', async () => {
    const [nina, miles] = await artists.find({ order: { id: 'ASC' }, take: 2 });
    const jazz = { name: 'jazz' };
    await albums.save({ title: 'Pastel Blues', year: 1965, artist: nina, genres: [jazz, { name: 'blues' }] });
    await albums.save({ title: 'Kind of Blue', year: 1959, artist: miles, genres: [jazz] });
    await albums.save({ title: 'Bitches Brew', year: 1970, artist: miles, genres: [] });
    const found = await artists.find({
      where: { id: In([1, 2]) },
      relations: { albums: { genres: true } },
      order: { id: 'ASC', albums: { year: 'ASC', genres: { id: 'ASC' } } },
    });
    assert.deepEqual(
      found.map((artist) => artist.albums.map((album) => [album.title, album.genres.map((genre) => genre.name)])),
      [
        [['Pastel Blues', ['jazz', 'blues']]],
        [
          ['Kind of Blue', ['jazz']],
          ['Bitches Brew', []],
        ],
      ],
    );
  });

  test('builds queries with joins, groups and parameters', async () => {
    const rows = await source
      .createQueryBuilder('Artist', 'artist')
      .leftJoin('artist.albums', 'album', 'album.year > :after', { after: 1960 })
      .select('artist.name', 'name')
      .addSelect('COUNT(album.id)', 'albums')
      .where('artist.name LIKE :name', { name: '%i%' })
      .groupBy('artist.id')
      .orderBy('artist.name')
      .getRawMany();
    assert.deepEqual(rows, [
      { name: 'Miles', albums: 1 },
      { name: 'Nina', albums: 1 },
    ]);
    assert.deepEqual(await albums.findAndCount({ where: { year: MoreThan(1964) }, take: 1, select: ['title'] }), [
      [await albums.findOne({ where: { title: Like('Pastel%') }, select: ['title'] })],
      2,
    ]);
  });

  test('says how many rows were updated and deleted', async () => {
    const updated = await albums.update({ year: MoreThan(1964) }, { year: 2000 });
    assert.equal(updated.affected, 2);
    const kind = await albums.findOneByOrFail({ title: 'Kind of Blue' });
    kind.year = 1960;
    assert.equal((await albums.save(kind)).version, 2);
    assert.equal((await albums.delete({ title: 'nothing' })).affected, 0);
    assert.equal((await artists.delete({ name: 'Abbey' })).affected, 1);
    assert.equal(await artists.count(), 3);
  });

  test('rolls back a transaction and a nested one', async () => {
    await source.transaction(async (manager) => {
      await manager.save('Genre', { name: 'outer' });
      const inner = manager.transaction(async (nested) => {
        await nested.save('Genre', { name: 'inner' });
        throw new Error('only the inner one');
      });
      await assert.rejects(inner, /only the inner one/);
    });
    const all = source.transaction('SERIALIZABLE', async (manager) => {
      await manager.save('Genre', { name: 'none of it' });
      throw new Error('all of it');
    });
    await assert.rejects(all, /all of it/);
    const names = (await source.getRepository('Genre').find({ order: { id: 'ASC' } })).map((genre) => genre.name);
    assert.deepEqual(names, ['jazz', 'blues', 'outer']);
  });

  test('rejects with a QueryFailedError that has what SQLite said', async () => {
    await assert.rejects(artists.insert({ name: 'Nina' }), (error) => {
      assert.ok(error instanceof QueryFailedError);
      assert.equal(error.message, 'SQLITE_CONSTRAINT: UNIQUE constraint failed: artist.name');
      assert.equal(error.code, 'SQLITE_CONSTRAINT');
      assert.equal(error.driverError.errno, 19);
      // verbose() shows where the query was started; with node-sqlite3 only where the first call had as many arguments.
      assert.match(error.driverError.stack, /SqliteQueryRunner/);
      return true;
    });
    await assert.rejects(source.query('select * from nowhere'), /SQLITE_ERROR: no such table: nowhere/);
    assert.deepEqual(await source.query('select ? as a, typeof(?) as b', [1.5, null]), [{ a: 1.5, b: 'null' }]);
  });
});

test('entities stay in a file that TypeORM made, in WAL mode, and migrations run on it', async (t) => {
  const database = join(temporaryFolder(t), 'made/music.sqlite');
  const first = await open(database, { enableWAL: true });
  assert.deepEqual(await first.query('PRAGMA journal_mode'), [{ journal_mode: 'wal' }]);
  await first.getRepository('Genre').save({ name: 'folk' });
  await first.destroy();
  assert.ok(!existsSync(`${database}-wal`), 'the last connection to close takes the log with it');

  class AddMood1700000000000 {
    async up(runner) {
      await runner.query('ALTER TABLE genre ADD COLUMN mood TEXT');
      await runner.query("UPDATE genre SET mood = 'calm'");
    }
    async down(runner) {
      await runner.query('ALTER TABLE genre DROP COLUMN mood');
    }
  }
  const second = await open(database, { synchronize: false, migrations: [AddMood1700000000000] });
  assert.equal((await second.runMigrations()).length, 1);
  assert.deepEqual(await second.query('SELECT * FROM genre'), [{ id: 1, name: 'folk', mood: 'calm' }]);
  await second.undoLastMigration();
  assert.deepEqual(await second.query('SELECT * FROM genre'), [{ id: 1, name: 'folk' }]);
  await second.destroy();
});

test('busyErrorRetry waits until another connection lets go of its lock', async (t) => {
  const database = join(temporaryFolder(t), 'music.sqlite');
  const source = await open(database, { busyErrorRetry: 5, busyTimeout: 1 });
  const other = new sqlite3.Database(database);
  await called((done) => other.exec('BEGIN IMMEDIATE', done));

  // Unlocked at the second try: by then the first one has been refused.
  const connection = source.driver.databaseConnection;
  const { run } = connection;
  let tries = 0;
  const refusals = [];
  connection.run = function (sql, parameters, callback) {
    tries += 1;
    const again = () =>
      run.call(this, sql, parameters, function (error, ...rest) {
        if (error) refusals.push(error.toString());
        callback.call(this, error, ...rest);
      });
    if (tries === 2) other.exec('COMMIT', again);
    else again();
  };
  const saved = await source.getRepository('Genre').insert({ name: 'patience' });
  assert.deepEqual(refusals, ['Error: SQLITE_BUSY: database is locked']);
  assert.equal(saved.raw, 1);
  await called((done) => other.close(done));
  await source.destroy();
});

test('flags open a URI, and a file that cannot be opened rejects', async (t) => {
  const flags = sqlite3.OPEN_URI | sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE;
  const source = await open('file:typeorm?mode=memory&cache=shared', { flags });
  await source.getRepository('Genre').save({ name: 'shared' });
  const other = await open('file:typeorm?mode=memory&cache=shared', { flags, synchronize: false });
  assert.equal(await other.getRepository('Genre').count(), 1);
  await other.destroy();
  await source.destroy();

  const missing = join(temporaryFolder(t), 'missing.sqlite');
  await assert.rejects(open(missing, { flags: sqlite3.OPEN_READONLY }), { code: 'SQLITE_CANTOPEN' });
});
