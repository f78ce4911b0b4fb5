// Database: one connection, its calls, its events and its settings.

/// <reference types="node" />

import { EventEmitter } from 'node:events';
import type { Backup } from './backup.js';
import type {
  AllCallback,
  Callback,
  CompleteCallback,
  DoneCallback,
  GetCallback,
  MapCallback,
  OtherEvent,
  RowCallback,
} from './callbacks.js';
import type { SqliteError } from './errors.js';
import type { RunResult, Statement } from './statement.js';

/** The events of a {@link Database} and what their listeners receive. */
export interface DatabaseEvents {
  /** The database was opened. Comes after the callback of the constructor. */
  open: [];
  /** The database was closed. Comes after the callback of `close`. */
  close: [];
  /** A call without a callback failed. Without a listener the error is uncaught. */
  error: [err: SqliteError];
  /** A statement begins to run; its SQL with the bound values put in. SQLite documentation: "SQL Trace Hook". */
  trace: [sql: string];
  /** A statement has run; its SQL as written and how long it took, in milliseconds. */
  profile: [sql: string, milliseconds: number];
  /**
   * A row of a table with rowids changed; comes before the callback of the statement that changed it. The name of the
   * database is 'main', 'temp' or that of an attached one. Not reported: WITHOUT ROWID tables, rows that REPLACE
   * removes, and a DELETE of a whole table. SQLite documentation: "Data Change Notification Callbacks".
   */
  change: [type: 'insert' | 'update' | 'delete', database: string, table: string, rowid: number];
}

/** What a connection is doing and has done, as {@link Database.stats} sees it at the time of the call. */
export interface DatabaseStats {
  /**
   * Time the connection's thread has been at work since the database was opened, in milliseconds. Waiting is no work,
   * whether for a lock of another connection or for JavaScript to take results.
   */
  readonly sqliteBusyTime: number;
  /**
   * How much of that time the event loop of this thread was at work, too, in milliseconds: not waiting for events, as
   * `performance.eventLoopUtilization()` counts it. Undefined in Electron, NW.js, Bun and Deno, which do not tell.
   */
  readonly overlapTime: number | undefined;
  /** Calls that have not been answered yet, the one that is running included. */
  readonly queueLength: number;
  /** Finished results that JavaScript has not received yet, in bytes. */
  readonly undeliveredBytes: number;
  /** How many calls with SQL text found their statement prepared. */
  readonly statementCacheHits: number;
  /** How many could have, but had it prepared. */
  readonly statementCacheMisses: number;
}

/**
 * A connection to a database, with a thread of its own on which SQLite runs.
 *
 * Every method puts a request into one queue and returns at once. Requests run strictly in the order of the calls,
 * those of the connection's statements included, and callbacks are called in that order on the event loop's thread.
 * The thread never waits for JavaScript, except when undelivered results reach their limit. Pending requests keep the
 * process alive, an open database does not.
 *
 * Parameters, rows and values are described at {@link Statement}. SQL text holding a NUL character is refused.
 *
 * A failed call hands its error to its callback, as the only argument; without a callback the 'error' event carries
 * it. Calls on a closed database fail with SQLITE_MISUSE, calls behind a failed open with the error of the open.
 */
export class Database extends EventEmitter {
  /**
   * Opens a database file. The path is used as it is given; ':memory:' makes a database in memory and '' a temporary
   * file. Until 'busyTimeout' is configured otherwise, calls wait 1000 ms for locks of other connections.
   * SQLite documentation: "Opening A New Database Connection".
   *
   * @param mode OPEN_* flags; READWRITE, CREATE and FULLMUTEX when it is missing or no 32-bit integer.
   * @param callback gets null, or the error: SQLITE_CANTOPEN, SQLITE_MISUSE for flags that do not go together, and so
   *   on. Without it a failure is the event 'error'.
   * @throws TypeError when `filename` is not a string.
   */
  constructor(filename: string, callback?: DoneCallback<Database>);
  constructor(filename: string, mode?: number | null, callback?: DoneCallback<Database>);

  /** The path or URI as it was given. */
  readonly filename: string;
  /** The OPEN_* flags the database was opened with. */
  readonly mode: number;
  /** True from the successful open to the successful close. */
  readonly open: boolean;

  /**
   * Closes the database after every call before it. While a statement is not finalized or a backup not finished it
   * fails with SQLITE_BUSY, and the database stays open and usable.
   * SQLite documentation: "Closing A Database Connection".
   */
  close(callback?: DoneCallback<this>): this;

  /**
   * Runs all statements of an SQL text, without parameters, and drops their rows. It stops at the first that fails;
   * what the earlier ones did stays. SQLite documentation: "One-Step Query Execution Interface".
   * @throws TypeError when `sql` is not a string.
   */
  exec(sql: string, callback?: DoneCallback<this>): this;

  /** Calls back when every call before it has ended. */
  wait(callback?: DoneCallback<this>): this;
  /** The form that the typings of `sqlite3` declare. */
  wait(callback?: (nothing: null) => void): this;

