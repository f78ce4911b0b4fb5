// Eight processes on one WAL file: node scripts/many-processes.mjs [transactions] [--rival]. Five write, three read. Fails
// when a transaction is lost or anybody gets nothing done; prints how long calls waited, with --rival also for sqlite3
// (npm run bench installs it).
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const script = fileURLToPath(import.meta.url);
const root = resolve(script, '../..');
const require = createRequire(import.meta.url);
const libraries = { 'sqlite-tandem': join(root, 'lib/index.js'), sqlite3: join(root, 'bench/node_modules/sqlite3') };
const [writers, readers] = [5, 3];
/** Longer than any wait that is not starvation; whoever waits for it in vain gets SQLITE_BUSY and fails the run. */
const patience = 120_000;

if (process.send === undefined) {
  const { values: given, positionals } = parseArgs({
    options: { rival: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const transactions = Number(positionals[0] ?? 500);
  try {
    // In turns, since what else the machine does changes with time.
    const runs = given.rival ? ['sqlite-tandem', 'sqlite3', 'sqlite3', 'sqlite-tandem'] : ['sqlite-tandem'];
    for (const library of runs) await compete(library, transactions);
  } catch (error) {
    console.error(`many-processes: ${error.message}`);
    process.exitCode = 1;
  }
} else {
  process.once('message', (task) => work(task));
}

// --- the parent -------------------------------------------------------------------------------------------------------

/** One run with one library. */
async function compete(library, transactions) {
  if (!existsSync(libraries[library])) throw new Error(`${library} is not installed: npm run bench does that.`);
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-tandem-processes-'));
  try {
    const file = join(folder, 'shared.db');
    const db = await open(library, file);
    await call(db, 'exec', 'pragma journal_mode = wal; create table counter(n); insert into counter values(0)');
    await call(db, 'exec', 'create table log(writer, n, primary key (writer, n)) without rowid');
    const started = performance.now();
    const results = await everyone(library, file, transactions);
    const seconds = (performance.now() - started) / 1000;
    await verify(db, transactions);
    await call(db, 'close');
    report(library, transactions, seconds, results);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What each process has measured. Readers go on until the last writer is done. */
async function everyone(library, file, transactions) {
  const children = Array.from({ length: writers + readers }, () => fork(script, { execArgv: [] }));
  try {
    const results = children.map(
      (child, i) =>
        new Promise((done, failed) => {
          child.once('message', (result) => (result.error ? failed(new Error(result.error)) : done(result)));
          child.once('error', failed);
          child.once('exit', (code, signal) =>
            failed(new Error(`process ${i} ended (${signal ?? code}) without a word`)),
          );
        }),
    );
    children.forEach((child, i) => {
      child.send({ library, file, transactions, writer: i < writers ? i : undefined });
    });
    await Promise.all(results.slice(0, writers));
    for (const child of children.slice(writers)) child.send('end');
    return await Promise.all(results);
  } finally {
    for (const child of children) child.kill();
  }
}

/** Nothing is lost, nothing is there twice, and the file is whole. */
async function verify(db, transactions) {
  const expected = writers * transactions;
  const { n } = await call(db, 'get', 'select n from counter');
  if (n !== expected) throw new Error(`the counter is ${n}, not ${expected}`);
  const rows = await call(db, 'all', 'select writer, count(*) as count, max(n) as last from log group by writer');
  const whole = rows.length === writers && rows.every(({ count, last }) => count === transactions && last === count);
  if (!whole) throw new Error(`the log is ${JSON.stringify(rows)}`);
  const { integrity_check: check } = await call(db, 'get', 'pragma integrity_check');
  if (check !== 'ok') throw new Error(`integrity_check says ${check}`);
}

function report(library, transactions, seconds, results) {
  const text = (waits) => {
    const sorted = waits.toSorted((a, b) => a - b);
    const at = (part) => `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1)} ms`;
    return `${sorted.length} (least by one process %), median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`;
  };
  for (const [what, some] of [
    ['transactions', results.slice(0, writers)],
    ['reads', results.slice(writers)],
  ]) {
    const least = Math.min(...some.map(({ waits }) => waits.length));
    if (least === 0) throw new Error(`${library}: a process got no ${what} done`);
    console.log(`${library}: ${what} ${text(some.flatMap(({ waits }) => waits)).replace('%', String(least))}`);
  }
  const ended = results.slice(0, writers).map((result) => `${(result.milliseconds / 1000).toFixed(1)} s`);
  console.log(
    `${library}: nothing lost of ${writers} x ${transactions}, in ${seconds.toFixed(1)} s; writers took ${ended.join(', ')}`,
  );
}

// --- the processes ----------------------------------------------------------------------------------------------------

async function work({ library, file, transactions, writer }) {
  try {
    const db = await open(library, file);
    const started = performance.now();
    const waits = writer === undefined ? await read(db) : await write(db, writer, transactions);
    await call(db, 'close');
    process.send({ waits, milliseconds: performance.now() - started }, () => process.disconnect());
  } catch (error) {
    process.send({ error: `${writer === undefined ? 'a reader' : `writer ${writer}`}: ${error.message}` });
  }
}

/** The wait for the lock and the work of each transaction, in milliseconds. */
async function write(db, writer, transactions) {
  const waits = [];
  for (let n = 1; n <= transactions; n++) {
    const started = performance.now();
    await call(db, 'exec', 'begin immediate');
    await call(db, 'run', 'update counter set n = n + 1');
    await call(db, 'run', 'insert into log values(?, ?)', writer, n);
    await call(db, 'exec', 'commit');
    waits.push(performance.now() - started);
  }
  return waits;
}

/** Each read sees the state after whole transactions, and never an earlier one than the last read. */
async function read(db) {
  const waits = [];
  let ended = false;
  process.once('message', () => {
    ended = true;
  });
  for (let last = 0; !ended || waits.length === 0; ) {
    const started = performance.now();
    const { n, count } = await call(db, 'get', 'select n, (select count(*) from log) as count from counter');
    waits.push(performance.now() - started);
    if (n !== count) throw new Error(`half of a transaction: ${n} and ${count}`);
    if (n < last) throw new Error(`${n} after ${last}`);
    last = n;
  }
  return waits;
}

function open(library, file) {
  const { Database } = require(libraries[library]);
  return new Promise((done, failed) => {
    const db = new Database(file, (error) => (error ? failed(error) : done(db)));
    db.configure('busyTimeout', patience);
  });
}

function call(db, method, ...args) {
  return new Promise((done, failed) => {
    db[method](...args, (error, value) => (error ? failed(error) : done(value)));
  });
}
