// One huge result: for how long the event loop stands still, and how long the whole takes.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { startClock } from '../measure.mjs';
import { close, exec, open } from '../shared/callback-api.mjs';
import { settings } from '../shared/items.mjs';
import { checkRows, fillTable, selectAll, triples } from '../shared/tables.mjs';

const rowCount = 1_000_000;
const query = selectAll(triples);

/*
 * A timer of 1 ms inside of Node.js notes how late it is each time: what any timer or socket of the program would feel.
 * A chain of setImmediate() would not do: with it the event loop never sleeps, takes one of the cores from SQLite, and
 * need not be woken, so that the total would be another.
 */
const resolution = 1;
const nanosecondsPerMillisecond = 1e6;

async function watched(work) {
  const loop = monitorEventLoopDelay({ resolution });
  loop.enable();
  // It compares one call with the one before: let it have some before the work, and the one that comes late after it.
  await delay(10 * resolution);
  const stop = startClock();
  const rows = await work();
  const { elapsed, processorTime, utilization } = stop();
  await delay(10 * resolution);
  loop.disable();
  return {
    rows,
    figures: { stall: loop.max / nanosecondsPerMillisecond - resolution, elapsed, processorTime, utilization },
  };
}

export default {
  about: 'all() of 1,000,000 rows x 3 columns (integer, text, real), WAL file',

  metrics: {
    stall: { label: 'longest event-loop stall, ms', digits: 1 },
    elapsed: { label: 'elapsed, ms', digits: 0 },
    processorTime: { label: 'processor time, ms', digits: 0 },
    utilization: { label: 'event-loop utilisation', digits: 2, ratio: false },
  },

  async callback(sqlite3, { directory, scaled }) {
    const count = scaled(rowCount);
    const db = await open(sqlite3, join(directory, 'data.db'));
    await exec(db, settings + fillTable(triples, count));
    const all = () =>
      new Promise((resolve, reject) => db.all(query, (error, rows) => (error ? reject(error) : resolve(rows))));
    const { rows, figures } = await watched(all);
    checkRows(triples, rows, count);
    await close(db);
    return figures;
  },

  async sync(Database, { directory, scaled }) {
    const count = scaled(rowCount);
    const db = new Database(join(directory, 'data.db'));
    db.exec(settings + fillTable(triples, count));
    const { rows, figures } = await watched(() => db.prepare(query).all());
    checkRows(triples, rows, count);
    db.close();
    return figures;
  },
};
