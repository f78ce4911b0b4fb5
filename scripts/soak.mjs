// Mixed work with random faults on eight connections: node scripts/soak.mjs [minutes] [--operations n] [--seed n]. Every
// answer is checked against a model. Prints memory, handles and threads, and fails when one of them grows steadily.
// With --operations it ends after so many of them, however long that takes.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { growth } from './growth.mjs';
import { Owner, Reader } from './soak-connections.mjs';
import { PromiseOwner, PromiseReader } from './soak-promises.mjs';

const { values: given, positionals } = parseArgs({
  options: { operations: { type: 'string' }, seed: { type: 'string', default: String(Date.now() % 1e6) } },
  allowPositionals: true,
});
const minutes = Number(positionals[0] ?? 5);
const operations = given.operations === undefined ? Number.POSITIVE_INFINITY : Number(given.operations);
const end = given.operations === undefined ? performance.now() + minutes * 60_000 : Number.POSITIVE_INFINITY;
const owners = 6;
const samplesWanted = 40;
/** Growth over the whole run that is no leak: what caches and the allocator keep, in bytes and as a part of the start. */
const allowed = { rss: { bytes: 100e6, part: 0.4 }, heap: { bytes: 12e6, part: 0.4 } };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const folder = mkdtempSync(join(tmpdir(), 'sqlite-tandem-soak-'));
/** Exceptions that callbacks throw on purpose arrive here; any other one is a finding. */
let thrown = 0;
process.on('uncaughtException', (error) => {
  if (error.message === 'thrown on purpose') thrown += 1;
  else fail(error);
});

try {
  console.log(`soak: seed ${given.seed}`);
  await run();
} catch (error) {
  fail(error);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  const files = Array.from({ length: owners }, (_, i) => join(folder, `${i}.db`));
  // Each has numbers of its own, so that its work does not depend on how fast the others are.
  const random = (i) => generator(Number(given.seed) * 100 + i);
  const all = files.map((file, i) => {
    const Kind = i % 2 === 0 ? Owner : PromiseOwner;
    return new Kind(file, random(i), i % 3 === 2 ? 'delete' : 'wal');
  });
  for (const owner of all) await owner.open();
  // Each reads what the other API writes.
  all.push(new PromiseReader(files[0], random(owners)), new Reader(files[1], random(owners + 1)));
  for (const reader of all.slice(owners)) await reader.open();
  let done = 0;
  const samples = [];
  const started = performance.now();
  const busy = all.map(async (connection) => {
    while (done < operations && performance.now() < end) {
      done += 1;
      await connection.step();
      // A sample after each fortieth of the run; the first quarter warms up.
      const part = Number.isFinite(operations) ? done / operations : (performance.now() - started) / (end - started);
      if (part * samplesWanted >= samples.length) samples.push(sample());
    }
  });
  await Promise.all(busy);
  for (const connection of all) await connection.finish(collect);
  report(all, samples, done);
}

/** Memory behind a collection, open files and threads. */
function sample() {
  collect();
  const { rss, heapUsed: heap, external } = process.memoryUsage();
  const linux = process.platform === 'linux';
  const threads = linux ? Number(/^Threads:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) : 0;
  return { rss, heap, external, handles: linux ? readdirSync('/proc/self/fd').length : 0, threads };
}

function report(all, samples, done) {
  const tally = {};
  for (const { counts } of all) {
    for (const [name, count] of Object.entries(counts)) tally[name] = (tally[name] ?? 0) + count;
  }
  console.log(`soak: ${done} operations, ${sum(all.map(({ checked }) => checked))} answers checked`);
  console.log(
    `soak: ${Object.entries(tally)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
  );
  console.log(`soak: ${thrown} exceptions of callbacks`);
  const warm = samples.slice(Math.floor(samples.length / 4));
  for (const [name, { rss, heap, external, handles, threads }] of [
    ['start', samples[0]],
    ['warm', warm[0]],
    ['middle', samples[samples.length >> 1]],
    ['end', samples.at(-1)],
  ]) {
    const megabytes = [rss, heap, external].map((bytes) => (bytes / 1e6).toFixed(1));
    console.log(
      `soak: ${name.padEnd(6)} rss ${megabytes[0]} MB, heap ${megabytes[1]} MB, external ${megabytes[2]} MB, ${handles} handles, ${threads} threads`,
    );
  }
  if (thrown !== sum(all.map((each) => each.counts['throwing callback'] ?? 0)))
    throw new Error('an exception was lost');
  for (const [name, { bytes, part }] of Object.entries(allowed)) {
    const more = growth(warm.map((each) => each[name]));
    console.log(
      `soak: ${name} ${more < 0 ? 'shrank' : 'grew'} by ${Math.abs(more / 1e6).toFixed(1)} MB (line of best fit)`,
    );
    if (more > Math.max(bytes, warm[0][name] * part)) throw new Error(`${name} grows`);
  }
  // While connections are being opened and closed they vary; each has a few files and one thread.
  for (const name of ['handles', 'threads']) {
    const more = growth(warm.map((each) => each[name]));
    if (more > 10) throw new Error(`${name} grow by ${more.toFixed(1)}`);
  }
  console.log('soak: ok');
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}

function fail(error) {
  console.error(`soak: seed ${given.seed}: ${error.stack}`);
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
}

/** Numbers from 0 to below a limit, the same for the same seed. */
function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
