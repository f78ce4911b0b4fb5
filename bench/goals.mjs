// The goals: what sqlite-tandem sets out to reach, each against a rival or as a bound of its own, and the verdict.
import { ours } from './bindings.mjs';

/*
 * timesFaster with against: the rival's median divided by ours is at least that.
 * atMost, below: our own median is at most, or less than, that.
 */
export const goals = [
  { workload: 'origin', metric: 'elapsed', against: 'sqlite3', timesFaster: 3.0 },
  { workload: 'origin', metric: 'elapsed', against: 'better-sqlite3', timesFaster: 1.3 },
  { workload: 'origin', metric: 'elapsedPerBusy', atMost: 1.1 },
  { workload: 'origin', metric: 'loopShare', atMost: 0.75 },
  { workload: 'origin-warm', metric: 'elapsed', against: 'sqlite3', timesFaster: 3.0 },
  { workload: 'origin-warm', metric: 'loopShare', atMost: 0.75 },
  { workload: 'point-queued', metric: 'perRead', against: 'sqlite3', timesFaster: 10 },
  { workload: 'point-awaited', metric: 'perRead', against: 'sqlite3', timesFaster: 1.5 },
  { workload: 'read-file-beside-eight', metric: 'p99', below: 3 },
];

/** How many times better ours is than the rival: more than 1 means that ours wins, whatever the metric's direction. */
export function ratio(metric, ourMedian, rivalMedian) {
  return metric.better === 'more' ? ourMedian / rivalMedian : rivalMedian / ourMedian;
}

function describe(goal, label) {
  if (goal.against) return `${goal.workload}: ${label}, ${goal.against} / ours >= ${goal.timesFaster}`;
  return `${goal.workload}: ${label} ${goal.below === undefined ? `<= ${goal.atMost}` : `< ${goal.below}`}`;
}

function reached(goal, value) {
  if (goal.against) return value >= goal.timesFaster;
  return goal.below === undefined ? value <= goal.atMost : value < goal.below;
}

/** Judges the goals of the workloads that ran. `results[binding][metric].median` holds what was measured. */
export function judge({ workload, results }) {
  return goals
    .filter((goal) => goal.workload === workload.name)
    .map((goal) => {
      const metric = workload.metrics[goal.metric];
      const text = describe(goal, metric.label);
      const own = results[ours]?.[goal.metric]?.median;
      const rival = goal.against && results[goal.against]?.[goal.metric]?.median;
      if (own === undefined || (goal.against && rival === undefined)) {
        return { ...goal, text, value: null, verdict: 'not measured' };
      }
      const value = goal.against ? ratio(metric, own, rival) : own;
      return { ...goal, text, value, verdict: reached(goal, value) ? 'met' : 'missed' };
    });
}

/** A goal that names nothing that exists would never be judged, and nobody would notice. */
export function checkGoals(workloads) {
  for (const { workload: name, metric, against } of goals) {
    const workload = workloads.find((candidate) => candidate.name === name);
    if (!workload) throw new Error(`a goal names an unknown workload: ${name}`);
    if (!(metric in workload.metrics)) throw new Error(`a goal names an unknown metric: ${name} ${metric}`);
    if (against && workload.metrics[metric].ratio === false) throw new Error(`${name} ${metric} has no ratio`);
  }
}
