// Queues many queries at once and measures both sides, with eager off and on.

import { record } from 'sqlite-tandem/timeline';

/** One call with a callback, as a promise. */
export const call = (target, method, ...args) =>
  new Promise((resolve, reject) => {
    target[method](...args, (error, value) => (error ? reject(error) : resolve(value)));
  });

/**
 * A task is `count` queries: `query(i, callback)` starts the one of that number, and `use(rows, i)` turns its rows into
 * something and returns that as text.
 *
 * Both modes take turns, `rounds` times, and the fastest run of each is kept: what else the machine does hits them alike.
 */
export async function compare(db, task, rounds = 3) {
  // Not counted: compiles the code that both modes use, which the first of them would pay for otherwise.
  await measure(db, task, true);
  let off;
  let on;
  for (let round = 0; round < rounds; round++) {
    off = fasterOf(off, await measure(db, task, false));
    on = fasterOf(on, await measure(db, task, true));
  }
  return { off, on, count: task.count, rows: on.rows };
}

function fasterOf(best, run) {
  if (best === undefined) return run;
  if (best.rows !== run.rows || best.characters !== run.characters) {
    throw new Error(
      `Two runs differ: ${best.rows} rows and ${run.rows}; ${best.characters} characters, ${run.characters}`,
    );
  }
  return run.elapsed < best.elapsed ? run : best;
}

async function measure(db, task, eager) {
  db.configure('eager', eager);
  await call(db, 'wait');

  const recording = record(db);
  const busyBefore = db.stats().sqliteBusyTime;
  const loopBefore = performance.eventLoopUtilization();
  const start = performance.now();
  const { queued, handled, rows, characters } = await execute(task);
  const elapsed = performance.now() - start;
  const { utilization } = performance.eventLoopUtilization(loopBefore);
  const sqliteBusy = db.stats().sqliteBusyTime - busyBefore;
  const timeline = recording.stop();

  return { elapsed, utilization, sqliteBusy, rows, characters, start, queued, handled, timeline };
}

/** Resolves when the last result has been used; `handled` says when each had been, `queued` when all had been queued. */
function execute(task) {
  return new Promise((resolve, reject) => {
    const outcome = { queued: 0, handled: [], rows: 0, characters: 0 };
    for (let i = 0; i < task.count; i++) {
      task.query(i, (error, rows) => {
        if (error) return reject(error);
        outcome.rows += rows.length;
        outcome.characters += task.use(rows, i).length;
        if (outcome.handled.push(performance.now()) === task.count) resolve(outcome);
      });
    }
    outcome.queued = performance.now();
  });
}

/** How long JavaScript was at work on results. */
export const eventLoopBusy = ({ timeline }) => timeline.eventLoop.reduce((sum, { start, end }) => sum + end - start, 0);
