// Reads the reports of AddressSanitizer and its kin, and tells what concerns the addon from what Node leaves behind.
import { spawnSync } from 'node:child_process';

/**
 * The findings in the report of one process, as text, with the lines of the addon in place of addresses. A fault counts
 * wherever it was; a leak, when the addon had a part in the allocation.
 */
export function findingsIn(report, addon) {
  const faults = report.split(/^(?==+\d+==ERROR: )/m).filter((part) => isFault(part));
  const leaks = report
    .split(/\n\n/)
    .filter((part) => /^(Direct|Indirect) leak of /m.test(part))
    .filter((part) => part.includes(`(${addon}+0x`));
  return [...faults, ...leaks].map((part) => withLines(part.trim(), addon));
}

function isFault(part) {
  if (/^==+\d+==ERROR: LeakSanitizer: detected memory leaks/.test(part)) return false;
  return /^=+\d+==ERROR: /.test(part);
}

function withLines(text, addon) {
  return text.replace(/\((\S+)\+(0x[0-9a-f]+)\)/g, (frame, file, address) => {
    if (file !== addon) return frame;
    const { stdout, error } = spawnSync('addr2line', ['-Cfpe', addon, address], { encoding: 'utf8' });
    return error ? frame : stdout.trim();
  });
}
