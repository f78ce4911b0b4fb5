// Profiles one workload on sqlite-tandem: shares of processor time by thread and by what ran (perf), and by function of
// JavaScript (--cpu-prof). Shares hold on a busy machine, too; times would not.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isWay, ours } from './bindings.mjs';

const usage = `usage: node bench/profile.mjs WORKLOAD [--scale S] [--runs N] [--way NAME]

  --runs  processes whose samples are added up; 5 unless told
  --way   promises or promisified: not the callback half of the workload but that one

Needs Linux's perf. Only what the workload's figures are about is in the profile, not its start and its preparations.`;

const worker = fileURLToPath(new URL('./worker.mjs', import.meta.url));
const samplesPerSecond = 1_999;
const shownFunctions = 12;

/** Runs a program to its end; throws with what it said when it fails. */
function run(command, args, options = {}) {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    ...options,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with exit code ${status}: ${stderr}`);
  return stdout;
}

// The first rule that fits says what ran. Symbols are those of V8, of SQLite, and of addon/core.
const collects =
  /Scaveng|Marking|Sweep|Evacuat|GarbageCollect|MemoryChunk|::Heap::|::GCTracer|MemoryAllocator|Compactor/;
const compiles = /::compiler::|::interpreter::|::baseline::|Parser|Scanner|Preparse|Compiler|CompileLazy|RegExp/;
const rules = [
  ['sqlite-tandem, C++', ({ file, symbol }) => file === 'sqlite_tandem.node' && /tandem::/.test(symbol)],
  ['SQLite', ({ file }) => file === 'sqlite_tandem.node'],
  ['JavaScript', ({ file }) => file.startsWith('perf-') || file.startsWith('[JIT]')],
  ['garbage collection', ({ file, symbol }) => file === 'node' && collects.test(symbol)],
  ['compilation', ({ file, symbol }) => file === 'node' && compiles.test(symbol)],
  ["V8's built-in functions", ({ file, symbol }) => file === 'node' && symbol.startsWith('Builtins_')],
  ['V8, Node.js, other', ({ file }) => file === 'node'],
  ['kernel', ({ file }) => file.startsWith('[')],
  ['C library', () => true],
];
// A file by its folder and name only: where the project lies is nobody's business.
const withoutFolders = (text) => text.replace(/(^|\s)(?:file:\/\/)?\/(?:[\w.@-]+\/)*([\w.@-]+\/[\w.@-]+)/g, '$1$2');

const whatRan = (sample) => rules.find(([, fits]) => fits(sample))[0];

/** One sample for each line of `perf script` in the measured span: the thread, the function, the file it is in. */
function samplesIn(text, { from, to }) {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\/(\d+)\s+([\d.]+):\s+[0-9a-f]+ (.*) \((.*)\)$/.exec(line);
    if (!found) return [];
    const [, process, thread, seconds, symbol, path] = found;
    const time = Number(seconds) * 1e6;
    if (time < from || time > to) return [];
    return [{ process, thread, symbol: withoutFolders(symbol), file: path.split('/').at(-1) }];
  });
}

/** Names the threads: the main one has the number of the process, SQLite runs in one other, V8 helps itself in the rest. */
function withThreads(samples) {
  const ofSqlite = new Set(
    samples
      .filter(({ thread, process, file }) => thread !== process && file === 'sqlite_tandem.node')
      .map((s) => s.thread),
  );
  const nameOf = ({ process, thread }) => {
    if (thread === process) return 'event loop';
    return ofSqlite.has(thread) ? 'SQLite thread' : 'helper threads of V8 and Node.js';
  };
  return samples.map((sample) => ({ ...sample, name: nameOf(sample), what: whatRan(sample) }));
}

function recordSamples(binding, workload, scale, directory) {
  const data = join(directory, 'perf.data');
  const target = [process.execPath, '--perf-basic-prof', worker, 'profiled', binding, workload, directory, scale];
  // With the clock that Node.js has, too, so that both can speak of the same moment.
  const how = ['-q', '-F', String(samplesPerSecond), '-e', 'cpu-clock', '-k', 'CLOCK_MONOTONIC', '-o', data];
  const span = JSON.parse(run('perf', ['record', ...how, '--', ...target]));
  const samples = withThreads(samplesIn(run('perf', ['script', '-i', data, '-F', 'pid,tid,time,ip,sym,dso']), span));
  if (samples.length === 0) throw new Error('perf took no samples');
  // Node.js leaves the names of compiled functions there, for perf to find.
  rmSync(join(tmpdir(), `perf-${samples[0].process}.map`), { force: true });
  return samples;
}

/** Self times of the functions of JavaScript in the measured span, by `name folder/file:line`. */
function selfTimes(binding, workload, scale, directory) {
  const flags = ['--cpu-prof', '--cpu-prof-dir', directory, '--cpu-prof-interval', '200'];
  const { from, to } = JSON.parse(
    run(process.execPath, [...flags, worker, 'profiled', binding, workload, directory, scale]),
  );
  const file = readdirSync(directory).find((name) => name.endsWith('.cpuprofile'));
  const { nodes, samples, timeDeltas, startTime } = JSON.parse(readFileSync(join(directory, file), 'utf8'));
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url ? ` ${withoutFolders(url)}:${lineNumber + 1}` : '';
      return [id, `${functionName || '(anonymous)'}${place}`];
    }),
  );
  let time = startTime;
  return samples.flatMap((id, i) => {
    time += timeDeltas[i];
    return time < from || time > to ? [] : [[names.get(id), timeDeltas[i]]];
  });
}

function shares(pairs) {
  const sums = new Map();
  let total = 0;
  for (const [name, amount] of pairs) {
    sums.set(name, (sums.get(name) ?? 0) + amount);
    total += amount;
  }
  return [...sums].map(([name, sum]) => [name, (sum * 100) / total]).sort(([, one], [, other]) => other - one);
}

const print = (title, pairs, most = Number.POSITIVE_INFINITY) => {
  const lines = shares(pairs).slice(0, most);
  process.stdout.write(
    `\n${title}\n${lines.map(([name, share]) => `${share.toFixed(1).padStart(6)} %  ${name}\n`).join('')}`,
  );
};

function profile(binding, workload, scale, runs) {
  const root = mkdtempSync(join(tmpdir(), 'sqlite-tandem-profile-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  const own = (name) => {
    const directory = join(root, name);
    mkdirSync(directory);
    return directory;
  };
  const samples = Array.from({ length: runs }, (_, i) =>
    recordSamples(binding, workload, scale, own(`perf-${i}`)),
  ).flat();
  print(
    `processor time by thread (${samples.length} samples of ${runs} runs)`,
    samples.map(({ name }) => [name, 1]),
  );
  for (const thread of ['SQLite thread', 'event loop']) {
    const there = samples.filter(({ name }) => name === thread);
    print(
      `${thread}, by what ran`,
      there.map(({ what }) => [what, 1]),
    );
    print(
      `${thread}, by function`,
      there.map(({ symbol, what }) => [`${symbol.slice(0, 70)}  (${what})`, 1]),
      shownFunctions,
    );
  }
  print('event loop, self time by --cpu-prof', selfTimes(binding, workload, scale, own('cpu')), 2 * shownFunctions);
}

const options = {
  scale: { type: 'string', default: '1' },
  runs: { type: 'string', default: '5' },
  way: { type: 'string', default: ours },
};
const { values, positionals } = parseArgs({ options, allowPositionals: true });
if (positionals.length === 1 && (values.way === ours || isWay(values.way))) {
  profile(values.way, positionals[0], values.scale, Math.max(1, Number(values.runs)));
} else {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
}
