// The cache of open databases: one connection for each file.

import type { DoneCallback } from './callbacks.js';
import type { Database } from './database.js';

/** Opens databases so that each file has one connection, and knows which ones are open. */
export interface Cached {
  /** Opens a file, or gives the object that already has it open. May be called with and without `new`. */
  Database: CachedDatabase;
  /**
   * The databases by their key: the absolute path, or the name as given for a URI. An object leaves when it is closed
   * or could not be opened.
   */
  objects: { [file: string]: Database };
}

/**
 * Takes the arguments of the constructor of {@link Database} and does what it does, unless the file is open already:
 * then the object that has it is returned, `mode` is ignored, and `callback` is called once that object is open.
 * The path is made absolute; ':memory:' and '' are never shared; a `file:` URI stays as it is with OPEN_URI.
 */
export interface CachedDatabase {
  (filename: string, callback?: DoneCallback<Database>): Database;
  (filename: string, mode?: number | null, callback?: DoneCallback<Database>): Database;
  new (filename: string, callback?: DoneCallback<Database>): Database;
  new (filename: string, mode?: number | null, callback?: DoneCallback<Database>): Database;
}
