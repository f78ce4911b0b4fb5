// Database and Transaction: what SQL is executed on.

import type { DatabaseStats } from '../database.js';
import { All, Get, Iterate, RunResult } from './calls.js';
import {
  BackupOptions,
  CallOptions,
  CancelOptions,
  NumberOptions,
  ObjectOptions,
  TransactionOptions,
} from './options.js';
import { Sql, SqlTag } from './sql.js';
import { Statement } from './statement.js';
import { Cell, NumberCell, NumberRow, Parameters, Row } from './values.js';

export type { DatabaseStats };

/** `prepare`: a statement whose rows are of type `T` and whose parameters are of type `P`. */
export interface Prepare {
  <T = NumberRow, P = Parameters | undefined>(
    sql: string,
    options: ObjectOptions & NumberOptions,
  ): Promise<Statement<T, P>>;
  <T = Row, P = Parameters | undefined>(sql: string, options?: ObjectOptions): Promise<Statement<T, P>>;
  <T = NumberCell[], P = Parameters | undefined>(
    sql: string,
    options: CallOptions & NumberOptions & { readonly rowMode: 'array' },
  ): Promise<Statement<T, P>>;
  <T = Cell[], P = Parameters | undefined>(
    sql: string,
    options: CallOptions & { readonly rowMode: 'array' },
  ): Promise<Statement<T, P>>;
  <T = NumberCell, P = Parameters | undefined>(
    sql: string,
    options: CallOptions & NumberOptions & { readonly rowMode: 'value' },
  ): Promise<Statement<T, P>>;
  <T = Cell, P = Parameters | undefined>(
    sql: string,
    options: CallOptions & { readonly rowMode: 'value' },
  ): Promise<Statement<T, P>>;
}

/**
 * The calls that a database and a transaction have in common. None of them throws: what is wrong rejects the promise.
 * The text must hold exactly one statement, except that of `exec`.
 */
declare abstract class Queries {
  protected constructor();
  /** Makes SQL with values; the same function as the export `sql`. */
  readonly sql: SqlTag;
  /** Executes a statement to its end. */
  run(sql: string | Sql, parameters?: Parameters, options?: CallOptions): Promise<RunResult>;
  readonly get: Get;
  readonly all: All;
  readonly iterate: Iterate;
  /** Executes all statements of a text, up to the first that fails. */
  exec(script: string, options?: CancelOptions): Promise<void>;
  readonly prepare: Prepare;
  /**
   * Executes `work` in a transaction: committed when its promise is fulfilled, rolled back when it is rejected. Calls of
   * others wait until then. On a transaction it is a nested one, a savepoint.
   */
  transaction<T>(work: (transaction: Transaction) => T | PromiseLike<T>, options?: TransactionOptions): Promise<T>;
}

/**
 * What a transaction's calls are made on; after its end they fail with SQLITE_MISUSE, and so do COMMIT, END and ROLLBACK,
 * which would end it behind its back.
 */
export class Transaction extends Queries {
  private constructor();
}

/** A connection with a thread of its own. Calls are executed in the order in which they were made. */
export class Database extends Queries {
  private constructor();
  /** As it was given to `open`. */
  readonly filename: string;
  /** Whether calls are taken: until `close` is called. */
  readonly isOpen: boolean;
  /**
   * Copies the database into a file, in steps between which other calls run.
   * @returns the pages that were copied.
   */
  backup(destination: string, options?: BackupOptions): Promise<{ readonly pageCount: number }>;
  stats(): DatabaseStats;
  /** Waits for what was called before, finalizes all statements, and closes. Again is no error. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
