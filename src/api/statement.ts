// Statement: a prepared statement; its calls are executed in the order in which they were made.

import { EventEmitter } from 'node:events';
import { misuse } from '../errors.js';
import { layout } from '../native/layout.js';
import type { Connection } from '../request/connection.js';
import { writeParameters } from '../request/parameters.js';
import type { Request } from '../request/request.js';
import { type Callback, lastCallback, optionalCallback } from './arguments.js';
import type { Database } from './database.js';
import { type DatabaseState, refuse, stateOfArgument } from './state.js';
import * as calls from './statement-calls.js';

/** In place of a callback: the statement is made for one call and finalized right after; that call reports. */
export const oneShot = Symbol('one shot');
/** In place of a callback: a bind() follows and reports. */
export const bound = Symbol('bound');

const finalized = misuse('Statement is already finalized');

interface Dropped {
  readonly connection: Connection;
  readonly id: number;
}

// Statements dropped without finalize() would pile up on the SQLite thread, and close() would be refused.
const dropped = new FinalizationRegistry<Dropped>(({ connection, id }) => {
  if (!connection.ended) connection.finalizeDropped(id);
});

type Constructor = new (
  ...args: ConstructorParameters<typeof calls.StatementCall>
) => calls.StatementCall;

export class Statement extends EventEmitter {
  declare readonly sql: string;
  declare lastID: number;
  declare changes: number;
  readonly #database: Database;
  readonly #state: DatabaseState;
  readonly #oneShot: boolean;
  readonly #report: calls.PrepareReport = { done: false };
  /** Undefined when the database had been closed before. */
  readonly #id: number | undefined;
  #finalize: Request | undefined;

  constructor(database: Database, sql: string, callback?: Callback | symbol) {
    const state = stateOfArgument(database);
    if (typeof sql !== 'string') throw new TypeError('SQL query expected');
    if (callback !== undefined && typeof callback !== 'function' && typeof callback !== 'symbol') {
      throw new TypeError('Callback expected');
    }
    super();
    this.#database = database;
    this.#state = state;
    this.#oneShot = callback === oneShot;
    Object.defineProperty(this, 'sql', { value: sql });
    const done = typeof callback === 'function' ? callback : undefined;
    if (state.closed !== undefined) {
      if (typeof callback !== 'symbol') refuse(state.closed, done, this, [this, database], sql);
      return;
    }
    this.#id = state.connection.allocateStatement();
    this.#prepare(this.#id, done, typeof callback === 'symbol');
  }

  #prepare(id: number, done: Callback | undefined, reportedByNext: boolean): void {
    const { connection } = this.#state;
    const request = this.#request(reportedByNext ? calls.QuietCall : calls.PrepareCall, done);
    const flags = done === undefined ? layout.requestQuiet : 0;
    const { sql } = this;
    connection.send(request, layout.operationPrepare, flags, id, (writer) => writer.terminatedText(sql), true);
    if (!this.#oneShot) dropped.register(this, { connection, id }, this);
  }

  #request(Kind: Constructor, callback: Callback | undefined): calls.StatementCall {
    return new Kind(this, this.#database, this.#state, this.#report, callback);
  }

  /** Sends a request for this statement, or answers it when the statement cannot be used any more. */
  #send(request: calls.StatementCall, operation: number, quiet: boolean, args?: readonly unknown[], count = 0): this {
    const { connection, closed } = this.#state;
    if (this.#finalize !== undefined) {
      this.#refuseFinalized(request.callback);
      return this;
    }
    if (this.#id === undefined || closed !== undefined) {
      refuse(closed ?? finalized, request.callback, this, [this, this.#database], this.sql);
      return this;
    }
    const flags = (this.#oneShot ? layout.requestOneShot : 0) | (quiet ? layout.requestQuiet : 0);
    connection.send(
      request,
      operation,
      flags,
      this.#id,
      args && ((writer) => writeParameters(writer, args, count)),
      this.#oneShot,
    );
    return this;
  }

  #refuseFinalized(callback: Callback | undefined): void {
    if (this.#finalize?.settled === true || this.#state.closed !== undefined) {
      refuse(finalized, callback, this, [this, this.#database], this.sql);
    } else {
      // In its turn, behind finalize().
      this.#state.connection.send(this.#request(calls.LateCall, callback), layout.operationWait, 0, 0);
    }
  }

  /** Binds parameters. */
  bind(...args: unknown[]): this {
    const callback = lastCallback(args);
    const count = callback === undefined ? args.length : args.length - 1;
    return this.#send(this.#request(calls.StatementCall, callback), layout.operationBind, callback === undefined, args, count);
  }

  run(...args: unknown[]): this {
    const callback = lastCallback(args);
    const count = callback === undefined ? args.length : args.length - 1;
    return this.#send(this.#request(calls.RunCall, callback), layout.operationRun, callback === undefined, args, count);
  }

  get(...args: unknown[]): this {
    const callback = lastCallback(args);
    const count = callback === undefined ? args.length : args.length - 1;
    return this.#send(this.#request(calls.GetCall, callback), layout.operationGet, false, args, count);
  }

  all(...args: unknown[]): this {
    const callback = lastCallback(args);
    const count = callback === undefined ? args.length : args.length - 1;
    return this.#send(this.#request(calls.AllCall, callback), layout.operationAll, false, args, count);
  }

  map(...args: unknown[]): this {
    const callback = lastCallback(args);
    if (callback === undefined) throw new TypeError('callback is not a function');
    return this.#send(this.#request(calls.MapCall, callback), layout.operationAll, false, args, args.length - 1);
  }

  /** The last two functions are the row callback and the one for the end. */
  each(...args: unknown[]): this {
    const last = lastCallback(args);
    const before = last === undefined ? undefined : args[args.length - 2];
    const row = typeof before === 'function' ? (before as Callback) : last;
    const complete = row === last ? undefined : last;
    const count = args.length - (last === undefined ? 0 : 1) - (complete === undefined ? 0 : 1);
    const request = new calls.EachCall(this, this.#database, this.#state, this.#report, row, complete, this.#oneShot);
    return this.#send(request, layout.operationEach, false, args, count);
  }

  reset(callback?: Callback): this {
    const done = optionalCallback(callback, 0);
    return this.#send(this.#request(calls.StatementCall, done), layout.operationReset, done === undefined);
  }

  /** Returns the database. */
  finalize(callback?: Callback): Database {
    const done = optionalCallback(callback, 0);
    const { connection, closed } = this.#state;
    if (this.#finalize !== undefined) {
      this.#refuseFinalized(done);
    } else if (this.#id === undefined || closed !== undefined) {
      refuse(closed ?? finalized, done, this, [this, this.#database], this.sql);
    } else {
      const request = this.#request(calls.FinalizeCall, done);
      this.#finalize = request;
      connection.send(request, layout.operationFinalize, done === undefined ? layout.requestQuiet : 0, this.#id);
      connection.freeStatement(this.#id);
      if (!this.#oneShot) dropped.unregister(this);
    }
    return this.#database;
  }
}
