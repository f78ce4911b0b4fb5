// Wish: to cancel one query, or give it a time limit, and not the whole connection.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
const endless = 'WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n) SELECT max(v) FROM n';
const controller = new AbortController();
const calls = [
  db.get('SELECT 1 AS v'),
  db.get(endless, [], { signal: controller.signal }),
  db.get('SELECT 2 AS v'),
  db.get(endless, [], { timeout: 10 }),
  db.get('SELECT 3 AS v'),
];
controller.abort();
const ends = await Promise.allSettled(calls);
console.log(ends.map(({ value, reason }) => value?.v ?? reason.name)); // -> [ 1, 'AbortError', 2, 'TimeoutError', 3 ]
await db.close();
