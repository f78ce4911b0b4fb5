// Row constructors: for each list of column names a function generated once, which reads cells and makes rows of them.

import { layout } from '../native/layout.js';
import type { Cells } from './cells.js';

/** Reads `count` rows from the cells and appends them to `rows`. */
export type RowReader = (cells: Cells, count: number, rows: unknown[]) => void;

const mostReaders = 1024;
// Beyond this a generated literal is no faster than a loop, and takes long to compile.
const mostGenerated = 250;

const readers = new Map<string, RowReader>();
let mayGenerate = true;

/** The code that reads the cell in that column of a row. */
const cell = (i: number): string =>
  `tags[t + ${i}] === ${layout.cellInt32} ? integers[(n + ${i}) * 2] : cells.read(tags[t + ${i}], n + ${i})`;

/** One object literal, so that all rows share one hidden class. */
const objectLiteral = (names: readonly string[]): string => {
  // A computed key makes __proto__ an ordinary own property. Of equal names the last one wins.
  const key = (name: string): string => (name === '__proto__' ? '["__proto__"]' : JSON.stringify(name));
  return `{ ${names.map((name, i) => `${key(name)}: ${cell(i)}`).join(', ')} }`;
};

/** An array literal has room for its elements and no more. */
const arrayLiteral = (columns: number): string => `[${Array.from({ length: columns }, (_, i) => cell(i)).join(', ')}]`;

/** The body of the generated function; `literal` makes a row. */
const source = (literal: string, columns: number): string => `'use strict';
const { tags, integers } = cells;
let t = cells.tagAt, n = cells.slotAt;
for (let i = 0; i < count; i++) {
  rows.push(${literal});
  t += ${columns};
  n += ${columns};
}`;

/** The cell with this tag at `t`, of the slot `n`. */
export const cellAt = (cells: Cells, t: number, n: number): unknown => {
  const tag = cells.tags[t] as number;
  return tag === layout.cellInt32 ? cells.integers[n * 2] : cells.read(tag, n);
};

/** The same as generated code, for many columns and where eval is forbidden. */
const looping =
  (names: readonly string[]): RowReader =>
  (cells, count, rows) => {
    let t = cells.tagAt;
    let n = cells.slotAt;
    for (let i = 0; i < count; i++) {
      const row: Record<string, unknown> = {};
      for (const name of names) {
        const value = cellAt(cells, t++, n++);
        if (name === '__proto__') {
          Object.defineProperty(row, name, { value, writable: true, enumerable: true, configurable: true });
        } else {
          row[name] = value;
        }
      }
      rows.push(row);
    }
  };

const loopingArrays =
  (columns: number): RowReader =>
  (cells, count, rows) => {
    let t = cells.tagAt;
    let n = cells.slotAt;
    for (let i = 0; i < count; i++) {
      const row: unknown[] = [];
      for (let column = 0; column < columns; column++) row.push(cellAt(cells, t++, n++));
      rows.push(row);
    }
  };

/** Undefined for many columns, and where eval is forbidden. */
const generate = (literal: (columns: number) => string, columns: number): RowReader | undefined => {
  if (!mayGenerate || columns > mostGenerated) return undefined;
  try {
    return new Function('cells', 'count', 'rows', source(literal(columns), columns)) as RowReader;
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    mayGenerate = false;
    return undefined;
  }
};

const kept = (key: string, make: () => RowReader): RowReader => {
  let reader = readers.get(key);
  if (reader === undefined) {
    if (readers.size >= mostReaders) readers.clear();
    reader = make();
    readers.set(key, reader);
  }
  return reader;
};

/** The constructor of row objects for these column names, in this order. */
export const rowReader = (names: readonly string[]): RowReader =>
  kept(JSON.stringify(names), () => generate(() => objectLiteral(names), names.length) ?? looping(names));

/** The constructor of rows that are arrays of so many cells. */
export const arrayReader = (columns: number): RowReader =>
  kept(String(columns), () => generate(arrayLiteral, columns) ?? loopingArrays(columns));
