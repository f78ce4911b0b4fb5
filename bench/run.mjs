// The driver: runs workloads on the bindings in turn, each run in a process of its own, and prints what they took.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allNames, apiOf, columnsIn, ours } from './bindings.mjs';
import { ask } from './child.mjs';
import { checkGoals, judge } from './goals.mjs';
import { summary } from './measure.mjs';
import { findNode } from './node.mjs';
import { goalLines, headLines, machine, tableLines } from './report.mjs';
import { loadWorkload, workloadNames } from './workloads.mjs';

const usage = `usage: node bench/run.mjs [workload ...] [options]

  --only NAMES   the bindings to run, separated by commas (${allNames.join(',')})
  --rounds N     runs of each workload on each binding, at least 1; 5 unless told
  --scale S      multiplies the workloads' counts and durations; 1 unless told
  --node WHICH   the Node.js that runs the bindings: 26 for the one of bench/node-26, or the path of another
  --json FILE    also writes everything that was measured to FILE
  --strict       the exit code is 0 only when there were goals to judge and all of them are met
  --list         prints the workloads
  --help         prints this

exit code: 0 when all ran; 1 when a run failed, gave wrong results, or lacked its binding; 2 for wrong usage`;

const probeTimeoutMs = 30_000;
const usualLimit = 5;
const minuteMs = 60_000;

const say = (lines) => process.stdout.write(`${[lines].flat().join('\n')}\n`);
const note = (text) => process.stderr.write(`${text}\n`);

class UsageError extends Error {}

function positive(text, name, isValid) {
  const value = Number(text);
  if (!(value > 0) || !isValid(value)) throw new UsageError(`--${name} cannot be ${text}`);
  return value;
}

function chosen(wanted, known, kind) {
  for (const name of wanted) {
    if (!known.includes(name)) throw new UsageError(`unknown ${kind}: ${name} (known: ${known.join(', ')})`);
  }
  return wanted.length === 0 ? known : known.filter((name) => wanted.includes(name));
}

