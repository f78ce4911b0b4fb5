// Requests to statements: how each kind of answer reaches its callback.

import { misuse } from '../errors.js';
import { type Failure, type Outcome, Request } from '../request/request.js';
import type { Callback } from './arguments.js';
import { Call, guard, type Origin } from './calls.js';
import type { Statement } from './statement.js';

/** Base of all calls on a statement. */
export class StatementCall extends Call {
  override fail(failure: Failure): void {
    const { origin, callback } = this;
    const error = origin.createError(failure);
    if (callback === undefined) return this.failWithoutCallback(error, failure);
    origin.reported ||= failure.prepareFailed;
    // A statement that could not be prepared is nothing a callback could use.
    callback.call(failure.prepareFailed ? undefined : origin.receiver, error);
  }

  protected failWithoutCallback(error: Error, failure: Failure): void {
    const { origin } = this;
    if (failure.prepareFailed && origin.reported) return;
    origin.reported ||= failure.prepareFailed;
    origin.raise(error);
  }
}

/** The preparation itself, when no other call reports it; `this` of its callback is the statement. */
export class PrepareCall extends StatementCall {
  override fail(failure: Failure): void {
    this.origin.reported = true;
    super.fail({ ...failure, prepareFailed: false });
  }
}

/** A request whose failure is told by the one that follows it. */
export class QuietCall extends StatementCall {
  override fail(): void {}
}

/** Of a call on a statement that finalize() has ended. */
export const finalized = misuse('Statement is already finalized');

/** Waits behind finalize() and then answers the call that came too late. */
export class LateCall extends Request {
  readonly #call: StatementCall;

  constructor(call: StatementCall) {
    super();
    this.#call = call;
  }

  override succeed(): void {
    this.#call.fail(finalized);
  }

  override fail(): void {
    this.#call.fail(finalized);
  }
}

export class RunCall extends StatementCall {
  override succeed(outcome: Outcome): void {
    if (this.callback === undefined) return;
    const statement = this.origin.receiver as Statement;
    statement.lastID = outcome.lastID;
    statement.changes = outcome.changes;
    this.callback.call(statement, null);
  }
}

export class GetCall extends StatementCall {
  override succeed(): void {
    const rows = this.takeRows();
    if (this.callback === undefined) return;
    // One argument when there is no row.
    if (rows.length === 0) this.callback.call(this.origin.receiver, null);
    else this.callback.call(this.origin.receiver, null, rows[0]);
  }
}

export class AllCall extends StatementCall {
  override succeed(): void {
    this.callback?.call(this.origin.receiver, null, this.takeRows());
  }
}

export class MapCall extends StatementCall {
  /** Without a callback there is nobody to map for: a TypeError. */
  constructor(origin: Origin, callback: Callback | undefined) {
    if (callback === undefined) throw new TypeError('callback is not a function');
    super(origin, callback);
  }

  override succeed(): void {
    const result: Record<string, unknown> = {};
    const rows = this.takeRows() as Record<string, unknown>[];
    const keys = Object.keys(rows[0] ?? {});
    const [key = '', value = ''] = keys;
    for (const row of rows) {
      Object.defineProperty(result, String(row[key]), {
        value: keys.length > 2 ? row : row[value],
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    this.callback?.call(undefined, null, result);
  }

  /** The callback of map() never has a `this`. */
  override fail(failure: Failure): void {
    this.callback?.call(undefined, this.origin.createError(failure));
  }
}

/** Rows one by one, then the end: to the row callback first what went wrong, then to the other. */
export class EachCall extends StatementCall {
  readonly #complete: Callback | undefined;
  readonly #oneShot: boolean;
  #count = 0;

  constructor(origin: Origin, row: Callback | undefined, complete: Callback | undefined, oneShot: boolean) {
    super(origin, row);
    this.#complete = complete;
    this.#oneShot = oneShot;
  }

  override get streams(): boolean {
    return true;
  }

  override receive(rows: readonly unknown[]): void {
    if (this.callback === undefined) return;
    for (const row of rows) {
      this.#count++;
      guard(this.callback, this.origin.receiver, null, row);
    }
  }

  override succeed(): void {
    this.#complete?.call(this.origin.receiver, null, this.#count);
  }

  override fail(failure: Failure): void {
    const error = this.origin.createError(failure);
    if (this.callback === undefined && this.#complete === undefined) return this.failWithoutCallback(error, failure);
    this.origin.reported ||= failure.prepareFailed;
    // db.each() reports a failed preparation to its last function only.
    if (failure.prepareFailed && this.#oneShot) (this.#complete ?? this.callback)?.call(undefined, error);
    else {
      guard(this.callback, this.origin.receiver, error);
      this.#complete?.call(this.origin.receiver, error, this.#count);
    }
  }
}

export class FinalizeCall extends StatementCall {
  override succeed(): void {
    this.callback?.call(this.origin.receiver);
  }
}
