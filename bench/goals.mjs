// The goals: what sqlite-tandem sets out to reach, each against a rival or as a bound of its own, and the verdict.
import { alone, isWay, ours } from './bindings.mjs';

/*
 * With `against`, medians of one run are compared:
 *   timesFaster  the rival's is at least so many times ours
 *   timesSlower  ours is at most so many times the rival's
 * With `of`, another way to use ours stands in its place, and the rival is ours or a way, too.
 * Without:
 *   atMost, below  our own median is at most, or less than, that
 * A note says what a goal was before it was made stricter, or what it means.
 */
export const goals = [
  { workload: 'origin', metric: 'elapsed', against: 'sqlite3', timesFaster: 3.5, note: '3.0 at first' },
  { workload: 'origin', metric: 'elapsed', against: 'better-sqlite3', timesFaster: 1.5, note: '1.3 at first' },
  { workload: 'origin', metric: 'elapsedPerBusy', atMost: 1.08, note: '1.1 at first' },
  { workload: 'origin', metric: 'loopShare', atMost: 0.75 },
  // The limit: what SQLite takes when nobody makes objects of its rows.
  { workload: 'origin', metric: 'elapsed', against: alone, timesSlower: 1.25 },
  { workload: 'origin-callbacks', metric: 'elapsed', against: alone, timesSlower: 1.25 },
  { workload: 'origin-warm', metric: 'elapsed', against: 'sqlite3', timesFaster: 3.0 },
  { workload: 'origin-warm', metric: 'loopShare', atMost: 0.75 },
  { workload: 'rows-all', metric: 'perRow', against: 'sqlite3', timesFaster: 3 },
  { workload: 'rows-all', metric: 'perRow', against: 'better-sqlite3', timesFaster: 1.8 },
  { workload: 'rows-each', metric: 'perRow', against: 'sqlite3', timesFaster: 3 },
  { workload: 'rows-each', metric: 'perRow', against: 'better-sqlite3', timesFaster: 1.8 },
  { workload: 'point-queued', metric: 'perRead', against: 'sqlite3', timesFaster: 25, note: '10 at first' },
  { workload: 'point-queued', metric: 'perRead', against: 'better-sqlite3', timesSlower: 1.8 },
  { workload: 'point-awaited', metric: 'perRead', against: 'sqlite3', timesFaster: 2, note: '1.5 at first' },
  { workload: 'insert-queued', metric: 'perInsert', against: 'sqlite3', timesFaster: 25 },
  { workload: 'insert-queued', metric: 'perInsert', against: 'better-sqlite3', timesSlower: 1.8 },
  { workload: 'insert-awaited', metric: 'perInsert', against: 'sqlite3', timesFaster: 2.5 },
  { workload: 'sql-get-queued', metric: 'perRead', against: 'sqlite3', timesFaster: 25 },
  { workload: 'sql-run-queued', metric: 'perInsert', against: 'sqlite3', timesFaster: 25 },
  ...['rows-text', 'rows-blob', 'rows-wide', 'rows-scan'].flatMap((workload) =>
    ['sqlite3', 'better-sqlite3'].map((against) => ({
      workload,
      metric: 'perRow',
      against,
      timesFaster: 1,
      note: 'ahead',
    })),
  ),
  // The promise API beside the callback API with each call wrapped into a promise. Where a workload awaits each call, or
  // makes one promise for all rows, its callback half is that already.
  ...[
    ['point-queued', 'perRead', 'promisified'],
    ['point-awaited', 'perRead', ours],
    ['insert-queued', 'perInsert', 'promisified'],
    ['insert-awaited', 'perInsert', ours],
    ['sql-get-queued', 'perRead', 'promisified'],
    ['sql-run-queued', 'perInsert', 'promisified'],
    ['origin', 'elapsed', ours],
    ['origin-warm', 'elapsed', ours],
    ['rows-all', 'perRow', ours],
    ['rows-each', 'perRow', ours],
  ].map(([workload, metric, against]) => ({ workload, metric, of: 'promises', against, timesSlower: 1.1 })),
  { workload: 'rows-million', metric: 'stall', atMost: 25 },
  { workload: 'rows-million', metric: 'elapsed', against: 'sqlite3', timesFaster: 2 },
  { workload: 'rows-million', metric: 'elapsed', against: 'better-sqlite3', timesFaster: 2 },
  { workload: 'dropped-60', metric: 'peak', atMost: 150 },
  { workload: 'dropped-1000', metric: 'peak', atMost: 150, note: 'no more than with 60' },
  { workload: 'read-file-beside-eight', metric: 'p99', atMost: 2, note: 'below 3 at first' },
  { workload: 'open-close', metric: 'life', against: 'sqlite3', timesFaster: 1, note: 'no worse' },
  { workload: 'require', metric: 'ready', against: 'sqlite3', timesFaster: 1, note: 'no worse' },
  { workload: 'idle-200', metric: 'memory', against: 'sqlite3', timesFaster: 1, note: 'no more' },
];

