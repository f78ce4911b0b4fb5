// A call on its way: what JavaScript keeps of it until SQLite's thread has answered.

import { type Carrier, isTellable, LightCarrier, ResourceCarrier } from './context.js';

/** An SQLite error as the SQLite thread reports it. */
export interface Failure {
  /** Extended result code. */
  readonly code: number;
  readonly message: string;
  /** Byte offset into the SQL text, or -1. */
  readonly offset: number;
  /** The error is that of the statement's preparation. */
  readonly prepareFailed: boolean;
}

/** What a successful answer says besides its rows. */
export interface Outcome {
  readonly changes: number;
  readonly lastID: number;
}

/** Where a backup stands after a step. */
export interface BackupState {
  readonly completed: boolean;
  readonly remaining: number;
  readonly pageCount: number;
  readonly failed: boolean;
}

/** How rows look: objects by column name, arrays of cells, or the first cell alone. */
export type RowMode = 'object' | 'array' | 'value';

/** A column of a result; the four places are null for an expression. */
export interface ColumnDescription {
  readonly name: string;
  /** As declared in the table. */
  readonly type: string | null;
  readonly database: string | null;
  readonly table: string | null;
  /** Its name in the table. */
  readonly column: string | null;
}

/** What a prepared statement is. */
export interface Description {
  readonly readOnly: boolean;
  /** 0, or 1 for EXPLAIN and 2 for EXPLAIN QUERY PLAN. */
  readonly explain: number;
  /** Names with their prefix; empty for those without a name. */
  readonly parameters: readonly string[];
  readonly columns: readonly ColumnDescription[];
}

/** Something that happened while the request ran. */
export type Happening =
  | { readonly event: 'trace'; readonly sql: string }
  | { readonly event: 'profile'; readonly sql: string; readonly milliseconds: number }
  | {
      readonly event: 'change';
      readonly operation: number;
      readonly database: string;
      readonly table: string;
      readonly rowID: number;
    };

/** The sequence number of a request that has not been sent. */
export const unsent = -1;

const CarrierHere: new () => Carrier = isTellable ? LightCarrier : ResourceCarrier;

/**
 * Base of every request. A subclass says what its answer means to the caller; exactly one of succeed() and fail() is
 * called, once, on the event loop. It carries the caller's async context to the callback.
 */
export abstract class Request extends CarrierHere {
  sequence = unsent;
  /** The one submitted after this, of the same connection. */
  next: Request | undefined = undefined;
  /** Answered; its callback has been called or is about to be. */
  settled = false;
  /** It has no answer of its own when it succeeds. */
  quiet = false;
  /** Rows that have arrived. */
  rows: unknown[] | undefined = undefined;
  /** What went wrong while its rows were decoded; the answer is then this error. */
  damage: Failure | undefined = undefined;

  /** Rows go out as they arrive instead of all at the end. */
  get streams(): boolean {
    return false;
  }

  /** Several of these may be answered in one turn, for instance when the answer only settles a promise. */
  get together(): boolean {
    return false;
  }

  get rowMode(): RowMode {
    return 'object';
  }

  abstract succeed(outcome: Outcome): void;
  abstract fail(failure: Failure): void;

  /**
   * The rows, which the request forgets: one that waited long is old for the garbage collector, and what it refers to
   * would be kept until the next full collection.
   */
  protected takeRows(): unknown[] {
    const rows = this.rows ?? [];
    this.rows = undefined;
    return rows;
  }

  /** Rows of a request that streams. */
  receive(_rows: readonly unknown[]): void {}

  /** Where a backup stands after the step; the answer follows. */
  progress(_backup: BackupState): void {}

  /** What the statement is; the answer follows. */
  describe(_description: Description): void {}

  /** Its statement was left where it is, for there may be more rows; the answer follows. */
  park(): void {}

  /** An event that the request caused. */
  happen(_happening: Happening): void {}
}
