// Recipe: load many rows. One transaction, one prepared statement, and many calls on their way at once.
import { open } from 'sqlite-tandem/promises';

const db = await open('load.db', { pragmas: { journal_mode: 'wal', synchronous: 'normal' } });
await db.exec('CREATE TABLE reading (sensor INTEGER, at INTEGER, value REAL)');

/** Where the rows come from: a file, a request, another database. */
async function* source(count) {
  for (let i = 0; i < count; i++) yield { sensor: i % 10, at: 1_700_000_000 + i, value: Math.sin(i) };
}

/** So many calls go on their way before the oldest of them must be through: it bounds the memory. */
const atOnce = 1000;

const loaded = await db.transaction(
  async (tx) => {
    const insert = await tx.prepare('INSERT INTO reading VALUES ($sensor, $at, $value)');
    let calls = [];
    let rows = 0;
    for await (const row of source(20_000)) {
      calls.push(insert.run(row));
      rows++;
      if (calls.length < atOnce) continue;
      await Promise.all(calls);
      calls = [];
    }
    await Promise.all(calls);
    return rows;
  },
  { mode: 'immediate' },
);
console.log(loaded, await db.get('SELECT count(*) AS n, count(DISTINCT sensor) AS sensors FROM reading'));
// -> 20000 { n: 20000, sensors: 10 }

// An error takes everything back: a load is there as a whole or not at all.
await db.exec('CREATE UNIQUE INDEX one_at_a_time ON reading (at)');
const again = db.transaction(async (tx) => {
  await tx.run('INSERT INTO reading VALUES (1, 1, 1)');
  await tx.run('INSERT INTO reading VALUES (2, 1, 2)');
});
console.log(await again.catch(({ extendedCode }) => extendedCode)); // -> SQLITE_CONSTRAINT_UNIQUE
console.log(await db.get('SELECT count(*) AS n FROM reading')); // -> { n: 20000 }
await db.close();
