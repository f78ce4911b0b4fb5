// Many large results, each of them dropped as soon as it is there: how much memory that takes at its peak.
import { join } from 'node:path';
import { startClock } from '../measure.mjs';
import { close, exec, get, open } from './callback-api.mjs';
import { settings } from './items.mjs';
import { watchPeak } from './memory.mjs';
import { checkRow, fillTable, mixed, selectAll } from './tables.mjs';

const rowCount = 20_000;
const query = selectAll(mixed);
// Reads every page once, so that SQLite's page cache has its full size before the watch begins.
const warmUp = 'SELECT count(digest) AS digests FROM data';

const metrics = {
  peak: { label: 'peak memory above start, MB', digits: 0 },
  elapsed: { label: 'elapsed, ms', digits: 0 },
  perRow: { label: 'a row, us', digits: 2 },
};

// The first and the last row only: to look at all would take longer than to read them.
function check(rows, count) {
  if (rows.length !== count) throw new Error(`${rows.length} rows instead of ${count}`);
  checkRow(mixed, rows[0], 1);
  checkRow(mixed, rows[count - 1], count);
}

function checkWarmUp({ digests }, count) {
  if (digests !== count) throw new Error(`the table has ${digests} rows instead of ${count}`);
}

/** Queues all queries at once; resolves after the last result. */
const readQueued = (db, queries, rows) =>
  new Promise((resolve, reject) => {
    let left = queries;
    const drop = (error, result) => {
      if (error) return reject(error);
      try {
        check(result, rows);
      } catch (wrong) {
        return reject(wrong);
      }
      left -= 1;
      if (left === 0) resolve();
    };
    for (let i = 0; i < queries; i++) db.all(query, drop);
  });

async function watched(queries, rows, work) {
  const peak = watchPeak();
  const stop = startClock();
  await work();
  const { elapsed } = stop();
  return { peak: peak(), elapsed, perRow: (elapsed * 1_000) / (queries * rows) };
}

async function measure(sqlite3, directory, queries, rows) {
  const db = await open(sqlite3, join(directory, 'data.db'));
  await exec(db, settings + fillTable(mixed, rows));
  checkWarmUp(await get(db, warmUp), rows);
  const measured = await watched(queries, rows, () => readQueued(db, queries, rows));
  await close(db);
  return measured;
}

async function measureSync(Database, directory, queries, rows) {
  const db = new Database(join(directory, 'data.db'));
  db.exec(settings + fillTable(mixed, rows));
  checkWarmUp(db.prepare(warmUp).get(), rows);
  const measured = await watched(queries, rows, () => {
    for (let i = 0; i < queries; i++) check(db.prepare(query).all(), rows);
  });
  db.close();
  return measured;
}

/** A workload of `queries` all() of 20,000 rows. Only the number of rows follows --scale: the queue is what is tested. */
export function droppedResults({ about, queries, ...more }) {
  return {
    about,
    metrics,
    ...more,
    callback: (sqlite3, { directory, scaled }) => measure(sqlite3, directory, queries, scaled(rowCount)),
    sync: (Database, { directory, scaled }) => measureSync(Database, directory, queries, scaled(rowCount)),
  };
}
