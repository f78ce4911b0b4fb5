// Statement: one prepared SQL statement of a connection, and what `run` adds to it.

/// <reference types="node" />

import { EventEmitter } from 'node:events';
import type {
  AllCallback,
  Callback,
  CompleteCallback,
  DoneCallback,
  EndCallback,
  GetCallback,
  MapCallback,
  OtherEvent,
  RowCallback,
} from './callbacks.js';
import type { Database } from './database.js';
import type { SqliteError } from './errors.js';

/** The events of a {@link Statement} and what their listeners receive. */
export interface StatementEvents {
  /** A call without a callback failed. Without a listener here it goes to the database's 'error' listeners. */
  error: [err: SqliteError];
}

/**
 * A prepared statement, made by {@link Database.prepare}.
 *
 * Every method puts a request into the queue of the connection and returns at once. SQLite runs the requests on the
 * connection's own thread, strictly in the order of the calls on the database and all of its statements; callbacks run
 * on the event loop's thread, in the same order.
 *
 * **Parameters** are copied at the call, so changing an array or Buffer afterwards does no harm. They are given as one
 * array (`[1, 'a']`), one object whose keys carry the prefix of the SQL (`{ $id: 1 }`, or numbers: `{ 1: 'a' }`), or
 * one after the other (`1, 'a'`). Accepted are string, number, bigint, boolean, null, Date (its milliseconds), RegExp
 * (its text), ArrayBuffer and its views (their bytes); undefined binds NULL. With no parameter, `[]` or `{}` the
 * earlier bindings stay; with at least one, all are cleared first. A bigint outside 64 bits throws `RangeError`, a
 * symbol `TypeError`. An unknown name or too many values: SQLITE_RANGE.
 *
 * **Rows** are plain objects keyed by column name (of equal names the last column wins) whose values are string,
 * number, Buffer (a copy of its own) or null, and bigint as chosen by `db.configure('integers', ...)`.
 *
 * **Errors** of a call go to its callback, as its only argument; without a callback to 'error' of the statement if it
 * has a listener, else to 'error' of the database if that has one, else they are uncaught. After an error the
 * statement stays usable. After {@link finalize} every call fails with SQLITE_MISUSE, after a failed prepare with the
 * error of the prepare.
 *
 * SQLite documentation: "Binding Values To Prepared Statements", "Evaluate An SQL Statement".
 */
export class Statement extends EventEmitter {
  /**
   * Prepares the first statement of `sql`, as {@link Database.prepare} does; further statements are ignored.
   *
   * @param callback gets null, or the error: SQLITE_ERROR for wrong SQL, SQLITE_MISUSE for an empty text.
   * @throws TypeError when `db` is no Database, `sql` no string or `callback` no function.
   */
  constructor(db: Database, sql: string, callback?: DoneCallback<Statement>);

  /** The SQL text as it was given, with everything behind the first statement. */
  readonly sql: string;

  /**
   * Resets the statement and binds parameters for the calls that follow; without parameters it changes nothing.
   * @param callback gets null, or the error: SQLITE_RANGE for a parameter the statement does not have.
   */
  bind(callback?: DoneCallback<this>): this;
  bind(params: unknown, callback?: DoneCallback<this>): this;
  bind(...params: [...unknown[], DoneCallback<this>]): this;
  bind(...params: unknown[]): this;

  /**
   * Resets the statement to its beginning and releases its lock; bindings stay.
   * Fails only when the statement cannot be used any more. SQLite documentation: "Reset A Prepared Statement Object".
   */
  reset(callback?: DoneCallback<this>): this;
  /** The form that the typings of `sqlite3` declare. */
  reset(callback?: (err: null) => void): this;

  /**
   * Ends the statement and frees it on the connection's thread, after every earlier call. A database with a statement
   * that is not finalized refuses to close. SQLite documentation: "Destroy A Prepared Statement Object".
   * @param callback is called without an argument; with the error when the statement failed to prepare.
   * @returns the database.
   */
  finalize(callback?: EndCallback<this>): Database;
  /** The form that the typings of `sqlite3` declare. */
  finalize(callback?: (err: Error) => void): Database;

  /**
   * Runs the statement to its end, dropping rows, and resets it.
   * @param callback finds `lastID` and `changes` in its `this`, see {@link RunResult}.
   */
  run(callback?: DoneCallback<RunResult>): this;
  run(params: unknown, callback?: DoneCallback<RunResult>): this;
  run(...params: [...unknown[], DoneCallback<RunResult>]): this;
  run(...params: unknown[]): this;

