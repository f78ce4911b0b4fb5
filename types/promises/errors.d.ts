// The errors with which promises are rejected.

/**
 * An error of SQLite. The message is `<code>: <text>`, where the text is SQLite's own. The stack leads to the function
 * that awaits the call.
 */
export class SqliteError extends Error {
  private constructor();
  /** Name of the primary result code, such as 'SQLITE_CONSTRAINT'. */
  readonly code: string;
  /** Primary result code, such as 19. */
  readonly errno: number;
  /** Name of the extended result code, such as 'SQLITE_CONSTRAINT_UNIQUE'. */
  readonly extendedCode: string;
  /** Extended result code, such as 2067. */
  readonly extendedErrno: number;
  /** The SQL of the call; missing where there is none. */
  readonly sql?: string;
  /** Index into {@link sql} of what the error is about; missing where SQLite names no place. */
  readonly offset?: number;
}

/** A parameter without a value, a value without a parameter, or one that cannot be bound. Nothing has been executed. */
export class ParameterError extends TypeError {
  private constructor();
  readonly code: 'ERR_SQLITE_PARAMETER';
  /** Its name with the prefix, or its position from 1; undefined when all parameters are meant. */
  readonly parameter: string | number | undefined;
  readonly sql: string;
}

/** The call was cancelled by its `signal`, whose reason is the `cause`. Nothing of it has happened. */
export class AbortError extends Error {
  private constructor();
  readonly code: 'ABORT_ERR';
}
