// The script this project began with: a thousand SELECTs queued at once, each result made JSON.

import sqlite3 from 'sqlite-tandem';
import { call, compare } from './measure.mjs';

const textCount = 2_000;
const groupCount = 500;

export async function origin(scale) {
  const db = new sqlite3.Database(':memory:');
  await call(db, 'exec', 'CREATE TABLE lorem (text TEXT)');
  const insert = db.prepare('INSERT INTO lorem VALUES (?)');
  for (let i = 1; i <= textCount; i++) insert.run(`Ipsum ${i}`);
  await call(insert, 'finalize');

  const select = db.prepare(`SELECT max(rowid) AS id, max(text) AS text FROM lorem GROUP BY rowid % ${groupCount}`);
  const result = await compare(db, {
    count: Math.ceil(1_000 * scale),
    query: (_, callback) => select.all(callback),
    use: (rows) => JSON.stringify(rows),
  });

  await call(select, 'finalize');
  await call(db, 'close');
  return result;
}
