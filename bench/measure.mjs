// Takes times and the event loop's share of them, and turns many samples into few numbers.
import { performance } from 'node:perf_hooks';

let lastSpan;

/** When the last clock started and was stopped, in microseconds of the system's steady clock; a profile needs it. */
export const measuredSpan = () => lastSpan;
const microseconds = () => Number(process.hrtime.bigint() / 1_000n);

/**
 * Starts a clock; the returned function stops it. Times are in milliseconds. `processorTime` is that of all threads of
 * the process, and the figure that suffers least when other programs keep the machine busy.
 */
export function startClock() {
  const processor = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  // Node.js reports zeros until the event loop has begun its first turn, and the difference would mean nothing.
  if (loop.active === 0 && loop.idle === 0) throw new Error('the event loop has not started yet');
  const from = microseconds();
  const start = performance.now();
  return () => {
    const elapsed = performance.now() - start;
    const { active, utilization } = performance.eventLoopUtilization(loop);
    const { user, system } = process.cpuUsage(processor);
    const processorTime = (user + system) / 1_000;
    lastSpan = { from, to: microseconds() };
    return { elapsed, processorTime, loopTime: active, loopShare: active / elapsed, utilization };
  };
}

export const ascending = (values) => [...values].sort((a, b) => a - b);

export function median(values) {
  const sorted = ascending(values);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The smallest sample that at least `percent` per cent of all samples do not exceed (nearest rank). */
export function percentile(values, percent) {
  const sorted = ascending(values);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

export function summary(values) {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values), values };
}
