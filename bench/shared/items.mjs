// The table behind the point reads and the inserts: its SQL, its values, and how a result is checked.

export const rowCount = 100_000;
const labelCount = 1_000;

// Set by hand because the bindings are compiled with different defaults: with those, two of them would use a page
// cache of 2 MB and one of 16 MB, and one would sync less often than the others.
export const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -16000;`;

export const createTable = `
  CREATE TABLE item (
    id INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    amount INTEGER NOT NULL,
    price REAL NOT NULL
  );`;

export const fillTable = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
  INSERT INTO item SELECT i, 'item number ' || (i % ${labelCount}), i % 1000, i / 4.0 FROM n;`;

export const selectByKey = 'SELECT id, label, price FROM item WHERE id = ?';
export const insertItem = 'INSERT INTO item (label, amount, price) VALUES (?, ?, ?)';
export const totals = `
  SELECT count(*) AS items, sum(id) AS ids, sum(length(label)) AS letters, sum(amount) AS amounts, sum(price) AS prices
  FROM item`;

// Made before the clock starts, so that checking a row costs a comparison and not the making of a string; and only a
// thousand of them, because a hundred thousand young strings cost the garbage collector 20 ms in mid-measurement.
const labels = Array.from({ length: labelCount }, (_, remainder) => `item number ${remainder}`);
export const labelOf = (id) => labels[id % labelCount];
export const amountOf = (id) => id % 1000;
export const priceOf = (id) => id / 4;

// The step has no factor in common with the number of rows: every key comes once before one comes twice.
export const keyAt = (index) => ((index * 7919) % rowCount) + 1;

export function checkItem(row, id) {
  if (row?.id !== id || row.label !== labelOf(id) || row.price !== priceOf(id)) {
    throw new Error(`wrong row for id ${id}: ${JSON.stringify(row)}`);
  }
}

/** Compares what the table holds with what inserting the ids 1 to `count` must have left in it. */
export function checkTotals(found, count) {
  const expected = { items: count, ids: 0, letters: 0, amounts: 0, prices: 0 };
  for (let id = 1; id <= count; id++) {
    expected.ids += id;
    expected.letters += labelOf(id).length;
    expected.amounts += amountOf(id);
    expected.prices += priceOf(id);
  }
  for (const [name, value] of Object.entries(expected)) {
    if (found[name] !== value) throw new Error(`the table's ${name} is ${found[name]} instead of ${value}`);
  }
}
