// Wish: an async function inside a transaction, with nested ones, and mistakes that are told.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
await db.exec('CREATE TABLE item (name TEXT UNIQUE)');

const added = await db.transaction(async (tx) => {
  let added = 0;
  for (const name of ['a', 'b', 'a', 'c']) {
    // A nested transaction is a savepoint: it fails alone.
    await tx
      .transaction((inner) => inner.run('INSERT INTO item VALUES (?)', [name]))
      .then(
        () => added++,
        () => {},
      );
  }
  return added;
});
console.log(added, await db.all('SELECT name FROM item', [], { rowMode: 'value' })); // -> 3 [ 'a', 'b', 'c' ]

// A forgotten await, and the database inside its own transaction: both are errors, and everything is rolled back.
const forgotten = db.transaction(async (tx) => {
  tx.run('DELETE FROM item');
});
console.log(await forgotten.catch(({ message }) => message.includes('an await is missing'))); // -> true
const inside = db.transaction(() => db.run('DELETE FROM item'));
console.log(await inside.catch(({ message }) => message.includes('inside its own transaction'))); // -> true
console.log(await db.get('SELECT count(*) AS n FROM item')); // -> { n: 3 }
await db.close();
