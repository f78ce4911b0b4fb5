// What the two insert workloads have in common: the file, the transaction, the metrics, the synchronous twin.
import { join } from 'node:path';
import { startClock } from '../measure.mjs';
import * as callbackApi from './callback-api.mjs';
import { amountOf, checkTotals, createTable, insertItem, labelOf, priceOf, settings, totals } from './items.mjs';
import * as promiseApi from './promise-api.mjs';
import { preparedEachTime, unprepared } from './unprepared.mjs';

// As with the reads, the figure is that of a program that has been running for a while.
const forgetWarmUp = 'ROLLBACK';

const fileIn = (directory) => join(directory, 'items.db');

const metrics = {
  perInsert: { label: 'an insert, us', digits: 2 },
  perSecond: { label: 'inserts a second', digits: 0, better: 'more' },
  processorTime: { label: 'processor time an insert, us', digits: 2 },
  utilization: { label: 'event-loop utilisation', digits: 2, ratio: false },
};

function figures({ elapsed, processorTime, utilization }, count) {
  return {
    perInsert: (elapsed * 1_000) / count,
    perSecond: (count * 1_000) / elapsed,
    processorTime: (processorTime * 1_000) / count,
    utilization,
  };
}

/** Inserts the ids 1 to `count`, all of them queued before the first has finished. */
const insertQueued = (statement, count) =>
  new Promise((resolve, reject) => {
    let left = count;
    for (let id = 1; id <= count; id++) {
      statement.run(labelOf(id), amountOf(id), priceOf(id), function inserted(error) {
        if (error) return reject(error);
        try {
          checkInsert(id, this.lastID, this.changes);
        } catch (wrong) {
          return reject(wrong);
        }
        left -= 1;
        if (left === 0) resolve();
      });
    }
  });

/** Throws unless an insert reported what inserting row `id` must report. */
function checkInsert(id, lastID, changes) {
  if (lastID !== id || changes !== 1) throw new Error(`insert ${id} reported id ${lastID}, ${changes} changes`);
}

/** `run()` for the row `id` as a promise of what it reports: the callback API wrapped, and the promise API. */
const promisedRun = {
  promisified: (statement) => (id) =>
    new Promise((resolve, reject) => {
      statement.run(labelOf(id), amountOf(id), priceOf(id), function inserted(error) {
        if (error) reject(error);
        else resolve({ lastID: this.lastID, changes: this.changes });
      });
    }),
  promises: (statement) => (id) => statement.run([labelOf(id), amountOf(id), priceOf(id)]),
};

/** The same with a promise for each, whichever API makes it. */
const insertQueuedPromised = (way) => (statement, count) => {
  const run = promisedRun[way](statement);
  const insertOne = async (_, i) => {
    const { lastID, changes } = await run(i + 1);
    checkInsert(i + 1, lastID, changes);
  };
  return Promise.all(Array.from({ length: count }, insertOne));
};

/** Inserts the ids 1 to `count`, each awaited before the next is asked for. */
const insertAwaitedPromised = (way) => async (statement, count) => {
  const run = promisedRun[way](statement);
  for (let id = 1; id <= count; id++) {
    const { lastID, changes } = await run(id);
    checkInsert(id, lastID, changes);
  }
};

/** How the inserts are done through callbacks, through these wrapped into promises, and through the promise API. */
export const queued = {
  callback: insertQueued,
  promisified: insertQueuedPromised('promisified'),
  promises: insertQueuedPromised('promises'),
};

export const awaited = {
  callback: insertAwaitedPromised('promisified'),
  promises: insertAwaitedPromised('promises'),
};

const callbacks = { ...callbackApi, unprepared };

/**
 * Measures one transaction, BEGIN and COMMIT included, around `insert(statement, count)`: a function that inserts the
 * ids 1 to `count` and resolves after the last of them. Unless `prepared`, each of them hands the SQL text over again.
 */
async function measure(api, binding, directory, count, insert, prepared) {
  const { open, exec, prepare, get, finalize, close } = api;
  const db = await open(binding, fileIn(directory));
  // In sqlite3, calls of a database overtake each other unless told otherwise; those of one statement do not.
  if (!prepared) db.serialize?.();
  await exec(db, settings + createTable);
  const statement = prepared ? await prepare(db, insertItem) : api.unprepared(db, insertItem);
  await exec(db, 'BEGIN');
  // One round that is not timed, as for the reads.
  await insert(statement, count);
  await exec(db, forgetWarmUp);

  const stop = startClock();
  await exec(db, 'BEGIN');
  await insert(statement, count);
  await exec(db, 'COMMIT');
  const measured = stop();

  checkTotals(await get(db, totals), count);
  await finalize(statement);
  await close(db);
  return figures(measured, count);
}

function measureSync(Database, directory, count, prepared) {
  const db = new Database(fileIn(directory));
  db.exec(settings + createTable);
  const statement = prepared ? db.prepare(insertItem) : preparedEachTime(db, insertItem);
  const insert = (inserts) => {
    for (let id = 1; id <= inserts; id++) {
      const { lastInsertRowid, changes } = statement.run(labelOf(id), amountOf(id), priceOf(id));
      checkInsert(id, lastInsertRowid, changes);
    }
  };
  db.exec('BEGIN');
  insert(count);
  db.exec(forgetWarmUp);

  const stop = startClock();
  db.exec('BEGIN');
  insert(count);
  db.exec('COMMIT');
  const measured = stop();

  checkTotals(db.prepare(totals).get(), count);
  db.close();
  return figures(measured, count);
}

/** A workload of `count` inserts in one transaction, made by `insert` (`queued` or `awaited`). */
export function inserts({ about, count, insert, prepared = true }) {
  const through = (api, way) =>
    insert[way] &&
    ((binding, { directory, scaled }) => measure(api, binding, directory, scaled(count), insert[way], prepared));
  return {
    about,
    metrics,
    callback: through(callbacks, 'callback'),
    promisified: through(callbacks, 'promisified'),
    promises: through(promiseApi, 'promises'),
    sync: (Database, { directory, scaled }) => measureSync(Database, directory, scaled(count), prepared),
  };
}