  /**
   * Fetches the next row: repeated calls without parameters walk through the result; parameters start anew.
   * The read lock is kept while further rows may follow, until {@link reset}, {@link finalize} or the last row.
   * @param callback gets `(null, row)`; `(null)` alone when there is no row, or none any more.
   */
  get<T = unknown>(callback?: GetCallback<this, T>): this;
  get<T = unknown>(params: unknown, callback?: GetCallback<this, T>): this;
  get<T = unknown>(...params: [...unknown[], GetCallback<this, T>]): this;
  get(...params: unknown[]): this;

  /**
   * Fetches all rows from the beginning. The result is decoded in chunks between turns of the event loop, yet held in
   * memory as a whole: prefer {@link each} where it may be large.
   * @param callback gets `(null, rows)`, an empty array when there is no row.
   */
  all<T = unknown>(callback?: AllCallback<this, T>): this;
  all<T = unknown>(params: unknown, callback?: AllCallback<this, T>): this;
  all<T = unknown>(...params: [...unknown[], AllCallback<this, T>]): this;
  all(...params: unknown[]): this;

  /**
   * Fetches all rows from the beginning and hands them over one by one. SQLite waits when rows pile up undelivered, so
   * that memory stays bounded.
   * @param callback gets `(null, row)` for each row; `(err)` once when an error comes, after the rows before it.
   * @param complete gets `(null, count)` after the last row, `(err, count)` after an error.
   */
  each<T = unknown>(callback?: RowCallback<this, T>, complete?: CompleteCallback<this>): this;
  each<T = unknown>(params: unknown, callback?: RowCallback<this, T>, complete?: CompleteCallback<this>): this;
  each<T = unknown>(...params: [...unknown[], RowCallback<this, T>, CompleteCallback<this>]): this;
  each<T = unknown>(...params: [...unknown[], RowCallback<this, T>]): this;
  each(...params: unknown[]): this;

  /**
   * Fetches all rows as one object keyed by the first column. The value is the second column of two, the whole row
   * where there are more, undefined where there is only one column. Of equal keys the last row wins.
   * @param callback gets `(null, result)`, an empty object when there is no row; it must be given.
   */
  map<T = unknown>(callback: MapCallback<T>): this;
  map<T = unknown>(params: unknown, callback: MapCallback<T>): this;
  map<T = unknown>(...params: [...unknown[], MapCallback<T>]): this;

  /** Adds a listener, which is called with `this` being the statement. */
  on<E extends keyof StatementEvents>(event: E, listener: Callback<this, StatementEvents[E]>): this;
  on<E extends string | symbol>(event: OtherEvent<E, StatementEvents>, listener: Callback<this, unknown[]>): this;
  /** The same as {@link on}. */
  addListener<E extends keyof StatementEvents>(event: E, listener: Callback<this, StatementEvents[E]>): this;
  addListener<E extends string | symbol>(
    event: OtherEvent<E, StatementEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
  /** Adds a listener that is removed before its first call. */
  once<E extends keyof StatementEvents>(event: E, listener: Callback<this, StatementEvents[E]>): this;
  once<E extends string | symbol>(event: OtherEvent<E, StatementEvents>, listener: Callback<this, unknown[]>): this;
  /** Adds a listener in front of the others. */
  prependListener<E extends keyof StatementEvents>(event: E, listener: Callback<this, StatementEvents[E]>): this;
  prependListener<E extends string | symbol>(
    event: OtherEvent<E, StatementEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
  /** Adds a listener in front of the others that is removed before its first call. */
  prependOnceListener<E extends keyof StatementEvents>(event: E, listener: Callback<this, StatementEvents[E]>): this;
  prependOnceListener<E extends string | symbol>(
    event: OtherEvent<E, StatementEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
  /** Removes a listener. */
  off<E extends keyof StatementEvents>(event: E, listener: Callback<this, StatementEvents[E]>): this;
  off<E extends string | symbol>(event: OtherEvent<E, StatementEvents>, listener: Callback<this, unknown[]>): this;
  /** The same as {@link off}. */
  removeListener<E extends keyof StatementEvents>(event: E, listener: Callback<this, StatementEvents[E]>): this;
  removeListener<E extends string | symbol>(
    event: OtherEvent<E, StatementEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
}

/**
 * The statement as the callback of a `run` that succeeded sees it, in `this`. The two properties are set by `run` with
 * a callback only and keep their values through later calls that fail. They are numbers, exact up to 2^53-1.
 */
export interface RunResult extends Statement {
  /**
   * Rowid of the latest INSERT of this connection into a table with rowids; a statement that inserts nothing leaves
   * the value of an earlier one. SQLite documentation: "Last Insert Rowid".
   */
  lastID: number;
  /**
   * How many rows the latest INSERT, UPDATE or DELETE of this connection changed, triggers and foreign key actions not
   * counted; other statements leave the value of an earlier one.
   * SQLite documentation: "Count The Number Of Rows Modified".
   */
  changes: number;
}
