// What both forms of the origin script share: table, query, check, metrics, synchronous twin.

import * as sqliteAlone from '../c/alone.mjs';
import { startClock } from '../measure.mjs';
import * as callbackApi from './callback-api.mjs';
import * as promiseApi from './promise-api.mjs';

const textCount = 2_000;
const groupCount = 500;
const selectCount = 1_000;

const fill = `
  CREATE TABLE lorem (text TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${textCount})
  INSERT INTO lorem SELECT 'Ipsum ' || i FROM n;`;
const query = `SELECT max(rowid) AS id, max(text) AS text FROM lorem GROUP BY rowid % ${groupCount}`;

// Worked out in JavaScript, group by group, so that no binding is its own judge.
function expectedJson() {
  const rows = [];
  for (let group = 0; group < groupCount; group++) {
    const ids = [];
    for (let id = group === 0 ? groupCount : group; id <= textCount; id += groupCount) ids.push(id);
    const texts = ids.map((id) => `Ipsum ${id}`).sort();
    rows.push({ id: ids.at(-1), text: texts.at(-1) });
  }
  return JSON.stringify(rows);
}

function figures({ elapsed, processorTime, loopTime, loopShare, utilization }, count, sqlite) {
  const result = { elapsed, perSelect: elapsed / count, processorTime, utilization, loopTime, loopShare };
  if (sqlite !== undefined) {
    const { busy, overlap } = sqlite;
    Object.assign(result, { busy, elapsedPerBusy: elapsed / busy, overlap, overlapShare: overlap / loopTime });
  }
  return result;
}

const gained = (before, after) => ({
  busy: after.sqliteBusyTime - before.sqliteBusyTime,
  overlap: after.overlapTime - before.overlapTime,
});

const metrics = {
  elapsed: { label: 'elapsed, ms', digits: 0 },
  perSelect: { label: 'a select, ms', digits: 3 },
  processorTime: { label: 'processor time, ms', digits: 0 },
  utilization: { label: 'event-loop utilisation', digits: 2, ratio: false },
  loopTime: { label: 'event-loop time, ms', digits: 0, ratio: false },
  loopShare: { label: 'event-loop time / elapsed', digits: 2, ratio: false },
  busy: { label: 'SQLite busy, ms', digits: 0, ratio: false },
  elapsedPerBusy: { label: 'elapsed / SQLite busy', digits: 3, ratio: false },
  overlap: { label: 'SQLite and loop at once, ms', digits: 0, ratio: false },
  overlapShare: { label: 'of the event-loop time', digits: 2, ratio: false },
};

function checker() {
  const expected = expectedJson();
  return (rows) => {
    if (JSON.stringify(rows) !== expected) throw new Error('a select returned wrong rows');
  };
}

async function measure({ open, exec, prepare, finalize, close }, binding, count, select, timesBefore) {
  const check = checker();
  const db = await open(binding, ':memory:');
  await exec(db, fill);
  const statement = await prepare(db, query);
  for (let times = 0; times < timesBefore; times++) await select(statement, count, check);
  // Only sqlite-tandem tells how long SQLite itself was at work, and the event loop at the same time.
  const before = db.stats?.();
  const stop = startClock();
  await select(statement, count, check);
  const measured = stop();
  const sqlite = before && gained(before, db.stats());

  await finalize(statement);
  await close(db);
  return figures(measured, count, sqlite);
}

function measureSync(Database, count, before) {
  const check = checker();
  const db = new Database(':memory:');
  db.exec(fill);
  const statement = db.prepare(query);

  for (let i = 0; i < count * before; i++) check(statement.all());
  const stop = startClock();
  for (let i = 0; i < count; i++) check(statement.all());
  const measured = stop();

  db.close();
  return figures(measured, count);
}

function measureAlone(program, count, before) {
  const { elapsed, processorTime, rows } = sqliteAlone.run(program, count, count * before, fill, query);
  checker()(rows);
  return { elapsed, perSelect: elapsed / count, processorTime };
}

/**
 * A workload in which `select(statement, count, check)` queues all selects at once, passes every result to `check`
 * (which turns it into JSON) and resolves after the last one. With `before`, so many times as much is selected first and
 * not timed. `selectPromises` does the same with a statement of the promise API.
 */
export function groupedSelects({ about, select, selectPromises, before = 0 }) {
  return {
    about,
    metrics,
    callback: (sqlite3, { scaled }) => measure(callbackApi, sqlite3, scaled(selectCount), select, before),
    promises:
      selectPromises &&
      ((promises, { scaled }) => measure(promiseApi, promises, scaled(selectCount), selectPromises, before)),
    sync: (Database, { scaled }) => measureSync(Database, scaled(selectCount), before),
    alone: (program, { scaled }) => measureAlone(program, scaled(selectCount), before),
  };
}
