// Stored values of rows become those of the program, by the declared types of the columns.

import type { ColumnDescription, RowMode } from '../request/request.js';
import { type Converter, type Converters, converterOf, type Stored } from './types.js';

const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

const convert = (converter: Converter, stored: Stored, { name, type }: ColumnDescription): unknown => {
  if (stored === null) return null;
  let value: unknown;
  try {
    value = converter.read(stored);
  } catch (error) {
    throw new TypeError(`column ${name}: the converter of ${type} failed`, { cause: error });
  }
  // The promise of a call would wait for it, in some row modes, and be fulfilled with something else.
  if (isThenable(value)) {
    throw new TypeError(`column ${name}: the converter of ${type} returned a promise; converters are synchronous`);
  }
  return value;
};

/** Changes the rows in place. Throws a TypeError when a converter throws, with that as its cause. */
export const convertRows = (
  rows: unknown[],
  columns: readonly ColumnDescription[],
  converters: Converters,
  rowMode: RowMode,
): void => {
  for (const [at, column] of columns.entries()) {
    const converter = converterOf(converters, column.type);
    if (converter === undefined) continue;
    if (rowMode === 'value') {
      if (at !== 0) continue;
      for (let i = 0; i < rows.length; i++) rows[i] = convert(converter, rows[i] as Stored, column);
      continue;
    }
    // Of columns with equal names an object has the last.
    const hidden = rowMode === 'object' && columns.some(({ name }, other) => other > at && name === column.name);
    if (hidden) continue;
    const key = rowMode === 'object' ? column.name : at;
    for (const row of rows as Record<string | number, unknown>[]) {
      const value = convert(converter, row[key] as Stored, column);
      Object.defineProperty(row, key, { value, writable: true, enumerable: true, configurable: true });
    }
  }
};
