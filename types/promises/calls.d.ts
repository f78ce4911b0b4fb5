// The calls that give rows, by row mode and by how integers are read.

import { CallOptions, NumberOptions, ObjectOptions } from './options.js';
import { Sql } from './sql.js';
import { Cell, NumberCell, NumberRow, Parameters, Row } from './values.js';

type ArrayOptions = CallOptions & { readonly rowMode: 'array' };
type ValueOptions = CallOptions & { readonly rowMode: 'value' };

/** What `run` tells. */
export interface RunResult {
  /** Rows that the latest INSERT, UPDATE or DELETE of the connection changed; exact up to 2^53 - 1. */
  readonly changes: number;
  /** rowid of the row that was inserted last; exact up to 2^53 - 1. */
  readonly lastID: number;
}

/** Rows as they are fetched. Ending the loop closes the cursor at once; between two chunks other calls run. */
export interface Rows<T> extends AsyncIterableIterator<T, undefined> {
  next(): Promise<IteratorResult<T, undefined>>;
  return(): Promise<IteratorReturnResult<undefined>>;
  throw(error: unknown): Promise<IteratorResult<T, undefined>>;
  [Symbol.asyncIterator](): Rows<T>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `get`: the first row, or undefined when there is none. */
export interface Get {
  <T = NumberRow>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: ObjectOptions & NumberOptions,
  ): Promise<T | undefined>;
  <T = Row>(sql: string | Sql, parameters?: Parameters, options?: ObjectOptions): Promise<T | undefined>;
  <T = NumberCell[]>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: ArrayOptions & NumberOptions,
  ): Promise<T | undefined>;
  <T = Cell[]>(sql: string | Sql, parameters: Parameters | undefined, options: ArrayOptions): Promise<T | undefined>;
  <T = NumberCell>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: ValueOptions & NumberOptions,
  ): Promise<T | undefined>;
  <T = Cell>(sql: string | Sql, parameters: Parameters | undefined, options: ValueOptions): Promise<T | undefined>;
  /** With options that are known only when the program runs. */
  <T = Row | Cell[] | Cell>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: CallOptions,
  ): Promise<T | undefined>;
}

/** `all`: all rows. */
export interface All {
  <T = NumberRow>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: ObjectOptions & NumberOptions,
  ): Promise<T[]>;
  <T = Row>(sql: string | Sql, parameters?: Parameters, options?: ObjectOptions): Promise<T[]>;
  <T = NumberCell[]>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: ArrayOptions & NumberOptions,
  ): Promise<T[]>;
  <T = Cell[]>(sql: string | Sql, parameters: Parameters | undefined, options: ArrayOptions): Promise<T[]>;
  <T = NumberCell>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: ValueOptions & NumberOptions,
  ): Promise<T[]>;
  <T = Cell>(sql: string | Sql, parameters: Parameters | undefined, options: ValueOptions): Promise<T[]>;
  /** With options that are known only when the program runs. */
  <T = Row | Cell[] | Cell>(sql: string | Sql, parameters: Parameters | undefined, options: CallOptions): Promise<T[]>;
}

/** `iterate`: the rows one by one. */
export interface Iterate {
  <T = NumberRow>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: ObjectOptions & NumberOptions,
  ): Rows<T>;
  <T = Row>(sql: string | Sql, parameters?: Parameters, options?: ObjectOptions): Rows<T>;
  <T = NumberCell[]>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: ArrayOptions & NumberOptions,
  ): Rows<T>;
  <T = Cell[]>(sql: string | Sql, parameters: Parameters | undefined, options: ArrayOptions): Rows<T>;
  <T = NumberCell>(
    sql: string | Sql,
    parameters: Parameters | undefined,
    options: ValueOptions & NumberOptions,
  ): Rows<T>;
  <T = Cell>(sql: string | Sql, parameters: Parameters | undefined, options: ValueOptions): Rows<T>;
  /** With options that are known only when the program runs. */
  <T = Row | Cell[] | Cell>(sql: string | Sql, parameters: Parameters | undefined, options: CallOptions): Rows<T>;
}
