// Errors as node-sqlite3's users know them, with the extended code, the SQL and the offset beside.

import { codeName, constants } from './constants.js';
import type { Failure } from './request/request.js';

/** SQLite's error: `errno` and `code` are the primary ones; the rest is there, but does not show when printed. */
export interface SqliteError extends Error {
  errno: number;
  code: string;
  extendedErrno: number;
  extendedCode: string;
  sql?: string;
  offset?: number;
}

/** UTF-16 index of a byte offset into the UTF-8 of a text. */
export const indexOfByte = (text: string, offset: number): number =>
  Buffer.from(text).toString('utf8', 0, offset).length;

const hide = (error: SqliteError, name: keyof SqliteError, value: unknown): void => {
  Object.defineProperty(error, name, { value, writable: true, configurable: true, enumerable: false });
};

/**
 * The error for a failure; `sql` is the text of the request, if it had one. With `extended` the extended code stands in
 * place of the primary one.
 */
export const createError = (failure: Failure, sql?: string, extended = false): SqliteError => {
  const errno = extended ? failure.code : failure.code & 0xff;
  const code = codeName(errno);
  // It is made on the event loop, where the stack says nothing about the caller; verbose() adds that.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: ${failure.message}`) as SqliteError;
  Error.stackTraceLimit = stackTraceLimit;
  error.errno = errno;
  error.code = code;
  hide(error, 'extendedErrno', failure.code);
  hide(error, 'extendedCode', codeName(failure.code));
  if (sql !== undefined) hide(error, 'sql', sql);
  if (sql !== undefined && failure.offset >= 0) hide(error, 'offset', indexOfByte(sql, failure.offset));
  return error;
};

export const misuse = (message: string): Failure => ({
  code: constants.MISUSE,
  message,
  offset: -1,
  prepareFailed: false,
});
