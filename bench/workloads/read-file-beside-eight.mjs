// How long fs.promises.readFile takes while eight databases are busy: what queries do to the rest of the program.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { percentile, startClock } from '../measure.mjs';
import { close, finalize, open, prepare } from '../shared/callback-api.mjs';

const databaseCount = 8;
const durationMs = 3_000;
const fileSize = 1_024;

// Counts in SQL, so that a query costs processor time and hardly any memory or result.
const countTo = 100_000;
const slowQuery = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${countTo})
  SELECT sum(i) AS total FROM n`;
const expectedTotal = (countTo * (countTo + 1)) / 2;

// Two queries of each database are under way at any time: when one ends, the next must not wait for JavaScript.
const queriesAhead = 2;

/** Keeps a statement running until `mayStop()` says so; resolves with the number of queries that ran. */
function keepBusy(statement, mayStop) {
  return new Promise((resolve, reject) => {
    let underWay = 0;
    let finished = 0;
    const query = () => {
      underWay += 1;
      statement.all((error, rows) => {
        if (error) return reject(error);
        if (rows[0]?.total !== expectedTotal) return reject(new Error(`wrong total: ${JSON.stringify(rows)}`));
        underWay -= 1;
        finished += 1;
        if (!mayStop()) query();
        else if (underWay === 0) resolve(finished);
      });
    };
    for (let i = 0; i < queriesAhead; i++) query();
  });
}

async function readUntil(deadline, file) {
  const latencies = [];
  while (performance.now() < deadline) {
    const start = performance.now();
    const bytes = await readFile(file);
    latencies.push(performance.now() - start);
    if (bytes.length !== fileSize) throw new Error(`read ${bytes.length} bytes instead of ${fileSize}`);
    await nextTurn();
  }
  return latencies;
}

/** The same beside as many threads that only count: what the operating system makes of it without any database. */
async function besideThreads(file, milliseconds) {
  const threads = Array.from({ length: databaseCount }, () => new Worker('for (;;);', { eval: true }));
  await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once('online', resolve))));
  const latencies = await readUntil(performance.now() + milliseconds, file);
  await Promise.all(threads.map((thread) => thread.terminate()));
  return latencies;
}

export default {
  about: 'fs.promises.readFile of 1 KiB in a loop for 3 s while eight databases run slow queries back to back',

  metrics: {
    p50: { label: 'readFile p50, ms', digits: 2 },
    p99: { label: 'readFile p99, ms', digits: 2 },
    max: { label: 'readFile max, ms', digits: 2 },
    threads: { label: 'p99 beside 8 threads that count', digits: 2, ratio: false },
    reads: { label: 'files read', digits: 0, ratio: false },
    queries: { label: 'queries a second', digits: 0, better: 'more' },
  },

  async callback(sqlite3, { directory, scaled }) {
    const file = join(directory, 'small.txt');
    await writeFile(file, 'x'.repeat(fileSize));
    const databases = [];
    for (let i = 0; i < databaseCount; i++) databases.push(await open(sqlite3, ':memory:'));
    const statements = await Promise.all(databases.map((db) => prepare(db, slowQuery)));

    let stopping = false;
    const stop = startClock();
    const deadline = performance.now() + scaled(durationMs);
    const busy = statements.map((statement) => keepBusy(statement, () => stopping));
    // Awaited together from the start: a query that fails must end the run at once and not after the reads.
    const reading = readUntil(deadline, file).finally(() => {
      stopping = true;
    });
    const [latencies, ...finished] = await Promise.all([reading, ...busy]);
    const { elapsed } = stop();

    await Promise.all(statements.map((statement) => finalize(statement)));
    await Promise.all(databases.map((db) => close(db)));
    const floor = await besideThreads(file, scaled(durationMs));
    return {
      p50: percentile(latencies, 50),
      p99: percentile(latencies, 99),
      max: percentile(latencies, 100),
      threads: percentile(floor, 99),
      reads: latencies.length,
      queries: (finished.reduce((sum, queries) => sum + queries, 0) * 1_000) / elapsed,
    };
  },

  // A synchronous query blocks the loop for as long as it runs, so there is nothing beside it to measure.
  sync: null,
};
