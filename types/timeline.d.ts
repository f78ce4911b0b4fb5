// The subpath 'sqlite-tandem/timeline': when SQLite and the event loop were busy, side by side.

import type { Database } from './index.js';

/** A time during which one side was busy, in milliseconds on the clock of `performance.now()`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What was recorded; all times are in milliseconds on the clock of `performance.now()`. */
export interface Timeline {
  /** When the recording began. */
  readonly start: number;
  /** When the recording ended. */
  readonly end: number;
  /** When the connection's thread was inside SQLite, in order and without overlaps. */
  readonly sqlite: readonly Span[];
  /** When the event loop was running JavaScript, in order and without overlaps. */
  readonly eventLoop: readonly Span[];
  /** How long both were busy at the same time, in milliseconds. */
  readonly overlap: number;
}

/** A recording that is running. */
export interface Recording {
  /** Ends the recording and returns it; the database is not affected. */
  stop(): Timeline;
}

/**
 * Begins to record one connection and the event loop of the calling thread. Nothing waits in the queue and no call of
 * the database changes; recording costs a little time for each request.
 * @throws TypeError when `db` is not a {@link Database}.
 */
export function record(db: Database): Recording;
