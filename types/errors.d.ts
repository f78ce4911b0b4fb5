// The error every failed call reports.

/**
 * An error of SQLite, as callbacks, 'error' listeners and rejected promises receive it.
 *
 * The message is `<code>: <text>`, for example `SQLITE_CONSTRAINT: UNIQUE constraint failed: user.name`, where the
 * text is SQLite's own. It is a plain `Error` with further properties: there is no class to test with `instanceof`.
 * Wrong arguments do not end up here: they throw `TypeError`, `RangeError` or `Error` at the call.
 * SQLite documentation: "Result and Error Codes".
 */
export interface SqliteError extends Error {
  /** Primary result code, such as 19 (CONSTRAINT); the extended one for a database opened with OPEN_EXRESCODE. */
  errno: number;
  /** Name of {@link errno}, such as 'SQLITE_CONSTRAINT'; 'UNKNOWN' for a code this package does not know. */
  code: string;
  /** Extended result code, such as 2067; equal to the primary code where SQLite has no finer one. */
  extendedErrno: number;
  /** Name of {@link extendedErrno}, such as 'SQLITE_CONSTRAINT_UNIQUE'. */
  extendedCode: string;
  /** The SQL text of the call that failed; missing where the call had none, as with `close`. */
  sql?: string;
  /**
   * Where in {@link sql} the error lies, counted in UTF-16 units from 0, so that `sql.slice(offset)` begins there;
   * missing where SQLite names no place.
   */
  offset?: number;
}
