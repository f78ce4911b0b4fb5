// How the demo writes numbers, tables and colours in the terminal.

/** 1234567 as 1,234,567. */
export const count = (value) => value.toLocaleString('en-US');

export const milliseconds = (value, digits = 1) => `${value.toFixed(digits)} ms`;

export const percent = (part, whole) => `${(whole === 0 ? 0 : (part / whole) * 100).toFixed(0)} %`;

export const timesAsFast = (before, after) => `${(before / after).toFixed(2)}x as fast`;

/** Lines of a table; the first column is aligned to the left, all others to the right. */
export function table(rows, indent = '   ') {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  const cell = (text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i]));
  return rows.map((row) => (indent + row.map(cell).join('   ')).trimEnd());
}

// Asked once: follows NO_COLOR and FORCE_COLOR, and is off when the output goes to a file.
const colored = process.stdout.isTTY === true && process.stdout.hasColors();
const painter = (code) => (text) => (colored ? `\u001B[${code}m${text}\u001B[0m` : text);

export const bold = painter('1');
export const dim = painter('2');
/** The colours of the two sides, the same in the terminal and in the SVG file. */
export const sqliteColor = painter('34');
export const eventLoopColor = painter('33');
