// A workload that reads a whole table with all() or each(): the file, the passes, the checks, the synchronous twin.
import { join } from 'node:path';
import { startClock } from '../measure.mjs';
import * as callbackApi from './callback-api.mjs';
import { settings } from './items.mjs';
import * as promiseApi from './promise-api.mjs';
import { checkRow, checkRows, fillTable, selectAll } from './tables.mjs';

const fileIn = (directory) => join(directory, 'data.db');

const metrics = {
  perRow: { label: 'a row, us', digits: 3 },
  elapsed: { label: 'a pass, ms', digits: 1 },
  processorTime: { label: 'processor time a row, us', digits: 3 },
  utilization: { label: 'event-loop utilisation', digits: 2, ratio: false },
};

function figures({ elapsed, processorTime, utilization }, passes, count) {
  const perRow = 1_000 / (passes * count);
  return { perRow: elapsed * perRow, elapsed: elapsed / passes, processorTime: processorTime * perRow, utilization };
}

const all = (db, sql) =>
  new Promise((resolve, reject) => db.all(sql, (error, rows) => (error ? reject(error) : resolve(rows))));

/** Calls `visit(row, number)` for each row; resolves with the number of rows. */
const each = (db, sql, visit) =>
  new Promise((resolve, reject) => {
    let seen = 0;
    const onRow = (error, row) => {
      if (error) return reject(error);
      seen += 1;
      try {
        visit(row, seen);
      } catch (wrong) {
        reject(wrong);
      }
    };
    db.each(sql, onRow, (error, rows) => {
      if (error) return reject(error);
      if (rows !== seen) return reject(new Error(`each() called back ${seen} times and says ${rows}`));
      resolve(seen);
    });
  });

/*
 * `read(source, sql, visit)` delivers the rows: as an array without `visit`, one by one with it. In the untimed pass each
 * value of each row is compared. In the timed ones that would cost more than the reading: there all() is checked after
 * the clock has stopped, and each() looks at the first column of each row as it comes.
 */
const ways = {
  all: {
    first: async (read, sql, columns, count) => checkRows(columns, await read(sql), count),
    timed: async (read, sql, columns, count) => {
      const rows = await read(sql);
      return () => checkRows(columns, rows, count);
    },
  },
  each: {
    first: async (read, sql, columns, count) => {
      const seen = await read(sql, (row, i) => checkRow(columns, row, i));
      if (seen !== count) throw new Error(`${seen} rows instead of ${count}`);
    },
    timed: async (read, sql, columns, count) => {
      const [[name, [, valueFor]]] = Object.entries(columns);
      const seen = await read(sql, (row, i) => {
        if (row[name] !== valueFor(i)) throw new Error(`row ${i} has a wrong ${name}: ${row[name]}`);
      });
      return () => {
        if (seen !== count) throw new Error(`${seen} rows instead of ${count}`);
      };
    },
  },
};

async function measure(read, { columns, count, method, passes }) {
  const sql = selectAll(columns);
  const { first, timed } = ways[method];
  // One pass that is not timed, as in the other workloads.
  await first(read, sql, columns, count);
  const stop = startClock();
  let check;
  for (let pass = 0; pass < passes; pass++) check = await timed(read, sql, columns, count);
  const measured = stop();
  check();
  return figures(measured, passes, count);
}

/** The same with the promise API. */
const iterate = async (db, sql, visit) => {
  let seen = 0;
  for await (const row of db.iterate(sql)) {
    seen += 1;
    visit(row, seen);
  }
  return seen;
};

const callbacks = { ...callbackApi, all, each };
const promises = { ...promiseApi, all: (db, sql) => db.all(sql), each: iterate };

async function measureAsync(api, binding, directory, how) {
  const { open, exec, close } = api;
  const db = await open(binding, fileIn(directory));
  await exec(db, settings + fillTable(how.columns, how.count));
  const read = (sql, visit) => api[how.method](db, sql, visit);
  const measured = await measure(read, how);
  await close(db);
  return measured;
}

async function measureSync(Database, directory, how) {
  const db = new Database(fileIn(directory));
  db.exec(settings + fillTable(how.columns, how.count));
  const readEach = (sql, visit) => {
    let seen = 0;
    for (const row of db.prepare(sql).iterate()) {
      seen += 1;
      visit(row, seen);
    }
    return seen;
  };
  const measured = await measure(how.method === 'all' ? (sql) => db.prepare(sql).all() : readEach, how);
  db.close();
  return measured;
}

/** A workload that reads `count` rows of `columns`, one of those of tables.mjs, `passes` times with `method`. */
export function tableScan({ about, columns, count, method = 'all', passes = 3 }) {
  const how = (scaled) => ({ columns, count: scaled(count), method, passes });
  return {
    about,
    metrics,
    callback: (sqlite3, { directory, scaled }) => measureAsync(callbacks, sqlite3, directory, how(scaled)),
    promises: (binding, { directory, scaled }) => measureAsync(promises, binding, directory, how(scaled)),
    sync: (Database, { directory, scaled }) => measureSync(Database, directory, how(scaled)),
  };
}
