// The child process: probes one binding, runs one workload on it once, takes one point of a curve, or draws a
// timeline; prints one line of JSON.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { apiOf, load, probe } from './bindings.mjs';
import { measuredSpan } from './measure.mjs';
import { growthPoint } from './shared/growth-series.mjs';
import { timeline } from './timeline.mjs';
import { checkFigures, loadWorkload, scaler } from './workloads.mjs';

async function runWorkload(bindingName, workloadName, directory, scale) {
  const workload = await loadWorkload(workloadName);
  const binding = load(bindingName);
  // The event loop's clock only runs once the loop has begun its first turn.
  await nextTurn();
  const context = { name: bindingName, directory, scaled: scaler(Number(scale)) };
  const figures = await workload[apiOf(bindingName)](binding, context);
  checkFigures(workload, figures);
  return figures;
}

/** Runs a workload for its profile, and says which part of it the figures are about. */
async function runProfiled(...args) {
  await runWorkload(...args);
  return measuredSpan();
}

/** One point of a curve of growth, in ms. */
async function grow(bindingName, directory, seriesName, size) {
  return growthPoint(apiOf(bindingName), load(bindingName), directory, seriesName, Number(size));
}

const [task, ...rest] = process.argv.slice(2);
try {
  const answer = await { probe, run: runWorkload, profiled: runProfiled, grow, timeline }[task](...rest);
  // No process.exit() here: a binding that keeps the process alive after close() is to be noticed.
  process.stdout.write(`${JSON.stringify(answer)}\n`);
} catch (error) {
  process.stderr.write(`${error?.stack ?? error}\n`);
  // A failed workload may leave thousands of queued requests behind; nothing they could say matters any more.
  process.exit(1);
}
