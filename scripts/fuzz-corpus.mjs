// Makes the seeds of the fuzz corpus, test/fuzz/corpus: node scripts/fuzz-corpus.mjs. Requests are written by the
// library's own writer, database files by the library itself; what a fuzzer found is kept beside them by hand.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const require = createRequire(import.meta.url);
const sqlite3 = require('../lib/index.js');
const { layout } = require('../lib/native/layout.js');
const { writeParameters } = require('../lib/request/parameters.js');
const { Writer } = require('../lib/request/writer.js');

const corpus = join(root, 'test/fuzz/corpus');
const temporary = mkdtempSync(join(tmpdir(), 'sqlite-tandem-corpus-'));
for (const folder of ['requests', 'databases']) mkdirSync(join(corpus, folder), { recursive: true });
try {
  makeRequests();
  await makeDatabases();
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

function makeRequests() {
  const text = (value) => (writer) => writer.terminatedText(value);
  /** A body of numbers, then texts. */
  const body =
    (numbers, ...texts) =>
    (writer) => {
      for (const number of numbers) writer.uint32(number);
      for (const each of texts) writer.terminatedText(each);
    };
  const open = (name, mode = 6) => [layout.operationOpen, 0, 0, body([mode], name)];
  const exec = (sql) => [layout.operationExec, 0, 0, text(sql)];
  const prepare = (id, sql, flags = 0) => [layout.operationPrepare, flags, id, text(sql)];
  const execute = (operation, id, values = [], flags = 0) => [
    operation,
    flags,
    id,
    (writer) => writeParameters(writer, values, values.length),
  ];
  const finalize = (id) => [layout.operationFinalize, layout.requestQuiet, id];
  const configure = (option, value, id = 0) => [
    layout.operationConfigure,
    0,
    0,
    (writer) => {
      body([option, id])(writer);
      writer.double(value);
    },
  ];
  const close = [layout.operationClose, 0, 0];
  const table = exec("create table t(a, b, c); insert into t values(1, 2.5, null), (2, x'00', '\u00e9')");
  const backup = [layout.operationBackupInit, 0, 7, body([1], '/copy', 'main', 'main')];
  const step = [layout.operationBackupStep, 0, 7, body([1, 2, 5, 6])];
  const seeds = {
    everything: [
      open(':memory:'),
      table,
      prepare(1, 'insert into t values(?, :b, $c)'),
      execute(layout.operationRun, 1, [{ 1: 1, ':b': 'text', $c: Buffer.from('blob') }]),
      execute(layout.operationBind, 1, [1, -0.5, 2n ** 62n]),
      execute(layout.operationRun, 1),
      finalize(1),
      prepare(2, 'select * from t where a > ?', layout.requestQuiet),
      execute(layout.operationGet, 2, [0]),
      execute(layout.operationGet, 2),
      [layout.operationReset, 0, 2],
      execute(layout.operationAll, 2, [null]),
      execute(layout.operationEach, 2, ['x']),
      finalize(2),
      [layout.operationWait, 0, 0],
      close,
    ],
    options: [
      open('/shared'),
      ...[layout.optionTrace, layout.optionProfile, layout.optionChange].map((option) => configure(option, 1)),
      ...[layout.integersNumber, layout.integersBigint, layout.integersMixed].map((mode) =>
        configure(layout.optionIntegers, mode),
      ),
      table,
      configure(layout.optionBusyTimeout, 5),
      configure(layout.optionLimit, 100, sqlite3.LIMIT_LENGTH),
      configure(layout.optionHighWaterMark, 100),
      configure(layout.optionEager, 0),
      prepare(1, 'update t set a = a + 1 returning *', layout.requestOneShot),
      execute(layout.operationGet, 1, [], layout.requestOneShot),
      finalize(1),
      close,
    ],
    backup: [open('/shared'), table, backup, step, step, [layout.operationBackupFinish, 0, 7], close],
    restore: [
      open('/shared'),
      table,
      [backup[0], 0, 7, body([0], '/x', 'main', 'main')],
      step,
      exec('select 1'),
      step,
      close,
    ],
    failures: [
      open('/missing', 2),
      prepare(1, 'select 1'),
      execute(layout.operationGet, 1),
      [layout.operationLoadExtension, 0, 0, text('extension')],
      exec('syntax error'),
      close,
    ],
    'text-without-end': [open(':memory:'), [layout.operationExec, 0, 0, body([4, 0x2d2d2d2d])]],
    'number-beyond-all': [open(':memory:'), prepare(0xffffffff, 'select 1'), prepare(0xc0000000, 'select 1')],
    'opened-twice': [open(':memory:'), open(':memory:'), close],
    'odd-options': [
      open(':memory:'),
      ...[1, 2, 4, 8].map((option) => configure(option, Number.NaN)),
      configure(4, 1e300),
    ],
    pragma: [
      open(':memory:'),
      prepare(1, 'pragma busy_timeout = 50'),
      execute(layout.operationAll, 1),
      exec("pragma journal_mode; attach 'file:y?mode=memory' as y; vacuum into '/z'; detach y"),
      [layout.operationLoadExtension, 0, 0, text('extension')],
      finalize(1),
    ],
  };
  for (const [name, records] of Object.entries(seeds)) {
    const writer = new Writer();
    records.forEach(([operation, flags, statement, write], i) => {
      const start = writer.begin(operation, flags, statement);
      write?.(writer);
      writer.end(start, i + 1);
    });
    writeFileSync(join(corpus, 'requests', name), writer.bytes.subarray(0, writer.length));
  }
}

async function makeDatabases() {
  const file = (name) => join(temporary, name);
  const pieces = `
    create table t(a integer primary key, b text, c blob);
    insert into t values(1, 'one', x'01'), (2, 'two', zeroblob(900)), (3, null, 3.5);
    create index i on t(b);
    create table w(k text primary key, v) without rowid;
    insert into w values('a', 1), ('b', 9007199254740993);
    create view v as select a, b from t where a > 1;
    create trigger g after insert on t begin update w set v = v + 1; end;`;
  const full = `${pieces}
    create virtual table f using fts5(x); insert into f values('a b c'), ('a d');
    create virtual table r using rtree(id, x0, x1); insert into r values(1, 0, 1), (2, 3, 4);`;
  const plain = await made(file('plain'), `pragma page_size = 512; ${pieces}`);
  const modules = await made(file('full'), `pragma page_size = 512; ${full}`);
  const utf16 = await made(file('utf16'), `pragma page_size = 512; pragma encoding = 'UTF-16le'; ${pieces}`);
  const vacuums = await made(
    file('vacuums'),
    `pragma page_size = 512; pragma auto_vacuum = incremental; ${pieces}; delete from t where a = 2`,
  );
  const hostile = await made(
    file('hostile'),
    `pragma page_size = 512; ${pieces}
     create view n as with recursive n(x) as (select 1 union all select x + 1 from n where x < 300) select x from n;
     create view z as select zeroblob(900000000), load_extension('x'), writefile('x', 'y') from t;
     create table d(a default (randomblob(100)), b as (upper(a)) stored, c check (length(a) > 3));`,
  );
  const wal = await unfinished(file('wal'), 'pragma journal_mode = wal', '-wal');
  const journal = await unfinished(file('journal'), 'pragma cache_size = 1; pragma cache_spill = 1; begin', '-journal');
  const nothing = Buffer.alloc(0);
  const seeds = { plain, modules, utf16, vacuums, hostile };
  for (const [name, bytes] of Object.entries(seeds)) save(name, bytes, nothing, 0);
  save('untrusted', hostile, nothing, 4);
  save('rolled-back', modules, nothing, 8);
  save('wal', wal[0], wal[1], 1);
  save('journal', journal[0], journal[1], 2);
  save('empty', nothing, nothing, 0);
  for (const length of [50, 511, 512, 1000, plain.length - 512]) {
    save(`truncated-${length}`, plain.subarray(0, length), nothing, 0);
  }
  const random = generator(7);
  for (const [name, bytes] of [
    ['plain', plain],
    ['modules', modules],
    ['hostile', hostile],
  ]) {
    for (let round = 0; round < 3; round++)
      save(`flipped-${name}-${round}`, flipped(bytes, random), nothing, round * 4);
  }
  save('flipped-wal', wal[0], flipped(wal[1], random), 1);
  save('flipped-journal', journal[0], flipped(journal[1], random), 2);
}

/** The file that a script makes. */
async function made(name, script) {
  const db = await opened(name);
  await call(db, 'exec', script);
  await call(db, 'close');
  return readFileSync(name);
}

/** A database in the middle of its work, and the file beside it. */
async function unfinished(name, first, ending) {
  await made(name, 'pragma page_size = 512; create table t(a integer primary key, b); create index i on t(b)');
  const db = await opened(name);
  const rows =
    'with recursive n(v) as (select 1 union all select v + 1 from n where v < 40) select null, v || hex(v) from n';
  await call(db, 'exec', `${first}; insert into t ${rows}`);
  const files = [readFileSync(name), readFileSync(name + ending)];
  await call(db, 'exec', 'rollback').catch(() => undefined);
  await call(db, 'close');
  return files;
}

function save(name, database, beside, choices) {
  const end = Buffer.alloc(5);
  end.writeUInt32LE(beside.length);
  end.writeUInt8(choices, 4);
  writeFileSync(join(corpus, 'databases', name), Buffer.concat([database, beside, end]));
}

/** A copy with 20 of its bits changed. */
function flipped(bytes, random) {
  const copy = Buffer.from(bytes);
  for (let i = 0; i < 20; i++) copy[random(copy.length)] ^= 1 << random(8);
  return copy;
}

/** Numbers below a limit, the same in every run. */
function generator(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function opened(name) {
  return new Promise((done, failed) => {
    const db = new sqlite3.Database(name, (error) => (error ? failed(error) : done(db)));
  });
}

function call(db, method, ...args) {
  return new Promise((done, failed) => {
    db[method](...args, (error) => (error ? failed(error) : done()));
  });
}
