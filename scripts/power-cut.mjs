// Kills a writing process at random moments and looks for what it had reported as committed:
// node scripts/power-cut.mjs [rounds]. Each round goes on with the file of an earlier one, in one of four journal modes,
// with synchronous FULL. A killed process is not a lost disk cache: test/core/power_test.cc cuts that power.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bodyOf, recordsOfTransaction } from './power-cut-records.mjs';

const { Database } = createRequire(import.meta.url)('../lib/index.js');
const writer = resolve(fileURLToPath(import.meta.url), '../power-cut-writer.mjs');
const journals = ['delete', 'wal', 'truncate', 'persist'];
const kinds = ['alone', 'transactions'];

const rounds = Number(process.argv[2] ?? 200);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('power-cut: the number of rounds is a whole number.');

const folder = mkdtempSync(join(tmpdir(), 'sqlite-tandem-power-cut-'));
const total = { reported: 0, unreported: 0, unfinished: 0, idle: 0 };
/** The number of the last record in each file. */
const last = new Map(journals.map((journal) => [journal, 0]));

// Ctrl+C ends it after the round, with what was seen so far.
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopping = true;
  });
}

let round = 0;
for (; round < rounds && !stopping; round += 1) {
  const journal = journals[round % journals.length];
  const kind = kinds[Math.floor(round / journals.length) % kinds.length];
  await cut(journal, kind);
}
for (const journal of journals) await inspectAll(journal);
rmSync(folder, { recursive: true });
console.log(
  `power-cut: ${round} kills, ${total.unfinished} of them with a journal or WAL to recover and ${total.idle} before ` +
    `the first report; ${total.reported} records reported, 0 lost; ${total.unreported} more were committed and not ` +
    'yet reported; integrity_check ok each time.',
);

/** One round: a process that writes, its end, and what is in the file then. */
async function cut(journal, kind) {
  const file = join(folder, `${journal}.db`);
  const before = last.get(journal);
  const reported = await killed(file, journal, kind, before + 1);
  if (isUnfinished(file)) total.unfinished += 1;
  if (reported === undefined) total.idle += 1;
  const wanted = reported ?? before;
  const found = await inspect(file, before, kind);
  if (found < wanted) fail(`${journal}, ${kind}: ${wanted} was reported, and ${found} is the last one`);
  total.reported += wanted - before;
  total.unreported += found - wanted;
  last.set(journal, found);
}

/** Whether the next one to open the file has something to recover: frames in the WAL, or a journal with its header. */
function isUnfinished(file) {
  const [wal, journal] = ['wal', 'journal'].map((ending) => {
    return existsSync(`${file}-${ending}`) ? readFileSync(`${file}-${ending}`) : Buffer.alloc(0);
  });
  return wal.length > 0 || journal.subarray(0, 8).some((byte) => byte !== 0);
}

/** Starts a writer, kills it at a random moment, and resolves with the last number it has reported, if any. */
async function killed(file, journal, kind, first) {
  const child = spawn(process.execPath, [writer, file, journal, kind, String(first)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  // Some time after a random report: in the middle of whatever happens then. Some do not get that far.
  const patience = Math.floor(Math.random() * 60);
  if (patience < 4) setTimeout(kill, Math.random() * 150);
  let reports = 0;
  let reported;
  createInterface({ input: child.stdout }).on('line', (line) => {
    reported = Number(line);
    reports += 1;
    if (reports === patience) setTimeout(kill, Math.random() * 10);
  });
  const [code, signal] = await once(child, 'close');
  if (signal !== 'SIGKILL') fail(`the writer ended by itself (${signal ?? `exit code ${code}`})`);
  return reported;
}

/** Checks the records behind `before`, and resolves with the number of the last one. */
async function inspect(file, before, kind) {
  const db = new Database(file);
  await call(db, 'exec', 'create table if not exists record(n integer primary key, body text not null)');
  const { integrity_check: integrity } = await call(db, 'get', 'pragma integrity_check');
  if (integrity !== 'ok') fail(`${file}: ${integrity}`);
  const rows = await call(db, 'all', 'select n, body from record where n > ? order by n', before);
  let n = before;
  for (const row of rows) {
    n += 1;
    if (row.n !== n) fail(`${file}: record ${n} is missing`);
    if (row.body !== bodyOf(n)) fail(`${file}: record ${n} is damaged`);
  }
  if (kind === 'transactions' && (n - before) % recordsOfTransaction !== 0) fail(`${file}: half a transaction`);
  const { count } = await call(db, 'get', 'select count(*) as count from record');
  if (count !== n) fail(`${file}: ${count} records, not ${n}`);
  await call(db, 'close');
  return n;
}

/** Checks every record of a file once more. */
async function inspectAll(journal) {
  const found = await inspect(join(folder, `${journal}.db`), 0, 'alone');
  if (found !== last.get(journal)) fail(`${journal}: ${found} records at the end, not ${last.get(journal)}`);
}

function call(db, method, ...args) {
  return new Promise((done, failed) => {
    db[method](...args, (error, result) => (error ? failed(error) : done(result)));
  });
}

function fail(text) {
  console.error(`power-cut: ${text}. The files are in ${folder}.`);
  process.exit(1);
}
