// Wish: promises natively, without a wrapper.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
await db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
const { lastID, changes } = await db.run('INSERT INTO note (text) VALUES (?)', ['hello']);
console.log(lastID, changes, await db.get('SELECT * FROM note')); // -> 1 1 { id: 1, text: 'hello' }
await db.close();
