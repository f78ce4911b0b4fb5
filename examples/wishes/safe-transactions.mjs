// Wish: transactions on a shared connection into which the queries of other requests cannot slip.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
await db.exec('CREATE TABLE log (text TEXT)');

// One request begins a transaction, has to wait for something else, and then fails.
const failing = db.transaction(async (tx) => {
  await tx.run("INSERT INTO log VALUES ('from the transaction')");
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('roll back');
});
// Meanwhile another request writes. It waits for its turn, and its row is not rolled back with the others.
const other = db.run("INSERT INTO log VALUES ('from another request')");

console.log((await Promise.allSettled([failing, other])).map(({ status }) => status)); // -> [ 'rejected', 'fulfilled' ]
console.log(await db.all('SELECT text FROM log')); // -> [ { text: 'from another request' } ]
await db.close();
