// The most memory that a stretch of work takes: resident, as the operating system counts it, above what was there before.
import { readFileSync, writeFileSync } from 'node:fs';

const kibibyte = 1_024;
export const megabyte = 1_000_000;

/**
 * Starts to watch; the returned function tells by how many MB the process's resident memory has exceeded, at its peak,
 * what it was at the start. A timer that looks now and then would not see it: a synchronous call lets no timer run, and
 * the peak can lie within one call of an addon.
 */
export function watchPeak() {
  const before = process.memoryUsage.rss();
  const peak = process.platform === 'linux' ? linuxPeak() : () => process.resourceUsage().maxRSS * kibibyte;
  return () => Math.max(0, peak() - before) / megabyte;
}

/** Linux can set its mark back to the present. Elsewhere the mark of everything before counts, preparations included. */
function linuxPeak() {
  writeFileSync('/proc/self/clear_refs', '5');
  return () => {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'));
    if (!found) throw new Error('/proc/self/status names no peak of resident memory');
    return Number(found[1]) * kibibyte;
  };
}
