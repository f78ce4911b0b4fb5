// Wish: 64-bit integers that are neither lost nor all bigints.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
await db.exec('CREATE TABLE message (id INTEGER PRIMARY KEY, likes INTEGER)');
await db.run('INSERT INTO message VALUES (?, ?)', [9007199254740993n, 5]);
console.log(await db.get('SELECT * FROM message')); // -> { id: 9007199254740993n, likes: 5 }
console.log(await db.get('SELECT * FROM message', [], { integers: 'bigint' }));
// -> { id: 9007199254740993n, likes: 5n }
await db.close();
