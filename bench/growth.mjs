// How cost grows with rows, columns, the queue and the number of databases: each point in a process of its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { namesIn } from './bindings.mjs';
import { ask } from './child.mjs';
import { summary } from './measure.mjs';
import { findNode } from './node.mjs';
import { headLines, machine } from './report.mjs';
import { series } from './shared/growth-series.mjs';

const usage = `usage: node bench/growth.mjs [series ...] [--rounds N] [--most SIZE] [--node WHICH] [--json FILE]

  series    ${Object.keys(series).join(', ')}; all of them unless told
  --rounds  processes for each point; 3 unless told
  --most    leaves out the sizes above that
  --node    as for bench/run.mjs
  --json    also writes everything that was measured to FILE, for bench/report-html.mjs`;

const timeoutMs = 300_000;

/** The points of one series: in each round the bindings take turns at each size. */
async function measure(name, bindings, { rounds, most, node }, directory) {
  const { about, axis, sizes } = series[name];
  const curves = Object.fromEntries(bindings.map((binding) => [binding, []]));
  const shown = sizes.filter((size) => size <= most);
  for (const size of shown) {
    const times = Object.fromEntries(bindings.map((binding) => [binding, []]));
    for (let round = 0; round < rounds; round++) {
      for (const binding of bindings) {
        const own = mkdtempSync(join(directory, 'point-'));
        times[binding].push(await ask(['grow', binding, own, name, String(size)], timeoutMs, node.path));
        rmSync(own, { recursive: true, force: true });
      }
    }
    for (const binding of bindings) curves[binding].push({ size, ...summary(times[binding]) });
    process.stderr.write(`${name} ${size}\n`);
  }
  return { name, about, axis, curves };
}

/** What one of the things counted costs at each size, in us: where the curve is straight, these stay alike. */
function lines({ name, about, axis, curves }) {
  const rows = Object.entries(curves).map(([binding, points]) => {
    const costs = points.map(({ size, median }) => `${size}: ${((median * 1_000) / size).toFixed(2)}`);
    return `  ${binding.padEnd(16)}${costs.join('   ')}`;
  });
  return ['', `${name}: ${about}; us for each of the ${axis}`, ...rows];
}

async function grow(names, options, json) {
  const bindings = namesIn(options.node.version);
  const probed = [];
  for (const name of bindings) probed.push({ name, ...(await ask(['probe', name], timeoutMs, options.node.path)) });
  const head = {
    date: new Date().toISOString(),
    machine: machine(options.node.version),
    bindings: probed,
    rounds: options.rounds,
    scale: 1,
  };
  process.stdout.write(`${headLines(head).slice(0, 2).join('\n')}\n`);

  const directory = mkdtempSync(join(tmpdir(), 'sqlite-tandem-growth-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const growth = [];
  for (const name of names) {
    growth.push(await measure(name, bindings, options, directory));
    process.stdout.write(`${lines(growth.at(-1)).join('\n')}\n`);
  }
  head.machine.loadAverageAtEnd = loadavg()[0];
  if (json) writeFileSync(json, `${JSON.stringify({ ...head, growth }, null, 2)}\n`);
}

const text = { type: 'string' };
const { values, positionals } = parseArgs({
  options: { rounds: text, most: text, node: text, json: text, help: { type: 'boolean' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds ?? 3);
const most = Number(values.most ?? Number.POSITIVE_INFINITY);
const known = positionals.every((name) => name in series);
if (values.help || !known || !(Number.isInteger(rounds) && rounds > 0) || !(most > 0)) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = values.help ? 0 : 2;
} else {
  const names = positionals.length > 0 ? positionals : Object.keys(series);
  await grow(names, { rounds, most, node: findNode(values.node) }, values.json);
}
