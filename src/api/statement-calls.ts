// Requests to statements: how each kind of answer reaches its callback.

import { createError, misuse } from '../errors.js';
import type { Failure, Outcome } from '../request/request.js';
import type { Callback } from './arguments.js';
import { Call, guard } from './calls.js';
import type { DatabaseState } from './state.js';
import type { Statement } from './statement.js';

/** Shared with the statement: whether its failed preparation has been reported to somebody. */
export interface PrepareReport {
  done: boolean;
}

/** Base of all calls on a statement. */
export class StatementCall extends Call {
  protected readonly report: PrepareReport;

  constructor(
    statement: Statement,
    database: Call['database'],
    state: DatabaseState,
    report: PrepareReport,
    callback: Callback | undefined,
  ) {
    super(statement, database, state, callback, statement.sql);
    this.report = report;
  }

  override fail(failure: Failure): void {
    const error = createError(failure, this.sql);
    if (this.callback !== undefined) {
      this.report.done ||= failure.prepareFailed;
      // A statement that could not be prepared is nothing a callback could use.
      this.callback.call(failure.prepareFailed ? undefined : this.receiver, error);
      return;
    }
    this.failWithoutCallback(error, failure);
  }

  protected failWithoutCallback(error: Error, failure: Failure): void {
    if (failure.prepareFailed && this.report.done) return;
    this.report.done ||= failure.prepareFailed;
    this.raise(error);
  }
}

/** The preparation itself, when no other call reports it; `this` of its callback is the statement. */
export class PrepareCall extends StatementCall {
  override fail(failure: Failure): void {
    this.report.done = true;
    super.fail({ ...failure, prepareFailed: false });
  }
}

/** A request whose failure is told by the one that follows it. */
export class QuietCall extends StatementCall {
  override fail(): void {}
}

const finalized = misuse('Statement is already finalized');

/** A call behind finalize(): answered in its turn. */
export class LateCall extends StatementCall {
  override succeed(): void {
    super.fail(finalized);
  }
}

export class RunCall extends StatementCall {
  override succeed(outcome: Outcome): void {
    if (this.callback === undefined) return;
    const statement = this.receiver as Statement;
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
    if (rows.length === 0) this.callback.call(this.receiver, null);
    else this.callback.call(this.receiver, null, rows[0]);
  }
}

export class AllCall extends StatementCall {
  override succeed(): void {
    this.callback?.call(this.receiver, null, this.takeRows());
  }
}

export class MapCall extends StatementCall {
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
}

/** Rows one by one, then the end: to the row callback first what went wrong, then to the other. */
export class EachCall extends StatementCall {
  override readonly streams = true;
  readonly #complete: Callback | undefined;
  readonly #oneShot: boolean;
  #count = 0;

  constructor(
    statement: Statement,
    database: Call['database'],
    state: DatabaseState,
    report: PrepareReport,
    row: Callback | undefined,
    complete: Callback | undefined,
    oneShot: boolean,
  ) {
    super(statement, database, state, report, row);
    this.#complete = complete;
    this.#oneShot = oneShot;
  }

  override receive(rows: readonly unknown[]): void {
    if (this.callback === undefined) return;
    for (const row of rows) {
      this.#count++;
      guard(this.callback, this.receiver, null, row);
    }
  }

  override succeed(): void {
    this.#complete?.call(this.receiver, null, this.#count);
  }

  override fail(failure: Failure): void {
    const error = createError(failure, this.sql);
    if (this.callback === undefined && this.#complete === undefined) return this.failWithoutCallback(error, failure);
    this.report.done ||= failure.prepareFailed;
    // db.each() reports a failed preparation to its last function only.
    if (failure.prepareFailed && this.#oneShot) (this.#complete ?? this.callback)?.call(undefined, error);
    else {
      guard(this.callback, this.receiver, error);
      this.#complete?.call(this.receiver, error, this.#count);
    }
  }
}

export class FinalizeCall extends StatementCall {
  override succeed(): void {
    this.callback?.call(this.receiver);
  }
}
