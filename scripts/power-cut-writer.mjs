// The victim of scripts/power-cut.mjs: writes numbered records for ever, and reports each once its commit was answered.
// node scripts/power-cut-writer.mjs <file> <journal mode> <alone | transactions> <first number>
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bodyOf, recordsOfTransaction } from './power-cut-records.mjs';

const { Database } = createRequire(import.meta.url)('../lib/index.js');
const [file, journal, kind, first] = process.argv.slice(2);
/** Calls that are queued at the same time. */
const queued = 24;

// Nobody is left to kill it.
process.stdin.on('end', () => process.exit(3)).resume();

const db = new Database(file);
db.exec(`pragma synchronous = full; pragma journal_mode = ${journal}; pragma wal_autocheckpoint = 50`, rethrow);
db.exec('create table if not exists record(n integer primary key, body text not null)', rethrow);
const insert = db.prepare('insert into record values(?, ?)');
let next = Number(first);
if (kind === 'alone') {
  for (let at = 0; at < queued; at += 1) writeAlone();
} else {
  for (let at = 0; at < queued; at += 2 * recordsOfTransaction) writeTransaction();
}

function writeAlone() {
  const n = next++;
  insert.run(n, bodyOf(n), (error) => {
    rethrow(error);
    report(n);
    writeAlone();
  });
}

function writeTransaction() {
  const start = next;
  next += recordsOfTransaction;
  db.exec('begin immediate', rethrow);
  for (let n = start; n < start + recordsOfTransaction; n += 1) insert.run(n, bodyOf(n), rethrow);
  db.exec('commit', (error) => {
    rethrow(error);
    report(start + recordsOfTransaction - 1);
    writeTransaction();
  });
}

/** All up to this number are committed. Synchronous, so that it has left this process when it returns. */
function report(n) {
  writeSync(1, `${n}\n`);
}

function rethrow(error) {
  if (error) throw error;
}
