// The cache of open databases: one object for each file.

import { AsyncResource } from 'node:async_hooks';
import { resolve } from 'node:path';
import { constants } from '../constants.js';
import { type Callback, emitError, isInt32 } from './arguments.js';
import { guard } from './calls.js';
import { Database } from './database.js';
import { stateOf } from './state.js';

/** Told how the open ended. */
type Waiting = (error: Error | null) => void;

/** Those that asked for a database while it was being opened. */
const opening = new WeakMap<Database, Waiting[]>();

/** The absolute path, which does not change with the working directory; URIs are not paths. */
const keyOf = (file: string, mode: unknown): string => {
  const uris = isInt32(mode) && (mode & constants.OPEN_URI) !== 0;
  return uris && typeof file === 'string' && file.startsWith('file:') ? file : resolve(file);
};

const forget = (key: string, database: Database): void => {
  if (cached.objects[key] === database) delete cached.objects[key];
};

const openFirst = (key: string, mode: unknown, callback: Callback | undefined): Database => {
  const waiting: Waiting[] = [];
  const database: Database = new Database(key, mode, (error: Error | null) => {
    opening.delete(database);
    if (error !== null) forget(key, database);
    if (callback !== undefined) guard(callback, database, error);
    else if (error !== null) guard(() => emitError(error, database), undefined);
    for (const tell of waiting) tell(error);
  });
  opening.set(database, waiting);
  stateOf(database).whenClosed = () => forget(key, database);
  cached.objects[key] = database;
  return database;
};

/** Calls back once the database is open, or could not be opened. */
const callWhenOpen = (database: Database, callback: Callback): void => {
  const waiting = opening.get(database);
  if (waiting === undefined) process.nextTick(() => callback.call(database, null));
  else waiting.push(AsyncResource.bind((error: Error | null) => guard(callback, database, error)));
};

export const cached = {
  /** `mode` may be left out. */
  // biome-ignore lint/complexity/useArrowFunction: it is called with and without `new`
  Database: function (file: string, mode?: unknown, callback?: unknown): Database {
    if (file === '' || file === ':memory:') return new Database(file, mode, callback);
    const [flags, last] = typeof mode === 'function' ? [undefined, mode] : [mode, callback];
    const done = typeof last === 'function' ? (last as Callback) : undefined;
    const key = keyOf(file, flags);
    const database = cached.objects[key];
    if (database === undefined) return openFirst(key, flags, done);
    if (done !== undefined) callWhenOpen(database, done);
    return database;
  },
  objects: {} as Record<string, Database>,
};
