// Wish: WHERE x IN (?) with an array.
import { open, sql } from 'sqlite-tandem/promises';

const db = await open(':memory:');
await db.exec("CREATE TABLE user (id INTEGER, name TEXT); INSERT INTO user VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Cid')");
const value = { rowMode: 'value' };
console.log(await db.all(sql`SELECT name FROM user WHERE id IN ${[1, 3]}`, undefined, value)); // -> [ 'Ada', 'Cid' ]
console.log(await db.all('SELECT id FROM user WHERE name IN carray(?)', [['Bob', 'Eve']], value)); // -> [ 2 ]
console.log(await db.all(sql`SELECT name FROM user WHERE id NOT IN (${[]})`, undefined, value));
// -> [ 'Ada', 'Bob', 'Cid' ]
await db.close();
