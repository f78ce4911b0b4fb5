// Wish: rows one by one with backpressure, and an early end that frees the connection.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
await db.exec('CREATE TABLE seen (v INTEGER)');
const endless = 'WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n) SELECT v FROM n';

for await (const v of db.iterate(endless, [], { rowMode: 'value' })) {
  // The cursor is parked meanwhile: other calls run, also writes.
  await db.run('INSERT INTO seen VALUES (?)', [v]);
  if (v === 500) break;
}
console.log(await db.get('SELECT count(*) AS n, max(v) AS last FROM seen')); // -> { n: 500, last: 500 }
await db.close();
