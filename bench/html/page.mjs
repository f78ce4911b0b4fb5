// Makes the page of one or several runs: machine, goals, a card with charts and figures for each workload, the timeline.
import { ours } from '../bindings.mjs';
import { goals, ratio } from '../goals.mjs';
import { columnsOf, headLines } from '../report.mjs';
import { barChart, growthChart } from './chart.mjs';
import { style } from './style.mjs';
import { escaped, figure, labelText, times } from './text.mjs';

const usable = (run) => run.bindings.filter((binding) => !binding.missing).map(({ name }) => name);

// The script this project began with, then the small requests, the large ones, and what they cost the rest of a program.
const order = ['origin', 'point', 'insert', 'sql', 'rows', 'dropped', 'read-file'];

function ordered(workloads) {
  const placeOf = ({ name }) => {
    const place = order.findIndex((start) => name.startsWith(start));
    return place === -1 ? order.length : place;
  };
  return workloads.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The metrics that goals speak of, or else the first one: what is drawn. All others are in the table. */
function drawn({ name, metrics }) {
  const wanted = goals.filter((goal) => goal.workload === name).map((goal) => goal.metric);
  const comparable = Object.keys(metrics).filter((metric) => metrics[metric].ratio !== false);
  const chosen = comparable.filter((metric) => wanted.includes(metric));
  return chosen.length > 0 ? chosen : comparable.slice(0, 1);
}

function cell(metric, measured, own, name) {
  if (!measured) return '<td>n/a</td>';
  const { median, least, most } = measured;
  const comparison =
    name !== ours && own && metric.ratio !== false ? ` · ${times(ratio(metric, own.median, median))}` : '';
  const spread =
    least === most ? '' : `<small>${figure(least, metric.digits)} - ${figure(most, metric.digits)}</small>`;
  return `<td>${figure(median, metric.digits)}${comparison}${spread}</td>`;
}

function figuresTable({ metrics, results }, bindings) {
  const head = ['', ...bindings].map((text) => `<th scope="col">${escaped(text)}</th>`).join('');
  const rows = Object.entries(metrics).map(([metricName, metric]) => {
    const own = results[ours]?.[metricName];
    const cells = bindings.map((name) => cell(metric, results[name]?.[metricName], own, name));
    return `<tr><th scope="row">${escaped(labelText(metric.label))}</th>${cells.join('')}</tr>`;
  });
  return `<div class="scroll"><table><tr>${head}</tr>${rows.join('\n')}</table></div>`;
}

function workloadCard(workload, all) {
  const { name, about, metrics, results, failures } = workload;
  const bindings = columnsOf(results, all);
  const charts = drawn(workload)
    .filter((metricName) => bindings.some((binding) => results[binding]?.[metricName]))
    .map(
      (metricName) =>
        `<h4>${escaped(labelText(metrics[metricName].label))}${metrics[metricName].better === 'more' ? ' (more is better)' : ''}</h4>` +
        barChart(metrics[metricName], metricName, results, bindings),
    );
  const failed = failures.map(
    ({ binding, round, message }) =>
      `<p class="failed">${escaped(binding)} failed in round ${round}: ${escaped(message.split('\n')[0])}</p>`,
  );
  return `<section class="workload"><h3>${escaped(name)}</h3><p>${escaped(about)}</p>
${[...charts, ...failed].join('\n')}
<details><summary>all figures, least and most</summary>${figuresTable(workload, bindings)}</details></section>`;
}

function goalsTable(verdicts) {
  if (verdicts.length === 0) return '';
  const met = verdicts.filter(({ verdict }) => verdict === 'met').length;
  const mark = { met: '✓ met', missed: '✗ missed', 'not measured': 'not measured' };
  const rows = verdicts.map(
    ({ verdict, text, value }) =>
      `<tr><td class="${verdict.replace(' ', '-')}">${mark[verdict]}</td><td>${escaped(text.replace('>=', '≥').replace('<=', '≤').replace(', us', ', µs'))}</td>` +
      `<td>${value === null ? '' : figure(value, value < 10 ? 2 : 1)}</td></tr>`,
  );
  return `<details class="goals" open><summary>goals: ${met} of ${verdicts.length} met</summary><div class="scroll">
<table><tr><th scope="col">verdict</th><th scope="col">goal</th><th scope="col">measured</th></tr>
${rows.join('\n')}</table></div></details>`;
}

// As an image of its own, because its style must not meet that of the page.
function timeline(svg) {
  if (!svg) return '';
  const data = Buffer.from(svg).toString('base64');
  return `<h2>When SQLite and the event loop were busy</h2>
<p>The first 50 queries of the script this project began with. With <code>eager</code> off SQLite waits until JavaScript has
handled a result, as in sqlite3; with it on, the default, both are at work at the same time.</p>
<div class="scroll"><img alt="Two lanes, SQLite and the event loop, with eager off and on" src="data:image/svg+xml;base64,${data}"></div>`;
}

function growthCard({ name, about, axis, curves }) {
  const sizes = Object.values(curves)[0].map(({ size }) => size);
  const head = ['', ...sizes.map((size) => size.toLocaleString('en-US'))].map((text) => `<th scope="col">${text}</th>`);
  const rows = Object.entries(curves).map(([binding, points]) => {
    const cells = points.map(({ size, median }) => `<td>${figure((median * 1_000) / size, 2)}</td>`);
    return `<tr><th scope="row">${escaped(binding)}</th>${cells.join('')}</tr>`;
  });
  return `<section class="workload"><h3>${escaped(name)}</h3><p>${escaped(about)}</p>
${growthChart(axis, curves)}
<details><summary>µs for each of the ${escaped(axis)}</summary><div class="scroll"><table>
<tr>${head.join('')}</tr>${rows.join('\n')}</table></div></details></section>`;
}

function growthSection(growth) {
  return `<p>Both axes are logarithmic: a straight line that climbs as the grid does is time in step with the size.
Dashed: node:sqlite.</p>
<div class="workloads">
${growth.map(growthCard).join('\n')}
</div>`;
}

const workloadsSection = (run, bindings) => `${goalsTable(run.goals)}
<div class="workloads">
${ordered(run.workloads)
  .map((workload) => workloadCard(workload, bindings))
  .join('\n')}
</div>
${timeline(run.timeline)}`;

function runSection(run) {
  const bindings = usable(run);
  const [machine, versions, how] = headLines(run);
  const ended = run.machine.loadAverageAtEnd;
  return `<h2>Node.js ${escaped(run.machine.node.slice(1))}${run.growth ? ': how cost grows' : ''}</h2>
<p>${escaped(versions)}</p>
<p class="quiet">${escaped(machine)}${ended === undefined ? '' : `, at the end ${ended.toFixed(2)}`}. ${escaped(run.date.slice(0, 10))}.
${escaped(how.split(';')[0])}.</p>
${run.growth ? growthSection(run.growth) : workloadsSection(run, bindings)}`;
}

/** The whole page for what --json wrote of one or several runs. It refers to nothing outside of itself. */
export function page(runs) {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>sqlite-tandem: benchmarks</title>
<style>${style}
</style>
</head>
<body>
<h1>sqlite-tandem beside the other SQLite bindings of Node.js</h1>
<p>Each bar is the median over the rounds, each whisker goes from the least to the most. Behind a rival's figure stands how many
times better sqlite-tandem is: above 1x it wins. Shorter bars are better unless the chart says otherwise.
All use the same file, pragmas and SQL, each run has a process of its own, and the bindings take turns.</p>
<p class="key"><span><i style="background:var(--ours)"></i>sqlite-tandem (promises: its promise API; promisified: its callbacks, each call wrapped)</span><span><i style="background:var(--rival)"></i>asynchronous</span><span><i style="background:var(--sync)"></i>synchronous: the event loop stands still meanwhile</span><span><i style="background:var(--quiet)"></i>SQLite alone: no binding, a C program that makes nothing of the rows</span></p>
${runs.map(runSection).join('\n')}
</body>
</html>
`;
}