  /**
   * Loads an SQLite extension, a shared library, into this connection. SQL itself may not load extensions.
   * SQLite documentation: "Load An Extension".
   * @param filename path of the library, whose suffix may be left out.
   * @param callback gets null, or the error: SQLITE_ERROR with the text of the system's loader.
   * @throws TypeError when `filename` is not a string.
   */
  loadExtension(filename: string, callback?: DoneCallback<this>): this;

  /**
   * Runs the first statement of `sql` to its end and drops its rows; the text behind it is ignored.
   * @param callback finds `lastID` and `changes` in its `this`, see {@link RunResult}.
   * @throws TypeError when `sql` is not a string; this holds for `get`, `all`, `each`, `map` and `prepare` too.
   */
  run(sql: string, callback?: DoneCallback<RunResult>): this;
  run(sql: string, params: unknown, callback?: DoneCallback<RunResult>): this;
  run(sql: string, ...params: [...unknown[], DoneCallback<RunResult>]): this;
  run(sql: string, ...params: unknown[]): this;

  /**
   * Fetches the first row.
   * @param callback gets `(null, row)`, or `(null)` alone when there is no row.
   */
  get<T = unknown>(sql: string, callback?: GetCallback<Statement, T>): this;
  get<T = unknown>(sql: string, params: unknown, callback?: GetCallback<Statement, T>): this;
  get<T = unknown>(sql: string, ...params: [...unknown[], GetCallback<Statement, T>]): this;
  get(sql: string, ...params: unknown[]): this;

  /**
   * Fetches all rows. The result is decoded in chunks between turns of the event loop, yet held in memory as a whole:
   * prefer {@link each} where it may be large.
   * @param callback gets `(null, rows)`, an empty array when there is no row.
   */
  all<T = unknown>(sql: string, callback?: AllCallback<Statement, T>): this;
  all<T = unknown>(sql: string, params: unknown, callback?: AllCallback<Statement, T>): this;
  all<T = unknown>(sql: string, ...params: [...unknown[], AllCallback<Statement, T>]): this;
  all(sql: string, ...params: unknown[]): this;

  /**
   * Fetches all rows and hands them over one by one. SQLite waits when rows pile up undelivered, so that memory stays
   * bounded.
   * @param callback gets `(null, row)` for each row; `(err)` once when an error comes, after the rows before it.
   * @param complete gets `(null, count)` after the last row, `(err, count)` after an error. An error of the SQL text
   *   goes to this callback alone when it is given.
   */
  each<T = unknown>(sql: string, callback?: RowCallback<Statement, T>, complete?: CompleteCallback<Statement>): this;
  each<T = unknown>(
    sql: string,
    params: unknown,
    callback?: RowCallback<Statement, T>,
    complete?: CompleteCallback<Statement>,
  ): this;
  each<T = unknown>(
    sql: string,
    ...params: [...unknown[], RowCallback<Statement, T>, CompleteCallback<Statement>]
  ): this;
  each<T = unknown>(sql: string, ...params: [...unknown[], RowCallback<Statement, T>]): this;
  each(sql: string, ...params: unknown[]): this;

  /**
   * Fetches all rows as one object keyed by the first column. The value is the second column of two, the whole row
   * where there are more, undefined where there is only one column. Of equal keys the last row wins.
   * @param callback gets `(null, result)`, an empty object when there is no row; it must be given.
   */
  map<T = unknown>(sql: string, callback: MapCallback<T>): this;
  map<T = unknown>(sql: string, params: unknown, callback: MapCallback<T>): this;
  map<T = unknown>(sql: string, ...params: [...unknown[], MapCallback<T>]): this;

  /**
   * Prepares the first statement of `sql` for repeated use and binds parameters to it; the text behind it is ignored.
   * The statement may be used at once: its calls queue up. SQLite documentation: "Compiling An SQL Statement".
   * @param callback gets null, or the error: SQLITE_ERROR for wrong SQL, SQLITE_MISUSE for an empty text. Every
   *   callback waiting on the statement then gets that error too.
   */
  prepare(sql: string, callback?: DoneCallback<Statement>): Statement;
  prepare(sql: string, params: unknown, callback?: DoneCallback<Statement>): Statement;
  prepare(sql: string, ...params: [...unknown[], DoneCallback<Statement>]): Statement;
  prepare(sql: string, ...params: unknown[]): Statement;

  /**
   * Kept for programs written for `sqlite3`: calls run in order with and without it. The function is called at once,
   * with `this` being the database, and the former mode is restored when it returns or throws.
   */
  serialize(callback?: Callback<this, []>): this;
  /** The opposite mode of {@link serialize}, called in the same way; order is kept here too. */
  parallelize(callback?: Callback<this, []>): this;

