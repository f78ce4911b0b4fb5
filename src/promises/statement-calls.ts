// Calls with SQL: on a prepared statement, or on one that is prepared for the call and finalized right after it.

import { layout } from '../native/layout.js';
import { type Bindable, writeValues } from '../request/bind.js';
import type { Connection } from '../request/connection.js';
import { type Description, type Failure, type Outcome, Request, type RowMode } from '../request/request.js';
import type { Writer } from '../request/writer.js';
import { Call } from './call.js';
import { convertRows } from './convert.js';
import { misuseError } from './errors.js';
import type { Settings } from './options.js';
import { keepValues } from './parameters.js';
import type { Scope } from './scope.js';
import { type Handle, Quiet } from './session.js';

export interface RunResult {
  readonly changes: number;
  readonly lastID: number;
}

/**
 * A prepared statement. Its Statement and the calls that wait hold this object; when it is collected, nobody can use the
 * statement any more.
 */
export interface Prepared {
  readonly handle: Handle;
  readonly description: Description;
}

/** Asks what a statement is; tells it, or undefined when that failed. */
export class DescribeRequest extends Request {
  readonly #tell: (description: Description | undefined) => void;
  #description: Description | undefined;

  constructor(tell: (description: Description | undefined) => void) {
    super();
    this.#tell = tell;
  }

  override get together(): boolean {
    return true;
  }

  override describe(description: Description): void {
    this.#description = description;
  }

  override succeed(): void {
    this.#tell(this.#description);
  }

  override fail(): void {
    this.#tell(undefined);
  }
}

/** Base of all calls that execute a statement. */
export abstract class StatementCall<T> extends Call<T> {
  /** The prepared statement; undefined when there is one for this call only. */
  readonly #prepared: { readonly handle: Handle } | undefined;
  readonly #operation: number;
  #values: readonly Bindable[];
  /** The preparation for this call, which may have to wait for a lock, too. */
  #preparation: Request | undefined = undefined;
  protected readonly settings: Settings;

  constructor(
    scope: Scope,
    sql: string,
    prepared: { readonly handle: Handle } | undefined,
    operation: number,
    values: readonly Bindable[],
    settings: Settings,
  ) {
    super(scope, sql);
    this.#prepared = prepared;
    this.#operation = operation;
    this.#values = values;
    this.settings = settings;
  }

  override get rowMode(): RowMode {
    return this.settings.rowMode;
  }

  override postponed(): void {
    this.#values = keepValues(this.#values);
  }

  /** Whether the columns must be known before the rows can be handed over. */
  protected get converts(): boolean {
    return this.settings.converters !== undefined && this.#operation !== layout.operationRun;
  }

  protected override write(connection: Connection): void {
    const handle = this.#prepared?.handle;
    if (handle === undefined) return this.converts ? this.#writeDescribed(connection) : this.#writeOnce(connection);
    if (handle.ended) return this.refuse(misuseError('the statement has been finalized', this.sql));
    // A get() begins anew each time, and leaves nothing open for another one.
    const flags = this.#operation === layout.operationGet ? layout.requestOneShot : 0;
    this.#send(connection, handle.id, flags, false);
    if (this.converts) connection.send(this.#describe(), layout.operationDescribe, 0, handle.id);
  }

  #writeOnce(connection: Connection): void {
    this.#send(connection, 0, layout.requestWithText | layout.requestStrict, false);
  }

  /** Prepares, calls, describes and finalizes: the description needs a statement that stays until then. */
  #writeDescribed(connection: Connection): void {
    const id = connection.allocateStatement();
    const { requestQuiet: quiet, requestOneShot: once } = layout;
    this.prepare(connection, once, id);
    try {
      this.#send(connection, id, once, true);
      connection.send(this.#describe(), layout.operationDescribe, once, id, undefined, true);
    } finally {
      connection.send(new Quiet(), layout.operationFinalize, quiet | once, id);
      connection.freeStatement(id);
    }
  }

  /** Prepares for this call alone; how that went is told by the call. */
  protected prepare(connection: Connection, flags: number, id: number): void {
    const { sql = '' } = this;
    const request = new Quiet();
    this.#preparation = request;
    const all = flags | layout.requestQuiet | layout.requestStrict;
    connection.send(request, layout.operationPrepare, all, id, (writer) => writer.terminatedText(sql), true);
  }

  protected override cancelRequests(connection: Connection): void {
    if (this.#preparation !== undefined) connection.cancel(this.#preparation);
    super.cancelRequests(connection);
  }

  #send(connection: Connection, id: number, flags: number, lazy: boolean): void {
    // In the head behind the flags.
    const integers = (1 + this.settings.integers) << 8;
    const write = (flags & layout.requestWithText) === 0 ? writeBody : writeTextAndBody;
    connection.send(this, this.#operation, flags | this.scope.flags | integers, id, write, lazy, this);
  }

  writeBody(writer: Writer): void {
    writeValues(writer, this.#values);
    // Not needed any more: what a call that waits long refers to is copied by the garbage collector again and again.
    this.#values = none;
  }

  /** Behind the call itself, since a changed schema changes the columns when the statement is executed. */
  #describe(): DescribeRequest {
    return new DescribeRequest((description) => {
      if (this.cancelled) return;
      const { converters } = this.settings;
      this.settleWith(() => {
        if (description !== undefined && converters !== undefined && this.rows !== undefined) {
          convertRows(this.rows, description.columns, converters, this.rowMode);
        }
        return this.result(nothing);
      });
    });
  }

  override succeed(outcome: Outcome): void {
    if (!this.converts) super.succeed(outcome);
  }

  override fail(failure: Failure): void {
    this.rows = undefined;
    super.fail(failure);
  }
}

/** What a call writes into the batch. */
interface Written {
  readonly sql: string | undefined;
  writeBody(writer: Writer): void;
}

const writeBody = (writer: Writer, call: Written): void => call.writeBody(writer);

const writeTextAndBody = (writer: Writer, call: Written): void => {
  writer.terminatedText(call.sql ?? '');
  call.writeBody(writer);
};

const none: readonly Bindable[] = [];
const nothing: Outcome = { changes: 0, lastID: 0 };

export class RunCall extends StatementCall<RunResult> {
  /** The answer itself, which is made anew for each and nobody else has. */
  protected override result(outcome: Outcome): RunResult {
    return outcome;
  }
}

export class GetCall extends StatementCall<unknown> {
  protected override result(): unknown {
    return this.takeRows()[0];
  }
}

export class AllCall extends StatementCall<unknown[]> {
  protected override result(): unknown[] {
    return this.takeRows();
  }
}
