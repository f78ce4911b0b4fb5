// Backup: copies pages between a database and a file; its calls take their turn among those of the database.

import { EventEmitter } from 'node:events';
import { constants } from '../constants.js';
import { layout } from '../native/layout.js';
import { dropped } from '../request/dropped.js';
import type { Writer } from '../request/writer.js';
import { inNextTurn } from '../turns.js';
import { type Callback, optionalCallback } from './arguments.js';
import type { BackupCall } from './backup-calls.js';
import { Origin, refuse } from './calls.js';
import type { Database } from './database.js';
import { stateOfArgument } from './state.js';

/** Loaded with the first backup: few programs make one. */
const calls = (): typeof import('./backup-calls.js') => require('./backup-calls.js');

export class Backup extends EventEmitter {
  declare readonly filename: string;
  declare readonly sourceName: string;
  declare readonly destName: string;
  declare readonly filenameIsDest: boolean;
  readonly #origin: Origin;
  readonly #progress = new (calls().Progress)();
  /** Zero when the database had been closed before. */
  readonly #id: number;
  #retryErrors: unknown[] = [constants.BUSY, constants.LOCKED];
  #finish: BackupCall | undefined = undefined;

  constructor(
    database: Database,
    filename: string,
    sourceName: string,
    destName: string,
    filenameIsDest: boolean,
    callback?: Callback,
  ) {
    const state = stateOfArgument(database);
    if (typeof filename !== 'string') throw new TypeError('Filename expected');
    if (typeof sourceName !== 'string') throw new TypeError('Source database name expected');
    if (typeof destName !== 'string') throw new TypeError('Destination database name expected');
    if (typeof filenameIsDest !== 'boolean') throw new TypeError('Direction flag expected');
    if (callback !== undefined && typeof callback !== 'function') throw new TypeError('Callback expected');
    super();
    for (const [name, value] of Object.entries({ filename, sourceName, destName, filenameIsDest })) {
      Object.defineProperty(this, name, { value });
    }
    this.#origin = new Origin(this, database, state);
    const { connection, closed } = state;
    this.#id = closed === undefined ? connection.allocateStatement() : 0;
    if (closed !== undefined) {
      this.#progress.refuse(closed);
      refuse(this.#origin, closed, callback);
      return;
    }
    this.#send(new (calls().InitCall)(this.#origin, callback, this.#progress), layout.operationBackupInit, (writer) => {
      writer.uint32(filenameIsDest ? 1 : 0);
      writer.terminatedText(filename);
      writer.terminatedText(sourceName);
      writer.terminatedText(destName);
    });
    // Before its end it would keep its database from being closed.
    dropped.register(this, { connection, id: this.#id, operation: layout.operationBackupFinish }, this);
  }

  /** Whether it has begun, and nothing is running or queued. */
  get idle(): boolean {
    return this.#progress.begun && this.#progress.pending === 0;
  }

  get completed(): boolean {
    return this.#progress.completed;
  }

  get failed(): boolean {
    return this.#progress.failed;
  }

  get remaining(): number {
    return this.#progress.remaining;
  }

  get pageCount(): number {
    return this.#progress.pageCount;
  }

  /** Codes after which a step may be tried again. Without any, neither success nor an error ends the backup. */
  get retryErrors(): unknown[] {
    return this.#retryErrors;
  }

  set retryErrors(codes: unknown[]) {
    if (!Array.isArray(codes)) throw new Error('retryErrors must be an array');
    this.#retryErrors = codes;
  }

  #send(request: BackupCall, operation: number, write?: (writer: Writer) => void): this {
    const { connection, closed } = this.#origin.state;
    if (closed === undefined) connection.send(request, operation, 0, this.#id, write);
    // close() has succeeded, so the backup had ended before; how it ended is known here.
    else inNextTurn(() => request.runInAsyncScope(request.answerAfterClose, request, undefined));
    this.#progress.pending++;
    return this;
  }

  /** Answers a call behind finish(): in its turn, or at once when that is over. */
  #refuseFinished(finish: BackupCall, callback: Callback | undefined): this {
    const { closed } = this.#origin.state;
    if (!finish.settled && closed === undefined) {
      return this.#send(new (calls().LateCall)(this.#origin, callback, this.#progress), layout.operationWait);
    }
    refuse(this.#origin, this.#progress.refused ?? calls().finished, callback);
    return this;
  }

  /** Copies that many pages, all that are left when negative. */
  step(pages: number, callback?: Callback): this {
    if (typeof pages !== 'number') throw new TypeError('Argument 0 must be an integer');
    const done = optionalCallback(callback, 1);
    if (this.#finish !== undefined) return this.#refuseFinished(this.#finish, done);
    const codes = this.#retryErrors.filter((code) => typeof code === 'number');
    return this.#send(
      new (calls().StepCall)(this.#origin, done, this.#progress),
      layout.operationBackupStep,
      (writer) => {
        writer.reserve(16 + codes.length * 4);
        writer.uint32(pages | 0);
        writer.uint32(codes.length);
        for (const code of codes) writer.uint32(code | 0);
        writer.pad();
      },
    );
  }

  finish(callback?: Callback): this {
    const done = optionalCallback(callback, 0);
    if (this.#finish !== undefined) return this.#refuseFinished(this.#finish, done);
    const { connection, closed } = this.#origin.state;
    const request = new (calls().FinishCall)(this.#origin, done, this.#progress);
    this.#finish = request;
    this.#send(request, layout.operationBackupFinish);
    dropped.unregister(this);
    if (closed === undefined) connection.freeStatement(this.#id);
    return this;
  }
}
