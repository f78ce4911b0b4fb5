// Statement: a prepared statement; its calls are executed in the order in which they were made.

import { EventEmitter } from 'node:events';
import { answering } from '../answering.js';
import { layout } from '../native/layout.js';
import { dropped } from '../request/dropped.js';
import { writeParameters } from '../request/parameters.js';
import type { Writer } from '../request/writer.js';
import { type Callback, lastCallback, optionalCallback } from './arguments.js';
import { Call, Origin, refuse } from './calls.js';
import type { Database } from './database.js';
import { stateOfArgument } from './state.js';
import * as calls from './statement-calls.js';

/** In place of a callback: the statement is made for one call and finalized right after; that call reports. */
export const oneShot = Symbol('one shot');
/** In place of a callback: a bind() follows and reports. */
export const bound = Symbol('bound');
/** In place of a callback: it was made for one call, which has been answered, and cannot be used any more. */
export const spent = Symbol('spent');

/** Thrown to undo a request that is being written, and caught where that began. */
const overtaken = new Error('finalized while its parameters were read');

/** In place of the request that would have finalized a spent statement. */
const afterCallback = { settled: true };

/** The last two functions are the row callback and the one for the end; so many arguments before them are parameters. */
export const eachCallbacks = (args: readonly unknown[]) => {
  const last = lastCallback(args);
  const before = last === undefined ? undefined : args[args.length - 2];
  if (typeof before === 'function') return { row: before as Callback, complete: last, count: args.length - 2 };
  return { row: last, complete: undefined, count: args.length - (last === undefined ? 0 : 1) };
};

export class Statement extends EventEmitter {
  declare readonly sql: string;
  declare lastID: number;
  declare changes: number;
  readonly #origin: Origin;
  readonly #oneShot: boolean;
  /** Zero when the database had been closed before. */
  readonly #id: number;
  #finalize: { readonly settled: boolean } | undefined = undefined;

  constructor(database: Database, sql: string, callback?: Callback | symbol) {
    const state = stateOfArgument(database);
    if (typeof sql !== 'string') throw new TypeError('SQL query expected');
    const internal = callback === oneShot || callback === bound || callback === spent;
    if (callback !== undefined && typeof callback !== 'function' && !internal) throw new TypeError('Callback expected');
    super();
    this.#origin = new Origin(this, database, state, sql);
    this.#oneShot = callback === oneShot;
    Object.defineProperty(this, 'sql', { value: sql });
    const done = typeof callback === 'function' ? callback : undefined;
    if (callback === spent) {
      this.#id = 0;
      this.#finalize = afterCallback;
      return;
    }
    this.#id = state.closed === undefined ? state.connection.allocateStatement() : 0;
    if (state.closed === undefined) this.#prepare(done, internal);
    else if (!internal) refuse(this.#origin, state.closed, done);
  }

  #prepare(done: Callback | undefined, reportedByNext: boolean): void {
    const { connection } = this.#origin.state;
    const request = new (reportedByNext ? calls.QuietCall : calls.PrepareCall)(this.#origin, done);
    const flags = this.#flags(done === undefined);
    const { sql } = this;
    connection.send(request, layout.operationPrepare, flags, this.#id, (writer) => writer.terminatedText(sql), true);
    if (this.#oneShot) return;
    // Without finalize() it would stay on the SQLite thread, and close() would be refused.
    dropped.register(this, { connection, id: this.#id, operation: layout.operationFinalize }, this);
  }

  #flags(quiet: boolean): number {
    return (this.#oneShot ? layout.requestOneShot : 0) | (quiet ? layout.requestQuiet : 0);
  }

  /** Sends a request for this statement, or answers it when the statement cannot be used any more. */
  #send(request: calls.StatementCall, operation: number, quiet: boolean, args?: readonly unknown[], count = 0): this {
    const { connection, closed } = this.#origin.state;
    if (this.#finalize !== undefined) return this.#refuseFinalized(request);
    if (closed !== undefined) {
      request.fail(closed);
      return this;
    }
    const flags = this.#flags(quiet);
    try {
      if (args === undefined) connection.send(request, operation, flags, this.#id, undefined, this.#oneShot);
      else connection.send(request, operation, flags, this.#id, Statement.#write, this.#oneShot, this, args, count);
    } catch (error) {
      if (error !== overtaken) throw error;
      this.#refuseFinalized(request);
    }
    return this;
  }

  static #write(this: void, writer: Writer, statement: Statement, args: readonly unknown[], count: number): void {
    writeParameters(writer, args, count);
    // Reading the parameters ran code that finalized the statement, so its number may be another's by now.
    if (statement.#finalize !== undefined) throw overtaken;
  }

  #refuseFinalized(request: calls.StatementCall): this {
    const { connection, closed } = this.#origin.state;
    // A spent one is finalized when its callback has returned.
    const settled = this.#finalize?.settled === true && !(this.#finalize === afterCallback && this.#isAnswered());
    if (settled || closed !== undefined) request.fail(calls.finalized);
    // In its turn, behind finalize().
    else connection.send(new calls.LateCall(request), layout.operationWait, 0, 0);
    return this;
  }

  /** Whether a callback of the call runs that this was made for. */
  #isAnswered(): boolean {
    const request = answering();
    return request instanceof Call && request.origin.receiver === this;
  }

  /** A call with parameters and perhaps a callback behind them. */
  #execute(request: calls.StatementCall, operation: number, quiet: boolean, args: readonly unknown[]): this {
    const { callback } = request;
    const count = callback === undefined ? args.length : args.length - 1;
    return this.#send(request, operation, quiet && callback === undefined, args, count);
  }

  bind(...args: unknown[]): this {
    return this.#execute(new calls.StatementCall(this.#origin, lastCallback(args)), layout.operationBind, true, args);
  }

  run(...args: unknown[]): this {
    return this.#execute(new calls.RunCall(this.#origin, lastCallback(args)), layout.operationRun, true, args);
  }

  get(...args: unknown[]): this {
    return this.#execute(new calls.GetCall(this.#origin, lastCallback(args)), layout.operationGet, false, args);
  }

  all(...args: unknown[]): this {
    return this.#execute(new calls.AllCall(this.#origin, lastCallback(args)), layout.operationAll, false, args);
  }

  map(...args: unknown[]): this {
    return this.#execute(new calls.MapCall(this.#origin, lastCallback(args)), layout.operationAll, false, args);
  }

  each(...args: unknown[]): this {
    const { row, complete, count } = eachCallbacks(args);
    const request = new calls.EachCall(this.#origin, row, complete, this.#oneShot);
    return this.#send(request, layout.operationEach, false, args, count);
  }

  reset(callback?: Callback): this {
    const done = optionalCallback(callback, 0);
    const request = new calls.StatementCall(this.#origin, done);
    return this.#send(request, layout.operationReset, done === undefined);
  }

  /** Returns the database. */
  finalize(callback?: Callback): Database {
    const done = optionalCallback(callback, 0);
    const { connection, closed } = this.#origin.state;
    const request = new calls.FinalizeCall(this.#origin, done);
    if (this.#finalize !== undefined) this.#refuseFinalized(request);
    else if (closed !== undefined) request.fail(closed);
    else {
      this.#finalize = request;
      connection.send(request, layout.operationFinalize, done === undefined ? layout.requestQuiet : 0, this.#id);
      connection.freeStatement(this.#id);
      if (!this.#oneShot) dropped.unregister(this);
    }
    return this.#origin.database as Database;
  }
}
