// Converters between what SQLite stores and what programs use: chosen by the declared type of a column, or by the value.

/** What SQLite stores. */
export type Stored = null | number | bigint | string | Buffer;

export interface Converter<T = unknown> {
  /** Makes a value of a stored one, which is never null. */
  read(stored: Exclude<Stored, null>): T;
  /** Whether `write` takes this value. */
  accepts?(value: unknown): boolean;
  /** Makes what is stored. */
  write?(value: T): unknown;
}

/** Converters by declared type, in capitals. */
export type Converters = ReadonlyMap<string, Converter>;

const isPlainObject = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const boolean: Converter<boolean> = {
  read: (stored) =>
    typeof stored === 'string'
      ? !['', '0', 'f', 'false', 'n', 'no', 'off'].includes(stored.toLowerCase())
      : Number(stored) !== 0,
  accepts: (value) => typeof value === 'boolean',
  write: (value) => (value ? 1 : 0),
};

/** SQLite's own texts, such as those of CURRENT_TIMESTAMP, are in UTC and do not say so. */
const withoutZone = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

const dateOf = (stored: unknown): Date => {
  if (typeof stored === 'string') return new Date(withoutZone.test(stored) ? `${stored.replace(' ', 'T')}Z` : stored);
  return new Date(Number(stored));
};

const isDate = (value: unknown): boolean => value instanceof Date;

const date: Converter<Date> = {
  read: dateOf,
  accepts: isDate,
  write: (value) => value.toISOString(),
};

const timestamp: Converter<Date> = {
  read: dateOf,
  accepts: isDate,
  write: (value) => {
    const time = value.getTime();
    if (Number.isNaN(time)) throw new RangeError('Invalid time value');
    return time;
  },
};

const json: Converter<unknown> = {
  read: (stored) => JSON.parse(String(stored)) as unknown,
  accepts: (value) => Array.isArray(value) || isPlainObject(value),
  write: (value) => JSON.stringify(value),
};

export const types = Object.freeze({ boolean, date, timestamp, json });

/** Those of an option: by declared type in capitals, since SQLite does not tell them apart by case. */
export const convertersOf = (map: Readonly<Record<string, Converter>>): Converters =>
  new Map(Object.entries(map).map(([type, converter]) => [type.toUpperCase(), converter]));

/** The converter of a declared type; `VARCHAR` is also that of `VARCHAR(20)`. */
export const converterOf = (converters: Converters, type: string | null): Converter | undefined => {
  if (type === null) return undefined;
  const capitals = type.toUpperCase();
  return converters.get(capitals) ?? converters.get(capitals.replace(/\s*\(.*$/, ''));
};

/** The first converter that takes this value. */
export const writerOf = (converters: Converters, value: unknown): Converter | undefined => {
  for (const converter of converters.values()) {
    if (converter.write !== undefined && converter.accepts?.(value)) return converter;
  }
  return undefined;
};
