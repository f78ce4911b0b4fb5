// Wish: SQLITE_BUSY handled by the library.
import { open } from 'sqlite-tandem/promises';

// Two connections stand for two processes.
const [one, two] = [await open('shared.db'), await open('shared.db')];
await one.exec('CREATE TABLE counter (n INTEGER); INSERT INTO counter VALUES (0)');

const increment = (db) =>
  db.transaction(
    async (tx) => {
      const { n } = await tx.get('SELECT n FROM counter');
      await new Promise((resolve) => setImmediate(resolve));
      await tx.run('UPDATE counter SET n = ?', [n + 1]);
    },
    // The lock is taken at the begin, so the library can wait for it, up to busyTimeout.
    { mode: 'immediate' },
  );

await Promise.all(Array.from({ length: 20 }, (_, i) => increment(i % 2 === 0 ? one : two)));
console.log(await one.get('SELECT n FROM counter')); // -> { n: 20 }
await Promise.all([one.close(), two.close()]);
