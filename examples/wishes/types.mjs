// Wish: booleans and dates that come back as such, by the declared type of their column.
import { open, types } from 'sqlite-tandem/promises';

const db = await open(':memory:', { types: { BOOLEAN: types.boolean, DATETIME: types.date, JSON: types.json } });
await db.exec('CREATE TABLE task (done BOOLEAN, due DATETIME DEFAULT CURRENT_TIMESTAMP, tags JSON)');
await db.run('INSERT INTO task VALUES ($done, $due, $tags)', { done: true, due: new Date(0), tags: ['a', 'b'] });
console.log(await db.get('SELECT * FROM task'));
// -> { done: true, due: 1970-01-01T00:00:00.000Z, tags: [ 'a', 'b' ] }
await db.run('INSERT INTO task (done) VALUES (false)');
console.log((await db.get('SELECT due FROM task WHERE NOT done', [], { rowMode: 'value' })) instanceof Date); // -> true
await db.close();
