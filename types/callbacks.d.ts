// Shapes of the callbacks and listeners, shared by Database, Statement and Backup.

import type { SqliteError } from './errors.js';

/**
 * A function called with `this` and the given arguments.
 *
 * It is taken from a method so that its parameters are compared in both directions: `(err, row: User) => ...` must be
 * accepted where the row may be missing, and `(err: Error) => ...` where err may be null, because programs written
 * against the typings of `sqlite3` say so. Parameters without a type get the exact one.
 */
export type Callback<This, Args extends unknown[]> = {
  call(this: This, ...args: Args): void;
}['call'];

/** Reports the end of a call: null, or the error. */
export type DoneCallback<This> = Callback<This, [err: SqliteError | null]>;

/** Reports the end of a call that may pass no argument at all on success. */
export type EndCallback<This> = Callback<This, [err?: SqliteError | null]>;

/** Receives the row, or no second argument when there is none; on failure the error alone. */
export type GetCallback<This, T> = Callback<This, [err: SqliteError | null, row?: T]>;

/** Receives every row, an empty array when there is none; on failure the error alone. */
export type AllCallback<This, T> = Callback<This, [err: SqliteError | null, rows: T[]]>;

/** Receives one row of many; on failure the error alone. */
export type RowCallback<This, T> = Callback<This, [err: SqliteError | null, row: T]>;

/** Ends `each`: how many rows went to the row callback, also when an error came midway. */
export type CompleteCallback<This> = Callback<This, [err: SqliteError | null, count: number]>;

/** Receives the object `map` has built; on failure the error alone. */
export type MapCallback<T> = Callback<void, [err: SqliteError | null, result: { [key: string]: T }]>;

/** An event name that `Events` does not list: known events must not fall through to the loose form of `on`. */
export type OtherEvent<Name, Events> = Name extends keyof Events ? never : Name;
