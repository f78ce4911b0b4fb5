// iterate(): rows in chunks, the next one fetched while the consumer has the last; between two the connection is free.

import { layout } from '../native/layout.js';
import type { Bindable } from '../request/bind.js';
import type { Connection } from '../request/connection.js';
import { type Failure, Request } from '../request/request.js';
import type { Writer } from '../request/writer.js';
import { abortError, tellWeakly } from './cancel.js';
import { disposeBy } from './dispose.js';
import type { MakeError } from './errors.js';
import { rejection } from './errors.js';
import { type CallOptions, checkCall, type Settings, settingsOf } from './options.js';
import { bindableValues, keepValues } from './parameters.js';
import type { Entry, Scope } from './scope.js';
import { Handle } from './session.js';
import { StatementCall } from './statement-calls.js';

/** The first chunk is small, so that the first row comes soon; each next one is twice as large. */
const firstRows = 32;
const mostRows = 4096;
/** A chunk is also over when it has so many bytes. */
const chunkBytes = 256 * 1024;

const nothing: readonly Bindable[] = [];

/** What SQLite says to a cursor when a transaction that changed the schema is rolled back meanwhile. */
const abortedByRollback = 'abort due to ROLLBACK';

/** The next chunk. Its promise is never rejected, since nobody may be waiting for it yet. */
class FetchCall extends StatementCall<unknown[]> {
  readonly #cursor: Handle;
  readonly #first: boolean;
  readonly #rows: number;
  parked = false;
  /** Why there are no rows. Made into an error for whoever asks for them, so that its stack leads there. */
  error: MakeError | undefined = undefined;

  constructor(scope: Scope, sql: string, cursor: Cursor, values: readonly Bindable[], settings: Settings) {
    super(scope, sql, { handle: cursor.handle }, layout.operationFetch, values, settings);
    this.#cursor = cursor.handle;
    this.#first = cursor.chunks === 0;
    this.#rows = Math.min(firstRows * 2 ** cursor.chunks, mostRows);
  }

  override refuse(make: MakeError): void {
    this.error ??= make;
    this.settleWith(() => []);
  }

