// Writes the table of measurements into the README, from what `npm run bench -- --json FILE` measured.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { alone, apiOf, isBinding, ours } from './bindings.mjs';
import { ratio } from './goals.mjs';
import { times } from './html/text.mjs';

const usage = `usage: node bench/report-readme.mjs FILE [--readme FILE]

  FILE      what \`npm run bench -- --json FILE\` wrote, of a run in full size
  --readme  the page between whose marks the table goes; README.md of the project unless told`;

const begin = '<!-- bench:begin -->';
const end = '<!-- bench:end -->';

// What a reader is told of, in words of one line: [words, workload, metric, what stands where a binding has no figure].
const rows = [
  ['1,000 selects of 500 rows queued, JSON of each, promises', 'origin', 'elapsed'],
  ['the same with callbacks', 'origin-callbacks', 'elapsed'],
  ['`all()`, 100,000 rows x 7 columns, a row', 'rows-all', 'perRow'],
  ['`each()` of these rows, a row', 'rows-each', 'perRow'],
  ['`all()`, 60 columns, a row', 'rows-wide', 'perRow'],
  ['`all()`, texts of 10 KiB, a row', 'rows-text', 'perRow'],
  ['`all()`, blobs of 64 KiB, a row', 'rows-blob', 'perRow'],
  ['`all()`, 1,000,000 rows: the event loop stands still for', 'rows-million', 'stall'],
  ['read by key, 60,000 queued', 'point-queued', 'perRead'],
  ['read by key, awaited one by one', 'point-awaited', 'perRead'],
  ['`db.get(sql, key)`, 20,000 queued', 'sql-get-queued', 'perRead'],
  ['insert, 50,000 queued in one transaction', 'insert-queued', 'perInsert'],
  ['insert, awaited one by one', 'insert-awaited', 'perInsert'],
  ['60 results of 20,000 rows, each dropped: peak memory', 'dropped-60', 'peak'],
  ['`fs.readFile` beside eight busy databases, p99', 'read-file-beside-eight', 'p99', 'blocked'],
];

const unitOf = (metric) => metric.label.split(', ').at(-1);

/** Two digits that say something, and no more than the benchmark printed: '2.8 us', '373 ms', '0.43 us'. */
function quantity(value, metric) {
  const short = value >= 100 ? Math.round(value) : Number(value.toPrecision(2));
  return `${short.toLocaleString('en-US')} ${unitOf(metric)}`;
}

function line([words, workloadName, metricName, without = 'n/a'], run, bindings) {
  const workload = run.workloads.find(({ name }) => name === workloadName);
  if (!workload) return [];
  const metric = workload.metrics[metricName];
  const own = workload.results[ours]?.[metricName];
  if (!own) throw new Error(`${workloadName}: ${ours} has no ${metricName}`);
  const cells = bindings.map(({ name }) => {
    const found = workload.results[name]?.[metricName];
    if (!found) return without;
    const value = quantity(found.median, metric);
    return name === ours ? value : `${value}, ${times(ratio(metric, own.median, found.median))}`;
  });
  return [`| ${[words, ...cells].join(' | ')} |`];
}

const titleOf = ({ name, version }) =>
  name === ours ? name : `${name} ${version}${apiOf(name) === 'sync' ? ' (synchronous)' : ''}`;

const limit = (found) =>
  found
    ? [
        `A program in C that executes these selects and makes nothing of the rows took ${Math.round(found.elapsed.median)} ms.`,
      ]
    : [];

/** What SQLite and the event loop did in the first row's run. */
function closing(run) {
  const results = run.workloads.find(({ name }) => name === 'origin')?.results;
  const origin = results?.[ours];
  if (!origin?.busy) return [];
  const [elapsed, busy] = [origin.elapsed, origin.busy].map(({ median }) => Math.round(median));
  const share = Math.round(origin.loopShare.median * 100);
  return [
    '',
    `In the first row SQLite itself was at work for ${busy} of the ${elapsed} ms, and the event loop for ${share} % of them.`,
    ...limit(results[alone]),
    'A synchronous call has no thread to wake, so a single read is faster there; it stops the event loop while it lasts.',
  ];
}

function section(run) {
  const bindings = run.bindings.filter(({ name, missing }) => !missing && isBinding(name));
  const { cpu, cores, node } = run.machine;
  const lines = rows.flatMap((row) => line(row, run, bindings));
  if (lines.length === 0) throw new Error('none of the workloads of the table was measured');
  return [
    begin,
    `One run of \`npm run bench\` on ${cores} cores of an ${cpu}, Node.js ${node.slice(1)}, medians of ${run.rounds} rounds, each`,
    'binding in a process of its own, in turn. The columns show the figure, and how many times better sqlite-tandem is than',
    'the other.',
    '',
    `| ${['', ...bindings.map(titleOf)].join(' | ').trimStart()} |`,
    `| ${['', ...bindings].map(() => '---').join(' | ')} |`,
    ...lines,
    ...closing(run),
    end,
  ].join('\n');
}

function write(file, readme) {
  const run = JSON.parse(readFileSync(file, 'utf8'));
  // What is quoted is what anybody gets who runs the benchmark as it is.
  if (run.scale !== 1) throw new Error(`a run of scale ${run.scale} is not quoted`);
  if (run.workloads.some(({ failures }) => failures.length > 0)) throw new Error('a run with failures is not quoted');
  const text = readFileSync(readme, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${readme} lacks the marks ${begin} and ${end}`);
  writeFileSync(readme, text.slice(0, from) + section(run) + text.slice(to + end.length));
}

const { values, positionals } = parseArgs({ options: { readme: { type: 'string' } }, allowPositionals: true });
if (positionals.length === 1) {
  write(positionals[0], values.readme ?? fileURLToPath(new URL('../README.md', import.meta.url)));
} else {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
}
