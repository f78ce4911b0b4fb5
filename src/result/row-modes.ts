// The ways to make rows of one shape: objects, arrays, or the first cell alone.

import { layout } from '../native/layout.js';
import type { RowMode } from '../request/request.js';
import type { Cells } from './cells.js';
import { type RowReader, rowReader } from './row-shape.js';

const cellAt = (cells: Cells, t: number, n: number): unknown => {
  const tag = cells.tags[t] as number;
  return tag === layout.cellInt32 ? cells.integers[n * 2] : cells.read(tag, n);
};

const arrayReader =
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

/** Reads the other cells, too, since texts come one after the other. */
const valueReader =
  (columns: number): RowReader =>
  (cells, count, rows) => {
    let t = cells.tagAt;
    let n = cells.slotAt;
    for (let i = 0; i < count; i++) {
      rows.push(cellAt(cells, t++, n++));
      for (let column = 1; column < columns; column++) cellAt(cells, t++, n++);
    }
  };

/** The readers for these column names, each made when it is first wanted. */
export class RowReaders {
  readonly #names: readonly string[];
  #object: RowReader | undefined;
  #array: RowReader | undefined;
  #value: RowReader | undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  of(mode: RowMode): RowReader {
    if (mode === 'object') {
      this.#object ??= rowReader(this.#names);
      return this.#object;
    }
    if (mode === 'array') {
      this.#array ??= arrayReader(this.#names.length);
      return this.#array;
    }
    this.#value ??= valueReader(this.#names.length);
    return this.#value;
  }
}
