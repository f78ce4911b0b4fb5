// Database: a connection with a thread of its own, and the calls on it.

import { EventEmitter } from 'node:events';
import { layout } from '../native/layout.js';
import { connect } from '../request/connect.js';
import type { Connection } from '../request/connection.js';
import type { Failure } from '../request/request.js';
import { type DatabaseStats, statsOf } from '../request/stats.js';
import type { Writer } from '../request/writer.js';
import { type Callback, isInt32, lastCallback, optionalCallback, requiredString } from './arguments.js';
import { Backup } from './backup.js';
import { Call, guard, Origin, refuse } from './calls.js';
import { emitHappening, type Listener, listen, unlisten } from './events.js';
import { callOnce, isReplaced, type OnceMethod } from './once.js';
import { DatabaseState, setState, stateOf } from './state.js';
import { bound, oneShot, Statement } from './statement.js';

/** READWRITE | CREATE | FULLMUTEX, as in node-sqlite3. */
const defaultMode = 65542;

// A database that nobody holds and that has nothing to do is closed, and its thread ends.
const dropped = new FinalizationRegistry<Connection>((connection) => connection.endWhenIdle());

class OpenCall extends Call {
  override succeed(): void {
    const database = this.origin.receiver as Database;
    this.origin.state.open = true;
    guard(this.callback, database, null);
    database.emit('open');
  }

  override fail(failure: Failure): void {
    try {
      super.fail(failure);
    } finally {
      this.origin.state.markFailed(failure);
    }
  }
}

class CloseCall extends Call {
  override succeed(): void {
    const database = this.origin.receiver as Database;
    this.origin.state.markClosed();
    dropped.unregister(database);
    guard(this.callback, database, null);
    database.emit('close');
  }
}

type BackupArguments = ConstructorParameters<typeof Backup> extends [unknown, ...infer Rest] ? Rest : never;

type CallConstructor = new (origin: Origin, callback: Callback | undefined) => Call;

export class Database extends EventEmitter {
  declare readonly filename: string;
  declare readonly mode: number;

  constructor(filename: string, mode?: unknown, callback?: unknown) {
    if (typeof filename !== 'string') throw new TypeError('String expected');
    super();
    const flags = isInt32(mode) ? mode : defaultMode;
    const done = typeof mode === 'function' ? mode : callback;
    Object.defineProperty(this, 'filename', { value: filename });
    Object.defineProperty(this, 'mode', { value: flags });
    const connection = connect();
    // Weak, because the connection's thread must not keep an object alive that nobody uses any more.
    const weak = new WeakRef(this);
    const state = new DatabaseState(connection, flags, (happening) => emitHappening(weak.deref(), happening));
    setState(this, state);
    dropped.register(this, connection, this);
    const request = new OpenCall(
      new Origin(this, this, state),
      typeof done === 'function' ? (done as Callback) : undefined,
    );
    connection.send(request, layout.operationOpen, 0, 0, (writer) => {
      writer.uint32(flags >>> 0);
      writer.terminatedText(filename);
    });
  }

  /** Whether the database is open: from the open callback until close() has succeeded. */
  get open(): boolean {
    return stateOf(this).open;
  }