  /**
   * How long calls wait for a lock of another connection before they fail with SQLITE_BUSY, in milliseconds; 0 fails
   * at once. Like every setting it takes effect behind the calls before it; a wrong one throws `TypeError`.
   * SQLite documentation: "Set A Busy Timeout".
   */
  configure(option: 'busyTimeout', milliseconds: number): this;
  /** Lowers one of the LIMIT_* limits of the connection. SQLite documentation: "Run-time Limits". */
  configure(option: 'limit', id: number, value: number): this;
  /**
   * Whether the connection's thread goes on to the next request while JavaScript still has to receive the result of the
   * one before, which is the default. With false it waits for that, as `sqlite3` does, to measure what is gained.
   */
  configure(option: 'eager', enabled: boolean): this;
  /**
   * How INTEGER values are read: 'number' (the default) rounds beyond 2^53-1, 'bigint' makes all of them bigint,
   * 'mixed' only those beyond 2^53-1.
   */
  configure(option: 'integers', type: 'number' | 'bigint' | 'mixed'): this;
  /**
   * How many bytes of results may be finished but not taken by JavaScript before the connection's thread pauses: 4194304
   * at first. A single row may pass it.
   */
  configure(option: 'highWaterMark', bytes: number): this;
  /**
   * How many statements of calls with SQL text (`db.run(sql)`, `get`, `all`, `each`, `map`) are kept for the next call
   * with the same text: 64 at first, 0 to 1024.
   */
  configure(option: 'statementCacheSize', statements: number): this;
  /**
   * For a database file that may come from somebody else: what its schema and its pages can do to the program is
   * limited, for the rest of this connection. Call it right after the constructor, before anything reads the file.
   * Views, triggers, defaults, checks and indexes of the file may call no function and no virtual table that has side
   * effects; SQL can no longer damage the file through its internals; pages are checked as they are read; the file is
   * not mapped into memory; texts, expressions and triggers of the schema have lower limits; and `loadExtension()`
   * fails with SQLITE_AUTH. Any value but true throws `TypeError`: it cannot be taken back. SQLite documentation:
   * "Defense Against The Dark Arts".
   */
  configure(option: 'untrusted', enabled: true): this;
  /** Whether the event is raised; adding a listener turns it on, removing the last one turns it off. */
  configure(option: 'trace' | 'profile' | 'change', enabled: boolean): this;

  /**
   * Ends the statements that run on this connection with SQLITE_INTERRUPT. It does not wait in the queue, and queued
   * calls are not affected. A write that is interrupted inside a transaction rolls the whole transaction back.
   * SQLite documentation: "Interrupt A Long-Running Query".
   * @throws Error when the database is not open, or is closing.
   */
  interrupt(): this;

  /**
   * Begins a backup of the database 'main' into a file, which is created when it is missing.
   * SQLite documentation: "Online Backup API".
   * @param callback gets null, or the error, such as SQLITE_CANTOPEN.
   */
  backup(filename: string, callback?: DoneCallback<Backup>): Backup;
  /**
   * Begins a backup between this connection and a file.
   * @param sourceName name of the database to read from, on this connection or in the file.
   * @param destName name of the database to write to.
   * @param filenameIsDest true copies this database into the file, false the file into this database.
   */
  backup(
    filename: string,
    sourceName: string,
    destName: string,
    filenameIsDest: boolean,
    callback?: DoneCallback<Backup>,
  ): Backup;

  /** Numbers about the connection at this moment; reading them costs no request and waits for nothing. */
  stats(): DatabaseStats;

  /**
   * Adds a listener, which is called with `this` being the database and in the asynchronous context of the call that
   * caused the event. Listeners do not keep the process alive.
   */
  on<E extends keyof DatabaseEvents>(event: E, listener: Callback<this, DatabaseEvents[E]>): this;
  on<E extends string | symbol>(event: OtherEvent<E, DatabaseEvents>, listener: Callback<this, unknown[]>): this;
  /** The same as {@link on}. */
  addListener<E extends keyof DatabaseEvents>(event: E, listener: Callback<this, DatabaseEvents[E]>): this;
  addListener<E extends string | symbol>(
    event: OtherEvent<E, DatabaseEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
  /** Adds a listener that is removed before its first call. */
  once<E extends keyof DatabaseEvents>(event: E, listener: Callback<this, DatabaseEvents[E]>): this;
  once<E extends string | symbol>(event: OtherEvent<E, DatabaseEvents>, listener: Callback<this, unknown[]>): this;
  /** Adds a listener in front of the others. */
  prependListener<E extends keyof DatabaseEvents>(event: E, listener: Callback<this, DatabaseEvents[E]>): this;
  prependListener<E extends string | symbol>(
    event: OtherEvent<E, DatabaseEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
  /** Adds a listener in front of the others that is removed before its first call. */
  prependOnceListener<E extends keyof DatabaseEvents>(event: E, listener: Callback<this, DatabaseEvents[E]>): this;
  prependOnceListener<E extends string | symbol>(
    event: OtherEvent<E, DatabaseEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
  /** Removes a listener; when it was the last one for 'trace', 'profile' or 'change', that event is turned off. */
  off<E extends keyof DatabaseEvents>(event: E, listener: Callback<this, DatabaseEvents[E]>): this;
  off<E extends string | symbol>(event: OtherEvent<E, DatabaseEvents>, listener: Callback<this, unknown[]>): this;
  /** The same as {@link off}. */
  removeListener<E extends keyof DatabaseEvents>(event: E, listener: Callback<this, DatabaseEvents[E]>): this;
  removeListener<E extends string | symbol>(
    event: OtherEvent<E, DatabaseEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
}
