// The ways to make rows of one shape: objects, arrays, or the first cell alone.

import type { RowMode } from '../request/request.js';
import { arrayReader, cellAt, type RowReader, rowReader } from './row-shape.js';

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
