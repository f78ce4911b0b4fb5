// What an answer means to the caller: the base of every request that users make.

import type { EventEmitter } from 'node:events';
import { createError, type SqliteError } from '../errors.js';
import { raise } from '../request/raise.js';
import { type Failure, type Happening, type Outcome, Request } from '../request/request.js';
import { type Callback, emitError } from './arguments.js';
import type { DatabaseState } from './state.js';

/** Where calls come from: made once for each statement or backup, and for each call on a database. */
export class Origin {
  protected object: EventEmitter | undefined;
  readonly database: EventEmitter;
  readonly state: DatabaseState;
  /** The SQL text, for errors. */
  readonly sql: string | undefined;
  /** The failed preparation of the statement has been reported to somebody. */
  reported = false;

  constructor(receiver: EventEmitter | undefined, database: EventEmitter, state: DatabaseState, sql?: string) {
    this.object = receiver;
    this.database = database;
    this.state = state;
    this.sql = sql;
  }

  /** `this` of the callback; an error without a callback goes to its listeners, then to those of the database. */
  get receiver(): EventEmitter {
    return this.object ?? this.database;
  }

  createError(failure: Failure): SqliteError {
    return createError(failure, this.sql, this.state.extendedCodes);
  }

  /** Reports an error that no callback takes. */
  raise(error: Error): void {
    // What was queued behind a failed open has been told by that already.
    if (!this.state.failed) emitError(error, this.receiver, this.database);
  }
}

/** A call with one callback, which gets null on success and the error otherwise. */
export class Call extends Request {
  // Few fields: programs queue these by the hundred thousand, and the garbage collector copies each.
  readonly origin: Origin;
  readonly callback: Callback | undefined;

  constructor(origin: Origin, callback: Callback | undefined) {
    super();
    this.origin = origin;
    this.callback = callback;
  }

  override succeed(_outcome: Outcome): void {
    this.callback?.call(this.origin.receiver, null);
  }

  override fail(failure: Failure): void {
    const error = this.origin.createError(failure);
    if (this.callback !== undefined) this.callback.call(this.origin.receiver, error);
    else this.origin.raise(error);
  }

  override happen(happening: Happening): void {
    this.origin.state.happen(happening);
  }
}

/**
 * Reports at once, before the method returns, what can never be queued, as node-sqlite3 does: to the callback, or as an
 * 'error' event, which is thrown when nobody listens.
 */
export const refuse = (origin: Origin, failure: Failure, callback: Callback | undefined, prepared = true): void => {
  const error = origin.createError(failure);
  // A call whose statement could not even be prepared has no object to show.
  if (callback !== undefined) callback.call(prepared ? origin.receiver : undefined, error);
  else emitError(error, origin.receiver, origin.database);
};

/** Runs user code so that what it throws becomes an uncaught exception, and what follows is not harmed. */
export const guard = (callback: Callback | undefined, receiver: unknown, ...args: unknown[]): void => {
  try {
    callback?.call(receiver, ...args);
  } catch (error) {
    raise(error);
  }
};
