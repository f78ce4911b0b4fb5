// What goes in and out of the promise API: values of columns, parameters, row modes, converters.

/** How rows look: objects by column name, arrays in the order of the columns, or the first column alone. */
export type RowMode = 'object' | 'array' | 'value';

/**
 * How 64-bit integers are read: always as number (rounded beyond 2^53 - 1), always as bigint, or as bigint only where a
 * number would be rounded.
 */
export type Integers = 'number' | 'bigint' | 'mixed';

/** A value of a column whose integers are read as numbers. */
export type NumberCell = null | number | string | Buffer;

/** A value of a column. */
export type Cell = NumberCell | bigint;

/** A row as an object; of columns with the same name it has the last. */
export interface Row {
  [column: string]: Cell;
}

/** A row as an object whose integers are numbers. */
export interface NumberRow {
  [column: string]: NumberCell;
}

/**
 * What can be bound: null, numbers, bigints of at most 64 bits, strings, booleans (as 1 and 0), bytes (buffers, typed
 * arrays), arrays where the SQL says `carray(?)`, and what a converter of the `types` option accepts.
 * `undefined` and NaN cannot.
 */
export type Parameter = null | number | bigint | string | boolean | object;

/** By name, with or without the prefix `$`, `:` or `@`: any object that is no list. */
export type NamedParameters =
  | { readonly [name: string]: Parameter }
  | (object & { readonly [Symbol.iterator]?: never });

/** By position, or by name. There must be a value for each parameter, and a parameter for each value. */
export type Parameters = readonly Parameter[] | NamedParameters;

/** Makes the values of a program of stored ones, and the other way round. */
export interface Converter<T = unknown> {
  /** Makes a value of a stored one, for columns of the declared type. It is not called for NULL. */
  read(stored: number | bigint | string | Buffer): T;
  /** Whether {@link write} takes this parameter; asked for objects, arrays, booleans, functions and symbols. */
  accepts?(value: unknown): boolean;
  /** Makes a bindable value of a parameter. */
  write?(value: T): unknown;
}

/** Converters by declared type, such as `DATETIME`; case does not matter, and `VARCHAR` also means `VARCHAR(20)`. */
export type Types = Readonly<Record<string, Converter>>;

/** Converters that come with the package. */
export interface StandardTypes {
  /** 0 and 1; texts such as 'false' and 'no' are read as false. */
  readonly boolean: Converter<boolean>;
  /** ISO 8601 text in UTC. Also reads the texts of CURRENT_TIMESTAMP, and milliseconds. */
  readonly date: Converter<Date>;
  /** Milliseconds since 1970. Also reads texts. */
  readonly timestamp: Converter<Date>;
  /** JSON text, for plain objects and arrays. */
  readonly json: Converter;
}
