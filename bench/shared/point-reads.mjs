// What the workloads of reads by primary key have in common: the file, the metrics, the warm-up, the synchronous twin.
import { join } from 'node:path';
import { startClock } from '../measure.mjs';
import * as callbackApi from './callback-api.mjs';
import { checkItem, createTable, fillTable, keyAt, selectByKey, settings } from './items.mjs';
import * as promiseApi from './promise-api.mjs';
import { preparedEachTime, unprepared } from './unprepared.mjs';

// The query at the end reads every page once: the measured reads then find them all in SQLite's page cache.
const fill = `${settings}${createTable}${fillTable}
  SELECT sum(price) FROM item;`;
const fileIn = (directory) => join(directory, 'items.db');

// Outside of a transaction every read locks the file and unlocks it again. These system calls are the same for every
// binding and can cost several times what the read does, so most workloads do all their reads in one transaction.
const frame = { oneTransaction: ['BEGIN', 'COMMIT'], autocommit: ['', ''] };

const metrics = {
  perRead: { label: 'a read, us', digits: 2 },
  perSecond: { label: 'reads a second', digits: 0, better: 'more' },
  processorTime: { label: 'processor time a read, us', digits: 2 },
  utilization: { label: 'event-loop utilisation', digits: 2, ratio: false },
};

function figures({ elapsed, processorTime, utilization }, count) {
  return {
    perRead: (elapsed * 1_000) / count,
    perSecond: (count * 1_000) / elapsed,
    processorTime: (processorTime * 1_000) / count,
    utilization,
  };
}

/** Reads `count` items, all of them queued before the first result arrives. */
const readQueued = (statement, count) =>
  new Promise((resolve, reject) => {
    let left = count;
    for (let i = 0; i < count; i++) {
      const key = keyAt(i);
      statement.get(key, (error, row) => {
        if (error) return reject(error);
        try {
          checkItem(row, key);
        } catch (wrong) {
          return reject(wrong);
        }
        left -= 1;
        if (left === 0) resolve();
      });
    }
  });

/** `get(key)` of a statement as a promise: the callback API wrapped, and the promise API. */
const promisedGet = {
  promisified: (statement) => (key) =>
    new Promise((resolve, reject) => {
      statement.get(key, (error, found) => (error ? reject(error) : resolve(found)));
    }),
  promises: (statement) => (key) => statement.get([key]),
};

/** The same with a promise for each, whichever API makes it. */
const readQueuedPromised = (way) => (statement, count) => {
  const get = promisedGet[way](statement);
  const readOne = async (_, i) => {
    const key = keyAt(i);
    checkItem(await get(key), key);
  };
  return Promise.all(Array.from({ length: count }, readOne));
};

/** Reads `count` items, each awaited before the next is asked for. */
const readAwaitedPromised = (way) => async (statement, count) => {
  const get = promisedGet[way](statement);
  for (let i = 0; i < count; i++) {
    const key = keyAt(i);
    checkItem(await get(key), key);
  }
};

/** How the reads are done through callbacks, through these wrapped into promises, and through the promise API. */
export const queued = {
  callback: readQueued,
  promisified: readQueuedPromised('promisified'),
  promises: readQueuedPromised('promises'),
};

export const awaited = {
  callback: readAwaitedPromised('promisified'),
  promises: readAwaitedPromised('promises'),
};

const callbacks = { ...callbackApi, unprepared };

async function measure(api, binding, directory, count, read, { transaction, prepared }) {
  const { open, exec, prepare, finalize, close } = api;
  const [begin, end] = frame[transaction];
  const db = await open(binding, fileIn(directory));
  await exec(db, fill);
  const statement = prepared ? await prepare(db, selectByKey) : api.unprepared(db, selectByKey);
  await exec(db, begin);
  // One round that is not timed. The figure is that of a program that has run for a while: functions used for the first
  // time are interpreted, and compiling them would weigh on the faster bindings the most.
  await read(statement, count);

  const stop = startClock();
  await read(statement, count);
  const measured = stop();

  await finalize(statement);
  await exec(db, end);
  await close(db);
  return figures(measured, count);
}

function measureSync(Database, directory, count, { transaction, prepared }) {
  const [begin, end] = frame[transaction];
  const db = new Database(fileIn(directory));
  db.exec(fill);
  const statement = prepared ? db.prepare(selectByKey) : preparedEachTime(db, selectByKey);
  const read = (reads) => {
    for (let i = 0; i < reads; i++) {
      const key = keyAt(i);
      checkItem(statement.get(key), key);
    }
  };
  db.exec(begin);
  read(count);

  const stop = startClock();
  read(count);
  const measured = stop();

  db.exec(end);
  db.close();
  return figures(measured, count);
}

/** A workload of `count` reads, made by `read` (`queued` or `awaited`) in the one or the other kind of `transaction`. */
export function pointReads({ about, count, read, transaction, prepared = true }) {
  const how = { transaction, prepared };
  const through = (api, way) =>
    read[way] && ((binding, { directory, scaled }) => measure(api, binding, directory, scaled(count), read[way], how));
  return {
    about,
    metrics,
    callback: through(callbacks, 'callback'),
    promisified: through(callbacks, 'promisified'),
    promises: through(promiseApi, 'promises'),
    sync: (Database, { directory, scaled }) => measureSync(Database, directory, scaled(count), how),
  };
}
