// Backup: copies one database into another, page by page, while both stay in use.

/// <reference types="node" />

import { EventEmitter } from 'node:events';
import type { Callback, DoneCallback, EndCallback, OtherEvent } from './callbacks.js';
import type { Database } from './database.js';
import type { SqliteError } from './errors.js';

/** The events of a {@link Backup} and what their listeners receive. */
export interface BackupEvents {
  /** A call without a callback failed. */
  error: [err: SqliteError];
}

/**
 * A backup between a database and a file, made by {@link Database.backup}.
 *
 * Pages are copied on the thread of the database's connection, so each {@link step} takes its turn among the queries:
 * small steps keep those waiting less. Callbacks run on the event loop's thread. An unfinished backup makes `close` of
 * the database fail with SQLITE_BUSY. Between the first and the last step of a restore from a file, every other
 * statement on the connection fails with SQLITE_LOCKED. SQLite documentation: "Online Backup API".
 */
export class Backup extends EventEmitter {
  /**
   * Begins a backup.
   *
   * @param filename the other database: a path, opened for reading and writing and created when missing.
   * @param sourceName name of the database to read from, such as 'main', 'temp' or an attached one.
   * @param destName name of the database to write to.
   * @param filenameIsDest true copies `db` into the file, false the file into `db`.
   * @param callback gets null, or the error, such as SQLITE_CANTOPEN; every queued call then gets that error too.
   * @throws TypeError when an argument has the wrong type.
   */
  constructor(
    db: Database,
    filename: string,
    sourceName: string,
    destName: string,
    filenameIsDest: boolean,
    callback?: DoneCallback<Backup>,
  );

  /** The path of the other database, as it was given. */
  readonly filename: string;
  /** Name of the database that is read. */
  readonly sourceName: string;
  /** Name of the database that is written. */
  readonly destName: string;
  /** Whether the file is written (true) or read (false). */
  readonly filenameIsDest: boolean;
  /** Whether the backup is ready and has nothing running and nothing queued. */
  readonly idle: boolean;
  /** Whether every page has been copied. */
  readonly completed: boolean;
  /** Whether the backup ended without copying every page. */
  readonly failed: boolean;
  /** Pages that were left to copy after the latest step; -1 before the first. */
  readonly remaining: number;
  /** Pages of the source at the latest step; -1 before the first. */
  readonly pageCount: number;
  /**
   * Primary result codes after which {@link step} may be tried again; any other error ends the backup.
   * {@link Database.backup} sets SQLITE_BUSY and SQLITE_LOCKED. With an empty array no error ends it and neither does
   * success: it must be ended by {@link finish}.
   * @throws Error when it is set to something else than an array.
   */
  retryErrors: number[];

  /**
   * Copies some pages.
   *
   * @param pages how many pages at most; -1 for all that are left.
   * @param callback gets `(null, true)` when every page has been copied, `(null, false)` when pages are left or a name
   *   is not that of a database (see {@link failed}), or the error: SQLITE_MISUSE after {@link finish}, SQLITE_IOERR
   *   and the like from the copying.
   * @throws TypeError when `pages` is not an integer.
   */
  step(pages: number, callback?: Callback<this, [err: SqliteError | null, completed: boolean]>): this;

  /**
   * Ends the backup and closes the file. Before every page was copied this gives the backup up: what was written to
   * the destination is rolled back and {@link failed} becomes true.
   * @param callback is called without an argument; with the error when the backup could not begin.
   */
  finish(callback?: EndCallback<this>): this;

  /** Adds a listener, which is called with `this` being the backup. */
  on<E extends keyof BackupEvents>(event: E, listener: Callback<this, BackupEvents[E]>): this;
  on<E extends string | symbol>(event: OtherEvent<E, BackupEvents>, listener: Callback<this, unknown[]>): this;
  /** The same as {@link on}. */
  addListener<E extends keyof BackupEvents>(event: E, listener: Callback<this, BackupEvents[E]>): this;
  addListener<E extends string | symbol>(event: OtherEvent<E, BackupEvents>, listener: Callback<this, unknown[]>): this;
  /** Adds a listener that is removed before its first call. */
  once<E extends keyof BackupEvents>(event: E, listener: Callback<this, BackupEvents[E]>): this;
  once<E extends string | symbol>(event: OtherEvent<E, BackupEvents>, listener: Callback<this, unknown[]>): this;
  /** Adds a listener in front of the others. */
  prependListener<E extends keyof BackupEvents>(event: E, listener: Callback<this, BackupEvents[E]>): this;
  prependListener<E extends string | symbol>(
    event: OtherEvent<E, BackupEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
  /** Adds a listener in front of the others that is removed before its first call. */
  prependOnceListener<E extends keyof BackupEvents>(event: E, listener: Callback<this, BackupEvents[E]>): this;
  prependOnceListener<E extends string | symbol>(
    event: OtherEvent<E, BackupEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
  /** Removes a listener. */
  off<E extends keyof BackupEvents>(event: E, listener: Callback<this, BackupEvents[E]>): this;
  off<E extends string | symbol>(event: OtherEvent<E, BackupEvents>, listener: Callback<this, unknown[]>): this;
  /** The same as {@link off}. */
  removeListener<E extends keyof BackupEvents>(event: E, listener: Callback<this, BackupEvents[E]>): this;
  removeListener<E extends string | symbol>(
    event: OtherEvent<E, BackupEvents>,
    listener: Callback<this, unknown[]>,
  ): this;
}
