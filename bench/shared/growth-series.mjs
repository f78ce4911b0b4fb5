// How cost grows with one size: for each series its sizes, and what is done at each of them, in both APIs.
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median } from '../measure.mjs';
import { close, exec, get, open } from './callback-api.mjs';
import { settings } from './items.mjs';
import { checkRows, fillTable, selectAll, triples, wide } from './tables.mjs';

// Small sizes are repeated, so that a point is no accident of one moment; large ones are long enough by themselves.
const enoughMs = 150;
const mostRepeats = 50;

const wideRows = 2_000;
const queriesOfEach = 20;
const countTo = 1_000;
const slowQuery = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${countTo}) SELECT sum(i) AS total FROM n`;
const expectedTotal = (countTo * (countTo + 1)) / 2;

const firstColumns = (count) => {
  const columns = Object.entries({ ...wide, ...again(wide) });
  return Object.fromEntries(columns.slice(0, count));
};
const again = (columns) => Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${name}_b`, column]));

function checkTotal(row) {
  if (row?.total !== expectedTotal) throw new Error(`wrong total: ${JSON.stringify(row)}`);
}

function checkTriple(row, id) {
  if (row?.id !== id || row.price !== id / 4) throw new Error(`wrong row for id ${id}: ${JSON.stringify(row)}`);
}

const readAll = {
  callback: (db, sql) =>
    new Promise((resolve, reject) => db.all(sql, (error, rows) => (error ? reject(error) : resolve(rows)))),
  sync: (db, sql) => db.prepare(sql).all(),
};

/** Reads a table of `rows` rows and the given columns in one go; the rows are checked after the clock. */
const tableOf = (columns, rows) => ({
  setup: settings + fillTable(columns, rows),
  databases: 1,
  act: (api, [db]) => readAll[api](db, selectAll(columns)),
  check: (found) => checkRows(columns, found, rows),
});

const keyedRows = 1_000;
const byKey = `${selectAll(triples)} WHERE id = ?`;

/** `length` reads by key, all of them queued before the first is answered. */
const queueOf = (length) => ({
  setup: `${settings}${fillTable(triples, keyedRows)} CREATE UNIQUE INDEX by_id ON data (id);`,
  databases: 1,
  act(api, [db]) {
    const keys = Array.from({ length }, (_, i) => (i % keyedRows) + 1);
    const statement = db.prepare(byKey);
    if (api === 'sync') return keys.map((key) => statement.get(key));
    const rows = Promise.all(keys.map((key) => get(statement, key)));
    return rows.finally(() => statement.finalize());
  },
  check(rows) {
    for (const [i, row] of rows.entries()) checkTriple(row, (i % keyedRows) + 1);
  },
});

/** Twenty queries on each of `databases` databases, all of them queued at once. */
const databasesOf = (databases) => ({
  setup: settings,
  databases,
  act(api, all) {
    const queries = all.flatMap((db) => Array.from({ length: queriesOfEach }, () => db));
    if (api === 'sync') return queries.map((db) => db.prepare(slowQuery).get());
    return Promise.all(queries.map((db) => get(db, slowQuery)));
  },
  check(rows) {
    for (const row of rows) checkTotal(row);
  },
});

export const series = {
  rows: {
    about: 'all() of a table of 3 columns',
    axis: 'rows',
    sizes: [10, 100, 1_000, 10_000, 100_000, 1_000_000],
    at: (rows) => tableOf(triples, rows),
  },
  columns: {
    about: `all() of ${wideRows.toLocaleString('en-US')} rows of integers, texts and reals in turn`,
    axis: 'columns',
    sizes: [1, 3, 10, 30, 100],
    at: (columns) => tableOf(firstColumns(columns), wideRows),
  },
  queue: {
    about: 'get() by key through one prepared statement, all queued at once',
    axis: 'queued requests',
    sizes: [1, 10, 100, 1_000, 10_000, 100_000],
    at: queueOf,
  },
  databases: {
    about: `${queriesOfEach} queries that count to ${countTo.toLocaleString('en-US')} on each database, all queued at once`,
    axis: 'databases',
    sizes: [1, 3, 10, 30, 100, 200],
    at: databasesOf,
  },
};

const openAll = {
  callback: (Binding, files) => Promise.all(files.map((file) => open(Binding, file))),
  sync: (Database, files) => files.map((file) => new Database(file)),
};
const closeAll = {
  callback: (databases) => Promise.all(databases.map((db) => close(db))),
  sync: (databases) => databases.map((db) => db.close()),
};

/** Times one size: the median of as many repeats as fit into a moment, after one that is not timed. In ms. */
async function point(api, binding, directory, { setup, databases, act, check }) {
  const files = Array.from({ length: databases }, (_, i) => join(directory, `${i}.db`));
  const opened = await openAll[api](binding, files);
  for (const db of opened) await (api === 'sync' ? db.exec(setup) : exec(db, setup));
  check(await act(api, opened));
  const times = [];
  for (let sum = 0; times.length === 0 || (sum < enoughMs && times.length < mostRepeats); ) {
    const start = performance.now();
    const found = await act(api, opened);
    times.push(performance.now() - start);
    sum += times.at(-1);
    check(found);
  }
  await closeAll[api](opened);
  return median(times);
}

/** One point of a series on one binding, in this process. */
export const growthPoint = (api, binding, directory, name, size) =>
  point(api, binding, directory, series[name].at(size));
