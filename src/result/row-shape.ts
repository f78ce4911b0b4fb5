// Row constructors: for each list of column names a function generated once, which reads cells and makes row objects.

import { layout } from '../native/layout.js';
import type { Cells } from './cells.js';

/** Reads `count` rows from the cells and appends them to `rows`. */
export type RowReader = (cells: Cells, count: number, rows: unknown[]) => void;

const mostReaders = 1024;
// Beyond this a generated literal is no faster than a loop, and takes long to compile.
const mostGenerated = 250;

const readers = new Map<string, RowReader>();
let mayGenerate = true;

/** The body of the generated function: one object literal, so that all rows share one hidden class. */
const source = (names: readonly string[]): string => {
  const int32 = layout.cellInt32;
  const properties = names.map((name, i) => {
    // A computed key makes __proto__ an ordinary own property. Of equal names the last one wins.
    const key = name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
    return `${key}: tags[t + ${i}] === ${int32} ? integers[(n + ${i}) * 2] : cells.read(tags[t + ${i}], n + ${i})`;
  });
  return `'use strict';
const { tags, integers } = cells;
let t = cells.tagAt, n = cells.slotAt;
for (let i = 0; i < count; i++) {
  rows.push({ ${properties.join(', ')} });
  t += ${names.length};
  n += ${names.length};
}`;
};

/** The same without generated code, for many columns and where eval is forbidden. */
const looping =
  (names: readonly string[]): RowReader =>
  (cells, count, rows) => {
    let t = cells.tagAt;
    let n = cells.slotAt;
    for (let i = 0; i < count; i++) {
      const row: Record<string, unknown> = {};
      for (const name of names) {
        const value = cells.read(cells.tags[t++] as number, n++);
        if (name === '__proto__') {
          Object.defineProperty(row, name, { value, writable: true, enumerable: true, configurable: true });
        } else {
          row[name] = value;
        }
      }
      rows.push(row);
    }
  };

const generate = (names: readonly string[]): RowReader => {
  if (!mayGenerate || names.length > mostGenerated) return looping(names);
  try {
    return new Function('cells', 'count', 'rows', source(names)) as RowReader;
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    mayGenerate = false;
    return looping(names);
  }
};

/** The row constructor for these column names, in this order. */
export const rowReader = (names: readonly string[]): RowReader => {
  const key = JSON.stringify(names);
  let reader = readers.get(key);
  if (reader === undefined) {
    if (readers.size >= mostReaders) readers.clear();
    reader = generate(names);
    readers.set(key, reader);
  }
  return reader;
};
