// What a Database keeps to itself and shares with its statements and backups, out of reach of users.

import { constants } from '../constants.js';
import { misuse } from '../errors.js';
import type { Connection } from '../request/connection.js';
import type { Failure, Happening } from '../request/request.js';

const kState = Symbol('state');

export class DatabaseState {
  readonly connection: Connection;
  open = false;
  /** Set once close() has been answered: every further call is refused with it, before the call returns. */
  closed: Failure | undefined = undefined;
  /** The open failed and that was reported: what was queued behind it is answered, but raises no events. */
  failed = false;
  /** Which events the SQLite thread reports. */
  readonly events = { trace: false, profile: false, change: false };
  /** Called once close() has succeeded, before its callback. */
  whenClosed: (() => void) | undefined = undefined;
  /** Emits trace, profile and change. */
  readonly happen: (happening: Happening) => void;

  /** Opened with OPEN_EXRESCODE: errors have the extended code as their `errno` and `code`, too. */
  readonly extendedCodes: boolean;

  constructor(connection: Connection, mode: number, happen: (happening: Happening) => void) {
    this.connection = connection;
    this.extendedCodes = (mode & constants.OPEN_EXRESCODE) !== 0;
    this.happen = happen;
  }

  markFailed(failure: Failure): void {
    this.failed = true;
    this.connection.endWhenIdle(failure);
  }

  /** Everything queued has been answered and close() was the last of it. */
  markClosed(): void {
    this.open = false;
    this.closed = misuse('Database is closed');
    this.connection.endWhenIdle();
    this.whenClosed?.();
  }
}

/** Attaches the state to its object. */
export const setState = (database: object, state: DatabaseState): void => {
  Object.defineProperty(database, kState, { value: state });
};

const lookUp = (value: unknown): DatabaseState | undefined =>
  typeof value === 'object' && value !== null ? (value as { [kState]?: DatabaseState })[kState] : undefined;

/** The state of `this` of a method; TypeError for any other object. */
export const stateOf = (database: unknown): DatabaseState => {
  const state = lookUp(database);
  if (state === undefined) throw new TypeError('Illegal invocation: this is not a Database');
  return state;
};

/** The state of an argument that must be a database. */
export const stateOfArgument = (database: unknown): DatabaseState => {
  const state = lookUp(database);
  if (state === undefined) throw new TypeError('Database object expected');
  return state;
};
