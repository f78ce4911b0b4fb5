// The subpath 'sqlite-tandem/timeline': records when SQLite and the event loop were busy, side by side.

import type { Database } from './api/database.js';
import { stateOfArgument } from './api/state.js';
import { mailbox } from './mailbox.js';
import type { BusySpan } from './request/spans.js';

/** In milliseconds of performance.now(), like all times of a timeline. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Timeline extends Span {
  readonly sqlite: readonly Span[];
  readonly eventLoop: readonly Span[];
  readonly overlap: number;
}

export interface Recording {
  stop(): Timeline;
}

const nanosecondsPerMillisecond = 1e6;

/** How often the clocks are compared. */
const comparisons = 10;

/**
 * What is to be added to process.hrtime() in milliseconds to get performance.now(). The comparison that took the shortest
 * time counts: in the midst of another, this thread may have had to wait.
 */
const clockOffset = (): number => {
  let offset = 0;
  let shortest = Number.POSITIVE_INFINITY;
  for (let times = 0; times < comparisons; times++) {
    const before = performance.now();
    const time = Number(process.hrtime.bigint()) / nanosecondsPerMillisecond;
    const after = performance.now();
    if (after - before >= shortest) continue;
    shortest = after - before;
    offset = (before + after) / 2 - time;
  }
  return offset;
};

/** The parts of spans that lie between start and end. */
const clip = (spans: readonly Span[], start: number, end: number): Span[] =>
  spans
    .map((span) => ({ start: Math.max(span.start, start), end: Math.min(span.end, end) }))
    .filter((span) => span.start < span.end);

/** How long spans of both lists, each in order, last at the same time. */
const overlapOf = (some: readonly Span[], others: readonly Span[]): number => {
  let overlap = 0;
  let i = 0;
  let j = 0;
  for (;;) {
    const a = some[i];
    const b = others[j];
    if (a === undefined || b === undefined) return overlap;
    overlap += Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
    if (a.end < b.end) i++;
    else j++;
  }
};

/** Begins to record a database's thread and the event loop of this thread. */
export function record(database: Database): Recording {
  const { spans } = stateOfArgument(database).connection;
  const offset = clockOffset();
  const busy: BusySpan[] = [];
  const eventLoop: Span[] = [];
  const observer = (start: number, end: number): void => {
    eventLoop.push({ start, end });
  };
  let timeline: Timeline | undefined;
  spans.record(busy);
  mailbox.observers.add(observer);
  const start = performance.now();

  const finish = (): Timeline => {
    const end = performance.now();
    spans.stop(busy);
    mailbox.observers.delete(observer);
    const milliseconds = (time: number): number => time / nanosecondsPerMillisecond + offset;
    const sqlite = clip(
      busy.map((span) => ({ start: milliseconds(span.start), end: milliseconds(span.end) })),
      start,
      end,
    );
    const loop = clip(eventLoop, start, end);
    return { start, end, sqlite, eventLoop: loop, overlap: overlapOf(sqlite, loop) };
  };
  return {
    stop(): Timeline {
      timeline ??= finish();
      return timeline;
    },
  };
}
