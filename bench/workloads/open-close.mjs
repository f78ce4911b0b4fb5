// The life of a short connection: open a file, prepare, get one row, close, one after the other.
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median } from '../measure.mjs';
import { close, exec, finalize, get, open, prepare } from '../shared/callback-api.mjs';
import { checkItem, createTable, fillTable, selectByKey, settings } from '../shared/items.mjs';

const timesCount = 300;
const warmUpCount = 20;
const key = 4711;

const fileIn = (directory) => join(directory, 'items.db');
const fill = settings + createTable + fillTable;

// Four points in time make the three parts of a life; a statement is finalized on the way to the end.
const metrics = {
  life: { label: 'open to closed, us', digits: 0 },
  open: { label: 'open, us', digits: 0 },
  read: { label: 'prepare and get, us', digits: 0 },
  close: { label: 'finalize and close, us', digits: 0 },
};

function figures(lives) {
  const part = (from, to) => median(lives.slice(warmUpCount).map((times) => (times[to] - times[from]) * 1_000));
  return { life: part(0, 3), open: part(0, 1), read: part(1, 2), close: part(2, 3) };
}

async function live(sqlite3, file) {
  const times = [performance.now()];
  const db = await open(sqlite3, file);
  times.push(performance.now());
  const statement = await prepare(db, selectByKey);
  const row = await get(statement, key);
  times.push(performance.now());
  await finalize(statement);
  await close(db);
  times.push(performance.now());
  checkItem(row, key);
  return times;
}

function liveSync(Database, file) {
  const times = [performance.now()];
  const db = new Database(file);
  times.push(performance.now());
  const row = db.prepare(selectByKey).get(key);
  times.push(performance.now());
  db.close();
  times.push(performance.now());
  checkItem(row, key);
  return times;
}

export default {
  about: 'open a WAL file, prepare, get one row by key, finalize, close; 300 times one after the other, median',
  metrics,

  async callback(sqlite3, { directory, scaled }) {
    // Stays open: the last connection to go would do the work of a checkpoint.
    const other = await open(sqlite3, fileIn(directory));
    await exec(other, fill);
    const lives = [];
    for (let i = 0; i < warmUpCount + scaled(timesCount); i++) lives.push(await live(sqlite3, fileIn(directory)));
    await close(other);
    return figures(lives);
  },

  sync(Database, { directory, scaled }) {
    const other = new Database(fileIn(directory));
    other.exec(fill);
    const lives = [];
    for (let i = 0; i < warmUpCount + scaled(timesCount); i++) lives.push(liveSync(Database, fileIn(directory)));
    other.close();
    return figures(lives);
  },
};
