// stats(): what a database and its thread are doing.

import type { Connection } from './connection.js';

export interface DatabaseStats {
  /** Milliseconds in which SQLite's thread was at work, since the database was opened; waiting for locks is no work. */
  readonly sqliteBusyTime: number;
  /**
   * Milliseconds of these in which the event loop was at work, too, as performance.eventLoopUtilization() sees it;
   * undefined where the runtime does not tell.
   */
  readonly overlapTime: number | undefined;
  /** Calls that are not answered yet. */
  readonly queueLength: number;
  /** Bytes of results that JavaScript has not taken yet. */
  readonly undeliveredBytes: number;
  /** Calls with SQL text whose statement had been prepared before. */
  readonly statementCacheHits: number;
  /** Calls with SQL text that could have been served so, but were not. */
  readonly statementCacheMisses: number;
}

const nanosecondsPerMillisecond = 1e6;

export const statsOf = (connection: Connection): DatabaseStats => {
  const { busy, idle, undelivered, cacheHits, cacheMisses } = connection.stats();
  return {
    sqliteBusyTime: busy / nanosecondsPerMillisecond,
    overlapTime: idle < 0 ? undefined : (busy - idle) / nanosecondsPerMillisecond,
    queueLength: connection.waiting,
    undeliveredBytes: undelivered,
    statementCacheHits: cacheHits,
    statementCacheMisses: cacheMisses,
  };
};
