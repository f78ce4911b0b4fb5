// Recipe: export a large table as lines of JSON. Rows are fetched as fast as the file takes them, never all at once.
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { open } from 'sqlite-tandem/promises';

const db = await open(':memory:');
await db.exec(`
  CREATE TABLE event (id INTEGER PRIMARY KEY, text TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
  INSERT INTO event SELECT i, 'event ' || i FROM n`);

async function* toLines(rows) {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

const rows = db.iterate('SELECT * FROM event ORDER BY id');
const exporting = pipeline(Readable.from(rows), toLines, createWriteStream('events.jsonl'));

// The connection is free between two chunks: others need not wait for the end of the export.
console.log(await db.get('SELECT count(*) AS n FROM event')); // -> { n: 50000 }
await exporting;

const lines = (await readFile('events.jsonl', 'utf8')).trimEnd().split('\n');
console.log(lines.length, lines.at(-1)); // -> 50000 {"id":50000,"text":"event 50000"}
await db.close();
