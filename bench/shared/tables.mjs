// The tables that are read in full: their SQL, and for each row the values that SQL must have put into it.

// Every table has `id`, counted from 1, and `columns`: name -> [SQL expression of i, the same in JavaScript].
const ofId = ['i', (i) => i];
const words = (count) => `replace(hex(zeroblob(${count})), '00', 'ten chars ')`;
const repeated = (count) => 'ten chars '.repeat(count);

const kibibyteWords = 1_024;
const blobWords = 6_553;
const tenKilobytes = repeated(kibibyteWords);
const sixtyFourKilobytes = repeated(blobWords);

/** What most tables of most programs look like: seven columns of all types, names and addresses that are not ASCII. */
export const mixed = {
  id: ofId,
  name: ["'Żółć Müller ' || (i % 5000)", (i) => `Żółć Müller ${i % 5000}`],
  note: ["'Straße ' || i || ', 東京'", (i) => `Straße ${i}, 東京`],
  price: ['i / 8.0', (i) => i / 8],
  active: ['i % 2', (i) => i % 2],
  digest: ["CAST('digest of ' || i AS BLOB)", (i) => Buffer.from(`digest of ${i}`)],
  spare: ['NULL', () => null],
};

/** Texts of 10 KiB. Every other one is ASCII alone, the rest end in a word that is not. */
export const longTexts = {
  id: ofId,
  body: [
    `CASE i % 2 WHEN 0 THEN 'Text ' || i || ${words(kibibyteWords)} ELSE ${words(kibibyteWords)} || 'Straße ' || i END`,
    (i) => (i % 2 === 0 ? `Text ${i}${tenKilobytes}` : `${tenKilobytes}Straße ${i}`),
  ],
};

/** Blobs of 64 KiB. */
export const longBlobs = {
  id: ofId,
  content: [`CAST(i || ${words(blobWords)} AS BLOB)`, (i) => Buffer.from(i + sixtyFourKilobytes)],
};

/** Sixty columns: twenty integers, twenty short texts and twenty reals in turn. */
export const wide = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [
    [`integer_${n}`, [`i + ${n}`, (i) => i + n]],
    [`text_${n}`, [`'value ' || ((i + ${n}) % 1000)`, (i) => `value ${(i + n) % 1000}`]],
    [`real_${n}`, [`(i + ${n}) / 4.0`, (i) => (i + n) / 4]],
  ]).flat(),
);

export const numbers = { value: ['i * 3', (i) => i * 3] };

export const triples = {
  id: ofId,
  label: ["'label ' || (i % 1000)", (i) => `label ${i % 1000}`],
  price: ['i / 4.0', (i) => i / 4],
};

/** The SQL that creates the table `data` with `count` rows, all of it in one transaction. */
export function fillTable(columns, count) {
  const names = Object.keys(columns).join(', ');
  const values = Object.values(columns).map(([sql]) => sql);
  return `
    BEGIN;
    CREATE TABLE data (${names});
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO data SELECT ${values.join(', ')} FROM n;
    COMMIT;`;
}

export const selectAll = (columns) => `SELECT ${Object.keys(columns).join(', ')} FROM data`;

/** Throws unless `row` is the row that was inserted with the number `i`. */
export function checkRow(columns, row, i) {
  for (const [name, [, valueFor]] of Object.entries(columns)) {
    const expected = valueFor(i);
    const found = row[name];
    // Blobs arrive as Buffer here and as Uint8Array there.
    const same = Buffer.isBuffer(expected)
      ? found instanceof Uint8Array && expected.equals(found)
      : Object.is(found, expected);
    if (!same) throw new Error(`row ${i} has a wrong ${name}: ${String(found).slice(0, 80)}`);
  }
}

export function checkRows(columns, rows, count) {
  if (rows.length !== count) throw new Error(`${rows.length} rows instead of ${count}`);
  for (let i = 1; i <= count; i++) checkRow(columns, rows[i - 1], i);
}
