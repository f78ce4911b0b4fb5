// Bytes become the description of a statement.

import { layout } from '../native/layout.js';
import type { ColumnDescription, Description } from '../request/request.js';
import type { Views } from './cells.js';

/** Reads the texts of a record one after the other. */
class Texts {
  readonly #bytes: Buffer;
  #position: number;

  constructor(bytes: Buffer, position: number) {
    this.#bytes = bytes;
    this.#position = position;
  }

  next(): string | null {
    const length = this.#bytes.readUInt32LE(this.#position);
    const start = this.#position + 4;
    if (length === layout.descriptionAbsent) {
      this.#position = start;
      return null;
    }
    this.#position = start + length;
    return this.#bytes.utf8Slice(start, this.#position);
  }
}

/** The description in the record at `at`. Everything is copied. */
export const descriptionOf = (views: Views, at: number): Description => {
  const { words, bytes } = views;
  const texts = new Texts(bytes, at + layout.descriptionTextsAt);
  const parameters: string[] = [];
  for (let i = words[(at + layout.descriptionParametersAt) >> 2] ?? 0; i > 0; i--) parameters.push(texts.next() ?? '');
  const columns: ColumnDescription[] = [];
  for (let i = words[(at + layout.descriptionColumnsAt) >> 2] ?? 0; i > 0; i--) {
    const name = texts.next() ?? '';
    const type = texts.next();
    const database = texts.next();
    const table = texts.next();
    columns.push({ name, type, database, table, column: texts.next() });
  }
  return {
    readOnly: words[(at + layout.descriptionReadOnlyAt) >> 2] !== 0,
    explain: words[(at + layout.descriptionExplainAt) >> 2] ?? 0,
    parameters,
    columns,
  };
};
