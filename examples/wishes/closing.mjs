// Wish: close() that copes with open statements.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
const statement = await db.prepare('SELECT 1 AS v UNION SELECT 2');
const rows = db.iterate('SELECT 1 AS v UNION SELECT 2');
await rows.next();
const last = statement.get();
await db.close();
console.log(await last); // -> { v: 1 }
console.log(await statement.get().catch(({ message }) => message)); // -> SQLITE_MISUSE: the database is closed
