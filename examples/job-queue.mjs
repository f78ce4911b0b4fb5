// Recipe: a queue of jobs that several workers share, each with a connection of its own. No job is done twice.
import { open } from 'sqlite-tandem/promises';

const options = { pragmas: { journal_mode: 'wal', synchronous: 'normal' }, busyTimeout: 10_000 };
const queue = await open('jobs.db', options);
await queue.exec(`CREATE TABLE job (
  id INTEGER PRIMARY KEY, payload TEXT NOT NULL, worker TEXT, state TEXT NOT NULL DEFAULT 'waiting');
  CREATE INDEX waiting ON job (id) WHERE state = 'waiting'`);

await queue.transaction(async (tx) => {
  for (let i = 1; i <= 30; i++) await tx.run('INSERT INTO job (payload) VALUES (?)', [`job ${i}`]);
});

/** One statement takes a job: finding and marking it cannot be torn apart. */
const take = (db, worker) =>
  db.get(
    `UPDATE job SET state = 'running', worker = $worker
     WHERE id = (SELECT id FROM job WHERE state = 'waiting' ORDER BY id LIMIT 1) RETURNING id, payload`,
    { worker },
  );

async function work(worker) {
  const db = await open('jobs.db', options);
  let done = 0;
  for (let job = await take(db, worker); job !== undefined; job = await take(db, worker)) {
    // Here the work itself would be done.
    await db.run("UPDATE job SET state = 'done' WHERE id = ?", [job.id]);
    done++;
  }
  await db.close();
  return done;
}

const counts = await Promise.all(['a', 'b', 'c'].map(work));
console.log(counts.reduce((sum, count) => sum + count, 0)); // -> 30
console.log(await queue.all('SELECT state, count(*) AS n FROM job GROUP BY state')); // -> [ { state: 'done', n: 30 } ]
await queue.close();
