// What the records of scripts/power-cut.mjs hold, for those who write and those who check them.

/** Records that are committed together. */
export const recordsOfTransaction = 5;

/** The text of a record: from some bytes to several pages, and different for each number. */
export function bodyOf(n) {
  return `record ${n} `.repeat(1 + ((n * 7919) % 400));
}