  protected override write(connection: Connection): void {
    if (this.#first) {
      this.#cursor.begun = true;
      this.prepare(connection, 0, this.#cursor.id);
    }
    super.write(connection);
  }

  override writeBody(writer: Writer): void {
    super.writeBody(writer);
    writer.uint32(this.#rows);
    writer.uint32(chunkBytes);
  }

  override park(): void {
    this.parked = true;
  }

  override fail(failure: Failure): void {
    if (failure.message !== abortedByRollback) return super.fail(failure);
    const message = `${abortedByRollback}: a transaction that had changed the schema was rolled back during the iteration`;
    super.fail({ ...failure, message });
  }

  protected override result(): unknown[] {
    return this.takeRows();
  }
}

/** A statement of its own, open from the first chunk to the last. */
interface Cursor {
  readonly handle: Handle;
  /** How many were asked for. */
  chunks: number;
}

/** A chunk that was asked for. */
interface Fetching {
  readonly call: FetchCall;
  readonly rows: Promise<unknown[]>;
}

/** Told when the cursor is closed. */
class CloseCursor extends Request {
  readonly #tell: () => void;

  constructor(tell: () => void) {
    super();
    this.#tell = tell;
  }

  override get together(): boolean {
    return true;
  }

  override succeed(): void {
    this.#tell();
  }

  override fail(): void {
    this.#tell();
  }
}

interface Query {
  readonly sql: string;
  readonly values: readonly Bindable[];
  readonly settings: Settings;
  readonly options: CallOptions;
}

const end: IteratorReturnResult<undefined> = { value: undefined, done: true };

export class Rows implements AsyncIterableIterator<unknown>, Entry {
  readonly #scope: Scope;
  /** What is wrong with the arguments is told by the first next(). */
  readonly #query: Query | undefined;
  #error: MakeError | undefined;
  #chunk: unknown[] = [];
  #at = 0;
  #cursor: Cursor | undefined;
  #fetching: Fetching | undefined;
  /** SQLite has no more rows. */
  #finished = false;
  /** The consumer has been told so. */
  #over = false;
  #begun = false;
  #closing = false;
  /** The steps that wait for others, when next() is called again before its promise is settled. */
  #tail: Promise<void> | undefined;

  private constructor(scope: Scope, query: Query | undefined, error: MakeError | undefined) {
    this.#scope = scope;
    this.#query = query;
    this.#error = error;
  }

  /** @internal */
  static of(
    scope: Scope,
    given: CallOptions | undefined,
    otherwise: Settings,
    read: () => [sql: string, parameters: unknown],
  ): Rows {
    try {
      const options = checkCall(given);
      const [sql, parameters] = read();
      const settings = settingsOf(options, otherwise);
      // The query begins later; what the caller does to a Buffer until then changes nothing.
      const values = keepValues(bindableValues(sql, parameters, settings.converters));
      return new Rows(scope, { sql, values, settings, options }, undefined);
    } catch (error) {
      return new Rows(scope, undefined, () => error as Error);
    }
  }

  get sql(): string | undefined {
    return this.#query?.sql;
  }

  get cancelled(): boolean {
    return this.#finished;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<unknown, undefined>> {
    if (this.#tail === undefined && this.#at < this.#chunk.length && this.#error === undefined) {
      return Promise.resolve({ value: this.#chunk[this.#at++], done: false });
    }
    return this.#inOrder(() => this.#next());
  }

  /** Closes the cursor at once, also while a chunk is on its way. */
  return(): Promise<IteratorReturnResult<undefined>> {
    this.#closing = true;
    this.#fetching?.call.cancel(() => new Error('the iteration was ended'));
    return this.#inOrder(async () => {
      await this.#finish();
      return end;
    });
  }

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  /** Nothing but the caller waits for the promise of a step, so that the stack of an error leads there. */
  async #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    let release: () => void = () => {};
    const tail = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#tail = tail;
    try {
      // Without one before it, a step begins at once: its place in the order is that of its call.
      if (before !== undefined) await before;
      return await step();
    } finally {
      if (this.#tail === tail) this.#tail = undefined;
      release();
    }
  }

  async #next(): Promise<IteratorResult<unknown, undefined>> {
    for (;;) {
      if (this.#error !== undefined) {
        const error = this.#error;
        this.#error = undefined;
        await this.#finish();
        return rejection(error);
      }
      if (this.#at < this.#chunk.length) return { value: this.#chunk[this.#at++], done: false };
      if (this.#finished || this.#closing) {
        await this.#finish();
        return end;
      }
      await this.#fetch();
    }
  }

  async #fetch(): Promise<void> {
    this.#chunk = [];
    this.#at = 0;
    const { signal } = (this.#query as Query).options;
    if (signal?.aborted && this.#fetching === undefined) {
      this.#error ??= abortError(signal);
      return;
    }
    this.#fetching ??= this.#ask();
    const { call, rows } = this.#fetching;
    if (this.#cursor !== undefined) this.#cursor.handle.ahead = undefined;
    const chunk = await rows;
    this.#fetching = undefined;
    // What came first: an error of its own, or that it was cancelled after SQLite was done with it.
    const error = call.error ?? this.#error;
    if (error !== undefined) {
      this.#error = undefined;
      await this.#finish();
      if (!this.#closing) await rejection(error);
      return;
    }
    this.#chunk = chunk;
    if (!call.parked) this.#end()?.handle.finalize();
    // Who has used up the small first chunk will want more.
    else if (this.#cursor !== undefined && this.#cursor.chunks > 1 && !this.#closing) {
      this.#fetching = this.#ask();
      this.#cursor.handle.ahead = this.#fetching.call;
    }
  }

  /** Asks for the next chunk. */
  #ask(): Fetching {
    const { sql, values, settings, options } = this.#query as Query;
    if (!this.#begun) this.#begin();
    this.#cursor ??= this.#open(options.signal);
    const cursor = this.#cursor;
    const call = new FetchCall(this.#scope, sql, cursor, cursor.chunks === 0 ? values : nothing, settings);
    cursor.chunks++;
    return { call, rows: call.enter({ timeout: options.timeout }) };
  }

  #open(signal: AbortSignal | undefined): Cursor {
    const handle = new Handle(this.#scope.session);
    handle.watch(this);
    if (signal !== undefined) handle.onEnd = tellWeakly(signal, this);
    this.#scope.handles?.add(handle);
    return { handle, chunks: 0 };
  }

  #begin(): void {
    this.#begun = true;
    this.#scope.running?.add(this);
  }

  /** There are no more rows, so nothing needs to be waited for. */
  #end(): Cursor | undefined {
    const cursor = this.#cursor;
    this.#finished = true;
    this.#cursor = undefined;
    this.#scope.running?.delete(this);
    if (cursor !== undefined) this.#scope.handles?.delete(cursor.handle);
    return cursor;
  }

  /** Nothing more comes out of it; fulfilled when SQLite has closed the cursor. */
  #finish(): Promise<void> {
    this.#over = true;
    this.#chunk = [];
    this.#at = 0;
    const handle = this.#end()?.handle;
    return new Promise((resolve) => {
      const open = handle?.begun === true && !handle.ended && !handle.session.connection.ended;
      handle?.finalize(new CloseCursor(resolve));
      if (!open) resolve();
    });
  }

  // --- as an entry of its scope: a cursor that a transaction must not forget -----------------------------------------

  postponed(): void {}
  start(): void {}

  refuse(make: MakeError): void {
    this.cancel(make);
  }

  /** The next step fails with this; the cursor is closed now, for there may never be one. */
  cancel(make: MakeError): void {
    if (this.#over) return;
    this.#chunk = [];
    this.#at = 0;
    // Not left to the call, which may have its rows already.
    this.#error ??= make;
    this.#fetching?.call.cancel(make);
    // A step that waits for rows closes it by itself.
    if (this.#fetching === undefined || this.#cursor?.handle.ahead !== undefined) this.#end()?.handle.finalize();
  }
}

disposeBy(Rows.prototype, 'return');
