// The errors with which promises are rejected, and how their stacks come to lead to the line of the caller.

import { codeName, constants } from '../constants.js';
import { indexOfByte, misuse } from '../errors.js';
import type { Failure } from '../request/request.js';

/** Makes an error; called where its stack can be found out. */
export type MakeError = () => Error;

export class SqliteError extends Error {
  readonly code: string;
  readonly errno: number;
  readonly extendedCode: string;
  readonly extendedErrno: number;
  declare readonly sql?: string;
  declare readonly offset?: number;

  constructor(failure: Failure, sql?: string) {
    const errno = failure.code & 0xff;
    const code = codeName(errno);
    super(`${code}: ${failure.message}`);
    this.code = code;
    this.errno = errno;
    this.extendedCode = codeName(failure.code);
    this.extendedErrno = failure.code;
    if (sql === undefined) return;
    this.sql = sql;
    if (failure.offset >= 0) this.offset = indexOfByte(sql, failure.offset);
  }
}
Object.defineProperty(SqliteError.prototype, 'name', { value: 'SqliteError', writable: true, configurable: true });

/** A value that cannot be bound, or a parameter without one. */
export class ParameterError extends TypeError {
  readonly code = 'ERR_SQLITE_PARAMETER';
  /** Name or position of the parameter; undefined when all of them are meant. */
  readonly parameter: string | number | undefined;
  readonly sql: string;

  constructor(message: string, parameter: string | number | undefined, sql: string, options?: ErrorOptions) {
    super(`${message}\n    in: ${sql}`, options);
    this.parameter = parameter;
    this.sql = sql;
  }
}
Object.defineProperty(ParameterError.prototype, 'name', {
  value: 'ParameterError',
  writable: true,
  configurable: true,
});

/** As Node's own. */
export class AbortError extends Error {
  readonly code = 'ABORT_ERR';

  constructor(reason: unknown) {
    super('The operation was aborted', { cause: reason });
  }
}
Object.defineProperty(AbortError.prototype, 'name', { value: 'AbortError', writable: true, configurable: true });

/** As that of AbortSignal.timeout(). */
export const timeoutError: MakeError = () =>
  new DOMException('The operation was aborted due to timeout', 'TimeoutError');

export const sqliteError =
  (failure: Failure, sql?: string): MakeError =>
  () =>
    new SqliteError(failure, sql);

export const misuseError = (message: string, sql?: string): MakeError => sqliteError(misuse(message), sql);

export const isInterrupt = (failure: Failure): boolean => (failure.code & 0xff) === constants.INTERRUPT;

const now = Promise.resolve();
const wait = (): void => {};

/**
 * A promise to resolve a call's promise with. Its error is made in a promise job that comes after that: V8 then writes
 * the functions that await the call into the stack, and a call that succeeds has paid nothing for it.
 */
export const rejection = (make: MakeError): Promise<never> => {
  const fail = (): never => {
    const error = make();
    // Without the frames of this file.
    if (!(error instanceof DOMException)) Error.captureStackTrace(error, fail);
    throw error;
  };
  return now.then(wait).then(fail);
};
