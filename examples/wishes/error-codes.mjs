// Wish: extended error codes, while the primary ones stay what they are.
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
await db.exec('CREATE TABLE user (name TEXT NOT NULL UNIQUE); INSERT INTO user VALUES (1)');
for (const name of ['1', null]) {
  const error = await db.run('INSERT INTO user VALUES (?)', [name]).catch((error) => error);
  console.log(error.code, error.errno, error.extendedCode, error.extendedErrno);
}
// -> SQLITE_CONSTRAINT 19 SQLITE_CONSTRAINT_UNIQUE 2067
// -> SQLITE_CONSTRAINT 19 SQLITE_CONSTRAINT_NOTNULL 1299
await db.close();
