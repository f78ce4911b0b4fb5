// Statement: prepared once, executed often.

import { Rows, RunResult } from './calls.js';
import { CallOptions, CancelOptions } from './options.js';
import { Parameters } from './values.js';

/** A column of a result. The places are null for an expression, or where SQLite cannot tell. */
export interface Column {
  readonly name: string;
  /** As declared in the table, such as 'VARCHAR(20)'. */
  readonly type: string | null;
  /** Name of the database, such as 'main'. */
  readonly database: string | null;
  readonly table: string | null;
  /** Its name in the table. */
  readonly column: string | null;
}

/** The arguments of a call on a statement: parameters may be left out only where there may be none. */
type Arguments<P, Options> = undefined extends P
  ? [parameters?: P, options?: Options]
  : [parameters: P, options?: Options];

/** Options that leave the row mode as it is. */
type SameRows = CallOptions & { readonly rowMode?: undefined };

/**
 * A prepared statement. `T` is its row, `P` its parameters. Its calls are executed in the order in which they were made,
 * in turn with the others of its database; after `finalize` they fail with SQLITE_MISUSE.
 */
export class Statement<T = unknown, P = Parameters | undefined> {
  private constructor();
  /** The text as it was given. */
  readonly sql: string;
  /** Names of the parameters by position, with their prefix; null for one without a name. */
  readonly parameters: readonly (string | null)[];
  /** Whether it leaves the database file as it is. */
  readonly readOnly: boolean;
  /** Executes it to its end. */
  run(...args: Arguments<P, CallOptions>): Promise<RunResult>;
  /** The first row, or undefined when there is none. */
  get(...args: Arguments<P, SameRows>): Promise<T | undefined>;
  get<Other>(parameters: P, options: CallOptions): Promise<Other | undefined>;
  /** All rows. */
  all(...args: Arguments<P, SameRows>): Promise<T[]>;
  all<Other>(parameters: P, options: CallOptions): Promise<Other[]>;
  /** The rows one by one, by a cursor of its own. */
  iterate(...args: Arguments<P, SameRows>): Rows<T>;
  iterate<Other>(parameters: P, options: CallOptions): Rows<Other>;
  /** The columns of its rows, as they are now; none when it gives no rows. */
  columns(options?: CancelOptions): Promise<readonly Column[]>;
  /** The text with these values in it. */
  expandedSQL(...args: Arguments<P, SameRows>): Promise<string>;
  /** Ends it, after the calls made before. Again is no error. */
  finalize(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
