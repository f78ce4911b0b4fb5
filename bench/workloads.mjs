// Finds the workloads: every file in workloads/ is one, and the name of the file is its name.
import { readdir } from 'node:fs/promises';

/*
 * A workload's default export:
 *   about     one line that says what is measured
 *   metrics   name -> { label, digits, better, ratio }; better is 'less' (when absent) or 'more', ratio is false where
 *             a ratio would say nothing
 *   callback  (binding, context) -> figures by metric, for the API of npm sqlite3; throws when a result is wrong
 *   promisified, promises   the same for two other ways to use our binding (see bindings.mjs), where that is of interest
 *   sync      the same for the API of better-sqlite3, or null where a synchronous binding has nothing to measure
 *   alone     the same for SQLite without a binding, driven by a C program (c/), where that is of interest
 *   rounds    the most rounds that are worth their time, where that is less than --rounds
 *   limit     how long a run may take at most, in minutes; 5 when absent
 * context: { name, that of the binding; directory, an empty one of the run's own; scaled(count), the count after --scale }.
 */
const directory = new URL('./workloads/', import.meta.url);
const ending = '.mjs';

export async function workloadNames() {
  const files = await readdir(directory);
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

export async function loadWorkload(name) {
  const { default: workload } = await import(new URL(name + ending, directory).href);
  return { name, ...workload };
}

/** Counts shrink or grow with --scale, and never to nothing. */
export const scaler = (scale) => (count) => Math.max(1, Math.round(count * scale));

/** The figures a run must deliver are those its workload declares, and finite numbers. */
export function checkFigures(workload, figures) {
  for (const [name, value] of Object.entries(figures)) {
    if (!(name in workload.metrics)) throw new Error(`${workload.name} delivered an undeclared metric: ${name}`);
    if (!Number.isFinite(value)) throw new Error(`${workload.name} delivered ${name} = ${value}`);
  }
  if (Object.keys(figures).length === 0) throw new Error(`${workload.name} delivered no figures`);
}