function parse(args) {
  try {
    const text = { type: 'string' };
    const flag = { type: 'boolean' };
    const options = {
      only: text,
      rounds: text,
      scale: text,
      node: text,
      json: text,
      strict: flag,
      list: flag,
      help: flag,
    };
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function readOptions(args, allWorkloads) {
  const { values, positionals } = parse(args);
  const node = nodeNamed(values.node);
  return {
    ...values,
    node,
    workloads: chosen(positionals, allWorkloads, 'workload'),
    bindings: chosen(values.only?.split(',') ?? [], columnsIn(node.version), 'binding'),
    rounds: positive(values.rounds ?? '5', 'rounds', Number.isInteger),
    scale: positive(values.scale ?? '1', 'scale', Number.isFinite),
  };
}

function nodeNamed(wanted) {
  try {
    return findNode(wanted);
  } catch (error) {
    throw new UsageError(error.message);
  }
}

/** Asks each binding for its versions; one that cannot answer is left out, and said to be missing. */
async function probeAll(wanted, node) {
  const found = [];
  for (const name of wanted) {
    try {
      found.push({ name, ...(await ask(['probe', name], probeTimeoutMs, node.path)) });
    } catch (error) {
      const reason = error.message.split('\n').find((line) => line.includes('Error')) ?? error.message.split('\n')[0];
      const remedy = name === ours ? 'build it first' : 'see "Installing" in bench/README.md';
      say(`missing: ${name} cannot be used, ${remedy} (${reason.trim()})`);
      found.push({ name, missing: error.message });
    }
  }
  return found;
}

/** Runs one workload, the bindings in turn within each round, so that a busy minute of the machine meets all alike. */
async function measureWorkload(workload, bindings, { rounds: wanted, scale, node }, directory) {
  const rounds = Math.min(wanted, workload.rounds ?? wanted);
  const timeoutMs = (workload.limit ?? usualLimit) * minuteMs * Math.max(1, scale);
  const able = bindings.filter((name) => workload[apiOf(name)]);
  const figures = Object.fromEntries(able.map((name) => [name, []]));
  const failures = [];
  for (let round = 1; round <= rounds; round++) {
    for (const name of able) {
      const own = join(directory, `${workload.name}-${name}-${round}`);
      mkdirSync(own);
      try {
        const args = ['run', name, workload.name, own, String(scale)];
        figures[name].push(await ask(args, timeoutMs, node.path));
        note(`${workload.name}, round ${round} of ${rounds}, ${name}`);
      } catch (error) {
        failures.push({ workload: workload.name, binding: name, round, message: error.message });
        say(`FAILED: ${workload.name} on ${name}, round ${round}: ${error.message}`);
      } finally {
        rmSync(own, { recursive: true, force: true });
      }
    }
  }
  return { workload, results: summarise(workload, figures, failures), failures };
}

/** The timeline of the origin's script, for a report; null where that script or our binding did not run. */
async function drawTimeline(measured, { scale, node }) {
  const origin = measured.find(({ workload }) => workload.name === 'origin');
  if (!origin?.results[ours]) return null;
  return ask(['timeline', String(scale)], usualLimit * minuteMs, node.path);
}

/** A binding that failed in any round gets no figures: the rounds that went well would not be its true ones. */
function summarise(workload, figures, failures) {
  const results = {};
  for (const [name, rounds] of Object.entries(figures)) {
    if (failures.some((failure) => failure.binding === name)) continue;
    results[name] = {};
    for (const metric of Object.keys(workload.metrics)) {
      const values = rounds.map((round) => round[metric]).filter((value) => value !== undefined);
      if (values.length === rounds.length) results[name][metric] = summary(values);
    }
  }
  return results;
}

function writeJson(file, head, measured, verdicts, timeline) {
  const workloads = measured.map(({ workload: { name, about, metrics }, ...rest }) => ({
    name,
    about,
    metrics,
    ...rest,
  }));
  writeFileSync(file, `${JSON.stringify({ ...head, workloads, goals: verdicts, timeline }, null, 2)}\n`);
}

async function bench(options, allWorkloads) {
  const { rounds, scale, node } = options;
  const probed = await probeAll(options.bindings, node);
  const usable = probed.filter((binding) => !binding.missing).map((binding) => binding.name);
  if (usable.length === 0) return 1;

  const head = { date: new Date().toISOString(), machine: machine(node.version), bindings: probed, rounds, scale };
  say(headLines(head));

  const directory = mkdtempSync(join(tmpdir(), 'sqlite-tandem-bench-'));
  // On exit and not only at the end, so that nothing is left behind when somebody interrupts a long run.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

  const measured = [];
  for (const name of options.workloads) {
    const workload = allWorkloads.find((candidate) => candidate.name === name);
    const result = await measureWorkload(workload, usable, options, directory);
    measured.push(result);
    say(tableLines(result, usable));
  }

  const verdicts = measured.flatMap((result) => judge(result, options.bindings));
  say(goalLines(verdicts));
  head.machine.loadAverageAtEnd = loadavg()[0];
  say(['', `load average at the end ${head.machine.loadAverageAtEnd.toFixed(2)}`]);
  if (options.json) writeJson(options.json, head, measured, verdicts, await drawTimeline(measured, options));

  const failed = measured.some((result) => result.failures.length > 0);
  // Without our own binding there is nothing to compare; a rival may be missing unless it was asked for by name.
  const lacking = probed.some(({ name, missing }) => missing && (name === ours || options.only));
  if (options.strict && verdicts.length === 0) say('--strict: none of these runs has a goal to judge');
  const short = options.strict && (verdicts.length === 0 || verdicts.some(({ verdict }) => verdict !== 'met'));
  return failed || lacking || short ? 1 : 0;
}

async function main() {
  const known = await workloadNames();
  const options = readOptions(process.argv.slice(2), known);
  const workloads = await Promise.all(known.map(loadWorkload));
  checkGoals(workloads);
  if (options.help) return say(usage);
  if (options.list) return say(workloads.map(({ name, about }) => `${name}: ${about}`));
  process.exitCode = await bench(options, workloads);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  note(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