/** How many times better ours is than the rival: more than 1 means that ours wins, whatever the metric's direction. */
export function ratio(metric, ourMedian, rivalMedian) {
  return metric.better === 'more' ? ourMedian / rivalMedian : rivalMedian / ourMedian;
}

/*
 * The kinds of goals: how a goal is said, what it looks at, and whether that is enough. `better` is how many times better
 * ours is than the rival, `own` our median.
 */
const kinds = {
  timesFaster: {
    text: (bound, label, against, of) => `${label}, ${against} / ${of} >= ${bound}`,
    value: ({ better }) => better,
    reached: (value, bound) => value >= bound,
  },
  timesSlower: {
    text: (bound, label, against, of) => `${label}, ${of} / ${against} <= ${bound}`,
    value: ({ better }) => 1 / better,
    reached: (value, bound) => value <= bound,
  },
  atMost: {
    text: (bound, label) => `${label} <= ${bound}`,
    value: ({ own }) => own,
    reached: (value, bound) => value <= bound,
  },
  below: {
    text: (bound, label) => `${label} < ${bound}`,
    value: ({ own }) => own,
    reached: (value, bound) => value < bound,
  },
};

/** The one kind that a goal is of; a goal that has none or several says nothing that could be judged. */
function kindOf(goal) {
  const found = Object.keys(kinds).filter((kind) => kind in goal);
  if (found.length !== 1) throw new Error(`a goal of ${goal.workload} has ${found.length} bounds`);
  return { ...kinds[found[0]], bound: goal[found[0]] };
}

/** Ours, or the other way to use it that the goal is of. */
const judged = (goal) => goal.of ?? ours;

/** Whether what the goal is of takes part: the ways to use ours may be left out of a run. */
const takesPart = (goal, bindings) => bindings.includes(judged(goal));

/**
 * Judges the goals of the workloads that ran, of those of `bindings` that it has goals of. `results[binding][metric].median`
 * holds what was measured.
 */
export function judge({ workload, results }, bindings) {
  return goals
    .filter((goal) => goal.workload === workload.name && takesPart(goal, bindings))
    .map((goal) => {
      const metric = workload.metrics[goal.metric];
      const kind = kindOf(goal);
      const note = goal.note ? ` (${goal.note})` : '';
      const text = `${goal.workload}: ${kind.text(kind.bound, metric.label, goal.against, goal.of ?? 'ours')}${note}`;
      const own = results[judged(goal)]?.[goal.metric]?.median;
      const rival = goal.against && results[goal.against]?.[goal.metric]?.median;
      if (own === undefined || (goal.against && rival === undefined)) {
        return { ...goal, text, value: null, verdict: 'not measured' };
      }
      const value = kind.value({ own, better: goal.against && ratio(metric, own, rival) });
      return { ...goal, text, value, verdict: kind.reached(value, kind.bound) ? 'met' : 'missed' };
    });
}

/** A goal that names nothing that exists would never be judged, and nobody would notice. */
export function checkGoals(workloads) {
  for (const goal of goals) {
    const { workload: name, metric, against, of } = goal;
    const workload = workloads.find((candidate) => candidate.name === name);
    if (!workload) throw new Error(`a goal names an unknown workload: ${name}`);
    if (!(metric in workload.metrics)) throw new Error(`a goal names an unknown metric: ${name} ${metric}`);
    if (against && workload.metrics[metric].ratio === false) throw new Error(`${name} ${metric} has no ratio`);
    if (('timesFaster' in goal || 'timesSlower' in goal) !== Boolean(against)) {
      throw new Error(`a goal of ${name} and its rival do not belong together`);
    }
    if (of && !isWay(of)) throw new Error(`a goal of ${name} is of an unknown way: ${of}`);
    kindOf(goal);
  }
}
