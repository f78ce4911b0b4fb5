// Wish: named parameters without the prefix, and mistakes in them found.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
console.log(await db.get('SELECT $a AS a, :b AS b, @c AS c', { a: 1, b: 2, c: 3 })); // -> { a: 1, b: 2, c: 3 }
console.log(await db.get('SELECT $a AS a', { $a: 1 })); // -> { a: 1 }

const messageOf = (call) => call.catch(({ message }) => message.split('\n')[0]);
console.log(await messageOf(db.get('SELECT $a', {}))); // -> parameter $a has no value
console.log(await messageOf(db.get('SELECT $a', { a: 1, b: 2 }))); // -> there is no parameter b
console.log(await messageOf(db.get('SELECT $a', { a: undefined })));
// -> parameter $a is undefined; null would be bound as NULL
await db.close();
