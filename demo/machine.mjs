// What else the machine does while the demo measures: two threads that work at once need two cores.

import { cpus } from 'node:os';

/** Begins to look; the function it returns says how many cores there are and how many of them others used. */
export function watchMachine() {
  const before = look();
  return () => {
    const after = look();
    const elapsed = after.time - before.time;
    const others = (after.busy - before.busy - (after.own - before.own)) / elapsed;
    return { cores: after.cores, others: Math.max(0, others) };
  };
}

function look() {
  const all = cpus();
  const busy = all.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const { user, system } = process.cpuUsage();
  return { cores: all.length, busy, own: (user + system) / 1_000, time: performance.now() };
}
