// Wish: columns of the same name, rows as arrays, and what the columns are.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
await db.exec(`
  CREATE TABLE a (id INTEGER, name VARCHAR(20)); INSERT INTO a VALUES (1, 'x');
  CREATE TABLE b (id INTEGER); INSERT INTO b VALUES (2)`);
const statement = await db.prepare('SELECT * FROM a, b', { rowMode: 'array' });
console.log(await statement.all()); // -> [ [ 1, 'x', 2 ] ]
console.log((await statement.columns()).map(({ table, column, type }) => `${table}.${column} ${type}`));
// -> [ 'a.id INTEGER', 'a.name VARCHAR(20)', 'b.id INTEGER' ]
await db.close();
