// The subpath 'sqlite-tandem/promises': the promise API.

import { Database } from './promises/database.js';
import { OpenOptions } from './promises/options.js';
import { SqlTag } from './promises/sql.js';
import { StandardTypes } from './promises/values.js';

export { Rows, RunResult } from './promises/calls.js';
export { Database, DatabaseStats, Transaction } from './promises/database.js';
export { AbortError, ParameterError, SqliteError } from './promises/errors.js';
export {
  BackupOptions,
  BackupProgress,
  CallOptions,
  CancelOptions,
  Limits,
  OpenOptions,
  TransactionOptions,
} from './promises/options.js';
export { Sql, SqlTag } from './promises/sql.js';
export { Column, Statement } from './promises/statement.js';
export {
  Cell,
  Converter,
  Integers,
  NumberCell,
  NumberRow,
  Parameter,
  Parameters,
  Row,
  RowMode,
  StandardTypes,
  Types,
} from './promises/values.js';

/**
 * Opens a database.
 * @param file a file name, a `file:` URL, or ':memory:'.
 * @returns the open database; rejected with a SqliteError, an AbortError, or a TypeError for wrong options.
 */
export function open(file: string | URL, options?: OpenOptions): Promise<Database>;

/** Makes SQL with values. */
export const sql: SqlTag;

/** Converters for the `types` option. */
export const types: StandardTypes;
