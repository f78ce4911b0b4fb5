// What an answer means to the caller: the base of every request that users make.

import type { EventEmitter } from 'node:events';
import { createError } from '../errors.js';
import { type Failure, type Happening, type Outcome, Request } from '../request/request.js';
import { type Callback, emitError } from './arguments.js';
import type { DatabaseState } from './state.js';

/** A call with one callback, which gets null on success and the error otherwise, with the receiver as `this`. */
export class Call extends Request {
  readonly callback: Callback | undefined;
  readonly #receiver: EventEmitter;
  readonly #database: EventEmitter;
  readonly #state: DatabaseState;

  /** `receiver` is the object whose method was called; an error without a callback goes to it, then to `database`. */
  constructor(
    receiver: EventEmitter,
    database: EventEmitter,
    state: DatabaseState,
    callback: Callback | undefined,
    sql?: string,
  ) {
    super();
    this.#receiver = receiver;
    this.#database = database;
    this.#state = state;
    this.callback = callback;
    this.sql = sql;
  }

  get receiver(): EventEmitter {
    return this.#receiver;
  }

  get database(): EventEmitter {
    return this.#database;
  }

  override succeed(_outcome: Outcome): void {
    this.callback?.call(this.#receiver, null);
  }

  override fail(failure: Failure): void {
    const error = createError(failure, this.sql);
    if (this.callback !== undefined) this.callback.call(this.#receiver, error);
    else this.raise(error);
  }

  /** The error of a call without a callback. */
  protected raise(error: Error): void {
    if (!this.#state.failed) emitError(error, this.#receiver, this.#database);
  }

  override happen(happening: Happening): void {
    this.#state.happen(happening);
  }
}

/** Runs user code so that what it throws becomes an uncaught exception, and what follows is not harmed. */
export const guard = (callback: Callback | undefined, receiver: unknown, ...args: unknown[]): void => {
  try {
    callback?.call(receiver, ...args);
  } catch (error) {
    raiseLater(error);
  }
};

/** Makes an uncaught exception of it, in the present async context. */
export const raiseLater = (error: unknown): void => {
  process.nextTick(() => {
    throw error;
  });
};
