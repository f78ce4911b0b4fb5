// Two hundred open databases that have run a query each and now rest: the memory they hold.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { close, exec, get, open } from '../shared/callback-api.mjs';
import { checkItem, createTable, fillTable, selectByKey, settings } from '../shared/items.mjs';
import { megabyte } from '../shared/memory.mjs';

const databaseCount = 200;
const key = 4711;
const settleMs = 200;

const fileIn = (directory) => join(directory, 'items.db');
const fill = settings + createTable + fillTable;

const metrics = {
  memory: { label: 'memory of all, MB', digits: 1 },
  each: { label: 'memory of one, KB', digits: 0 },
};

/** Resident memory once what happens in the background, such as the end of a compilation, has had its time. */
async function resident() {
  await delay(settleMs);
  return process.memoryUsage.rss() / megabyte;
}

/** `openOne` opens the file, reads one row, checks it and returns the database; `closeOne` closes it. */
async function measure(count, openOne, closeOne) {
  // The first ones pay for what is there only once: code, caches of the allocator.
  for (let i = 0; i < 10; i++) await closeOne(await openOne());
  const before = await resident();
  const databases = [];
  for (let i = 0; i < count; i++) databases.push(await openOne());
  const memory = (await resident()) - before;
  for (const db of databases) await closeOne(db);
  return { memory, each: (memory * 1_000) / count };
}

export default {
  about:
    '200 connections to one WAL file, each has read one row and rests: resident memory above what was there before',
  metrics,

  async callback(sqlite3, { directory, scaled }) {
    const file = fileIn(directory);
    const other = await open(sqlite3, file);
    await exec(other, fill);
    const openOne = async () => {
      const db = await open(sqlite3, file);
      checkItem(await get(db, selectByKey, key), key);
      return db;
    };
    const figures = await measure(scaled(databaseCount), openOne, close);
    await close(other);
    return figures;
  },

  async sync(Database, { directory, scaled }) {
    const file = fileIn(directory);
    const other = new Database(file);
    other.exec(fill);
    const openOne = () => {
      const db = new Database(file);
      checkItem(db.prepare(selectByKey).get(key), key);
      return db;
    };
    const figures = await measure(scaled(databaseCount), openOne, (db) => db.close());
    other.close();
    return figures;
  },
};
