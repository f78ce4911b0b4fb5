// How long a program waits for require() of a binding, and for its first database, with nothing of it loaded before.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../measure.mjs';

const processCount = 10;
const script = fileURLToPath(new URL('../shared/require-clock.mjs', import.meta.url));

/** Each process requires the binding once; the files are in the operating system's cache, as the worker has read them. */
async function measure(_binding, { name, scaled }) {
  const times = [];
  for (let i = 0; i < scaled(processCount); i++) {
    const { stdout } = await promisify(execFile)(process.execPath, [script, name]);
    times.push(JSON.parse(stdout));
  }
  const medianOf = (metric) => median(times.map((time) => time[metric]));
  return { required: medianOf('required'), ready: medianOf('ready') };
}

export default {
  about: 'require() of the binding and a first database in memory, in 10 new processes, files cached; medians',
  metrics: {
    required: { label: 'require(), ms', digits: 1 },
    ready: { label: 'require() to open database, ms', digits: 1 },
  },
  callback: measure,
  sync: measure,
};
