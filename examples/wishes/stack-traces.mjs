// Wish: useful stack traces in errors, without a mode that makes every call slower.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');

async function findUser(id) {
  return await db.get('SELECT * FROM user WHERE id = ?', [id]);
}

async function showUser() {
  console.log(await findUser(1));
}

try {
  await showUser();
} catch (error) {
  console.log(error.message); // -> SQLITE_ERROR: no such table: user
  console.log(error.stack.match(/at async \w+User/g)); // -> [ 'at async findUser', 'at async showUser' ]
}
await db.close();
