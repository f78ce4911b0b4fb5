// The options of open(), calls, transactions and backups.

import { Integers, RowMode, Types } from './values.js';

/** When a call is not wanted any more. */
export interface CancelOptions {
  /**
   * Cancels exactly this call: if its turn has not come it is never executed, if it runs it is interrupted at once; its
   * promise is then rejected with an AbortError whose cause is `signal.reason`. If it has been executed, it is answered
   * as usual.
   */
  readonly signal?: AbortSignal | undefined;
  /** The same after so many milliseconds, with a TimeoutError; the time in the queue counts. For `iterate` per chunk. */
  readonly timeout?: number | undefined;
}

/** How a call's rows are to be. */
export interface CallOptions extends CancelOptions {
  /** `'object'` unless said. */
  readonly rowMode?: RowMode | undefined;
  /** As the database or statement has it, unless said. */
  readonly integers?: Integers | undefined;
  /** As the database or statement has it, unless said. */
  readonly types?: Types | undefined;
}

/** Options that lead to the default row mode. */
export type ObjectOptions = CallOptions & { readonly rowMode?: 'object' | undefined };

/** Options that make integers numbers. */
export interface NumberOptions {
  readonly integers: 'number';
}

/** Options of `transaction`. */
export interface TransactionOptions extends CancelOptions {
  /**
   * When the lock for writing is taken: with the first write (`'deferred'`, unless said), or at the begin. Only the
   * latter can wait for another connection's write: a transaction that has read before fails with SQLITE_BUSY when it
   * wants to write while, or after, another one wrote. Not for nested transactions.
   */
  readonly mode?: 'deferred' | 'immediate' | 'exclusive' | undefined;
}

/** SQLite's limits (SQLite documentation: "Run-Time Limits"). */
export interface Limits {
  readonly length?: number;
  readonly sqlLength?: number;
  readonly column?: number;
  readonly exprDepth?: number;
  readonly compoundSelect?: number;
  readonly vdbeOp?: number;
  readonly functionArg?: number;
  readonly attached?: number;
  readonly likePatternLength?: number;
  readonly variableNumber?: number;
  readonly triggerDepth?: number;
  readonly workerThreads?: number;
  readonly parserDepth?: number;
  readonly schema?: number;
  readonly triggerSteps?: number;
}

/** Options of `open`. */
export interface OpenOptions {
  /** Opens for reading only; the file must exist. False unless said. */
  readonly readOnly?: boolean | undefined;
  /** Creates the file when there is none. True unless said, and false with `readOnly`. */
  readonly create?: boolean | undefined;
  /** Takes file names that begin with `file:` for URIs. False unless said. */
  readonly uri?: boolean | undefined;
  /** Milliseconds to wait for locks of other connections; 5000 unless said. Only this connection waits. */
  readonly busyTimeout?: number | undefined;
  /** Pragmas that are set in this order, such as `{ journal_mode: 'wal' }`. */
  readonly pragmas?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Whether foreign keys are enforced. True unless said. */
  readonly foreignKeys?: boolean | undefined;
  /** How 64-bit integers are read; `'mixed'` unless said, so that none is rounded. */
  readonly integers?: Integers | undefined;
  /** Converters for all calls that name none. */
  readonly types?: Types | undefined;
  /** How many prepared statements are kept for calls that use the same SQL again, 0 to 1024; 64 unless said. */
  readonly statementCacheSize?: number | undefined;
  /** Bytes of results that may wait for JavaScript before SQLite waits. */
  readonly highWaterMark?: number | undefined;
  readonly limits?: Limits | undefined;
  /**
   * Takes the file, and what is attached, for hostile, from before its first page is read until the end; SECURITY.md says
   * what that stops. False unless said.
   */
  readonly untrusted?: boolean | undefined;
  /** Cancels the opening. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a backup stands. */
export interface BackupProgress {
  /** Pages of the source. */
  readonly pageCount: number;
  /** Pages that are left to copy. */
  readonly remaining: number;
}

/** Options of `backup`. */
export interface BackupOptions extends CancelOptions {
  /** Pages that are copied before other calls get their turn; 100 unless said. */
  readonly pages?: number | undefined;
  /** Called after each step. What it throws ends the backup, and rejects its promise. */
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
  /** The database that is copied: `'main'` unless said, or the name of an attached one. */
  readonly source?: string | undefined;
  /** Its name in the destination; `'main'` unless said. */
  readonly target?: string | undefined;
}
