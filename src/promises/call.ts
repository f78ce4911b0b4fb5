// A call on its way: a request that settles a promise, waits for its turn, and can be cancelled.

import type { Connection } from '../request/connection.js';
import { type Failure, type Outcome, Request } from '../request/request.js';
import { abortError, type CancelOptions, type Watch, watch } from './cancel.js';
import { isInterrupt, type MakeError, rejection, sqliteError } from './errors.js';
import type { Entry, Scope } from './scope.js';

const waiting = 0;
const sent = 1;
const settled = 2;

/** Exactly one of its promise's two ends comes, once. */
export abstract class Call<T> extends Request implements Entry {
  protected readonly scope: Scope;
  readonly sql: string | undefined;
  #resolve: ((value: T | PromiseLike<T>) => void) | undefined = undefined;
  #state = waiting;
  #watch: Watch | undefined = undefined;
  /** Set when it was cancelled. */
  #error: MakeError | undefined = undefined;

  constructor(scope: Scope, sql?: string) {
    super();
    this.scope = scope;
    this.sql = sql;
  }

  override get together(): boolean {
    return true;
  }

  /** Writes the requests; this one is the last of them that is answered. */
  protected abstract write(connection: Connection): void;

  /** What the promise is fulfilled with. */
  protected abstract result(outcome: Outcome): T;

  /** Sends it when its turn comes. `internal` is for what must go on although new calls are refused. */
  enter(options: CancelOptions = noOptions, internal = false): Promise<T> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (options.signal?.aborted) return this.refuse(abortError(options.signal));
      this.#watch = watch(this, options);
      this.scope.admit(this, internal);
    });
  }

  /** Sends it although it is not the turn of its scope: it is what begins or ends the turn. */
  bypass(options: CancelOptions = noOptions): Promise<T> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#watch = watch(this, options);
      this.start();
    });
  }

  get cancelled(): boolean {
    return this.#state === settled;
  }

  /** It has to wait for its turn; the caller may change its Buffers meanwhile. */
  postponed(): void {}

  start(): void {
    this.#state = sent;
    this.scope.running?.add(this);
    try {
      this.write(this.scope.session.connection);
    } catch (error) {
      // Only what is too large for any memory gets here: nothing of this request has been queued.
      this.refuse(() => error as Error);
    }
  }

  cancel(make: MakeError): void {
    if (this.#state === settled) return;
    if (this.#state === waiting) return this.refuse(make);
    this.#error ??= make;
    this.cancelRequests(this.scope.session.connection);
  }

  /** Those that may take long. */
  protected cancelRequests(connection: Connection): void {
    connection.cancel(this);
  }

  #settle(value: T | PromiseLike<T>): void {
    if (this.#state === settled) return;
    this.#state = settled;
    this.scope.running?.delete(this);
    this.#watch?.stop();
    this.#resolve?.(value);
  }

  refuse(make: MakeError): void {
    // Otherwise the rejection would be nobody's.
    if (this.#state !== settled) this.#settle(rejection(make));
  }

  /** The result could not be made, although SQLite had one. */
  protected settleWith(make: () => T): void {
    let value: T;
    try {
      value = make();
    } catch (error) {
      return this.refuse(() => error as Error);
    }
    this.#settle(value);
  }

  override succeed(outcome: Outcome): void {
    this.#settle(this.result(outcome));
  }

  override fail(failure: Failure): void {
    this.refuse(this.#error !== undefined && isInterrupt(failure) ? this.#error : sqliteError(failure, this.sql));
  }
}

const noOptions: CancelOptions = {};