  /** Queues a call on the connection, or refuses it when the database was closed. `text` goes with it. */
  #send(Kind: CallConstructor, operation: number, callback: Callback | undefined, text?: string, sql?: string): this {
    const state = stateOf(this);
    const origin = new Origin(this, this, state, sql);
    if (state.closed !== undefined) {
      refuse(origin, state.closed, callback);
      return this;
    }
    const write = text === undefined ? undefined : (writer: Writer) => writer.terminatedText(text);
    state.connection.send(new Kind(origin, callback), operation, 0, 0, write);
    return this;
  }

  close(callback?: Callback): this {
    return this.#send(CloseCall, layout.operationClose, optionalCallback(callback, 0));
  }

  exec(sql: string, callback?: Callback): this {
    requiredString(sql, 0);
    return this.#send(Call, layout.operationExec, optionalCallback(callback, 1), sql, sql);
  }

  wait(callback?: Callback): this {
    return this.#send(Call, layout.operationWait, optionalCallback(callback, 0));
  }

  loadExtension(path: string, callback?: Callback): this {
    requiredString(path, 0);
    return this.#send(Call, layout.operationLoadExtension, optionalCallback(callback, 1), path);
  }

  /** Calls `callback` at once; calls are always executed in order here. */
  serialize(callback?: Callback): this {
    stateOf(this);
    optionalCallback(callback, 0)?.call(this);
    return this;
  }

  /** Calls `callback` at once; calls are always executed in order here. */
  parallelize(callback?: Callback): this {
    return this.serialize(callback);
  }

  interrupt(): this {
    const { open, connection } = stateOf(this);
    if (!open) throw new Error('Database is not open');
    if (connection.head instanceof CloseCall) throw new Error('Database is closing');
    connection.interrupt();
    return this;
  }

  configure(...args: unknown[]): this {
    const state = stateOf(this);
    // Loaded only here: few programs use it.
    const setting = (require('./configure.js') as typeof import('./configure.js')).settingOf(args);
    const origin = new Origin(this, this, state);
    if (state.closed !== undefined) refuse(origin, state.closed, undefined);
    else setting.apply(state, new Call(origin, undefined));
    return this;
  }

  stats(): DatabaseStats {
    return statsOf(stateOf(this).connection);
  }

  /** A call that brings its SQL text; where methods of Statement have been replaced, by a statement that calls them. */
  #once(method: OnceMethod, sql: string, args: readonly unknown[]): this {
    const state = stateOf(this);
    if (typeof sql !== 'string') throw new TypeError('SQL query expected');
    if (state.closed !== undefined) {
      refuse(new Origin(this, this, state, sql), state.closed, lastCallback(args), false);
      return this;
    }
    if (!isReplaced(method)) {
      callOnce(this, state, method, sql, args);
      return this;
    }
    const statement = new Statement(this, sql, oneShot);
    try {
      statement[method](...args);
    } finally {
      // Also when reading a parameter threw: an open statement would be in the way of close().
      statement.finalize();
    }
    return this;
  }

  run(sql: string, ...args: unknown[]): this {
    return this.#once('run', sql, args);
  }

  get(sql: string, ...args: unknown[]): this {
    return this.#once('get', sql, args);
  }

  all(sql: string, ...args: unknown[]): this {
    return this.#once('all', sql, args);
  }

  each(sql: string, ...args: unknown[]): this {
    return this.#once('each', sql, args);
  }

  map(sql: string, ...args: unknown[]): this {
    return this.#once('map', sql, args);
  }

  prepare(sql: string, ...args: unknown[]): Statement {
    const state = stateOf(this);
    if (args.length === 0) return new Statement(this, sql);
    const statement = new Statement(this, sql, bound);
    if (state.closed !== undefined) {
      refuse(new Origin(this, this, state, sql), state.closed, lastCallback(args), false);
      return statement;
    }
    try {
      return statement.bind(...args);
    } catch (error) {
      statement.finalize();
      throw error;
    }
  }

  /** (filename, callback), or (filename, sourceName, destName, filenameIsDest, callback). */
  backup(...args: unknown[]): Backup {
    const all = args.length > 2 ? args.slice(0, 5) : [args[0], 'main', 'main', true, args[1]];
    return new Backup(this, ...(all as BackupArguments));
  }

  override on(event: string | symbol, listener: Listener): this {
    super.on(event, listener);
    return listen(this, event);
  }

  override addListener(event: string | symbol, listener: Listener): this {
    super.addListener(event, listener);
    return listen(this, event);
  }

  override once(event: string | symbol, listener: Listener): this {
    super.once(event, listener);
    return listen(this, event);
  }

  override prependListener(event: string | symbol, listener: Listener): this {
    super.prependListener(event, listener);
    return listen(this, event);
  }

  override prependOnceListener(event: string | symbol, listener: Listener): this {
    super.prependOnceListener(event, listener);
    return listen(this, event);
  }

  override removeListener(event: string | symbol, listener: Listener): this {
    super.removeListener(event, listener);
    return unlisten(this);
  }

  override off(event: string | symbol, listener: Listener): this {
    super.off(event, listener);
    return unlisten(this);
  }

  override removeAllListeners(event?: string | symbol): this {
    if (event === undefined) super.removeAllListeners();
    else super.removeAllListeners(event);
    return unlisten(this);
  }
}
