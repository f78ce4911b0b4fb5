// Result records made by hand, from the drawing in docs/bytes.md and not from the code that makes or reads them.
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { Cells, Views } from 'sqlite-tandem/lib/result/cells.js';

export type Cell =
  | { readonly int32: number }
  | { readonly double: number }
  | { readonly integer: bigint }
  /** Text in a block. */
  | { readonly latin1: string }
  | { readonly utf16: string }
  | { readonly rawLatin1: string }
  | { readonly rawUtf16: string }
  | { readonly rawUtf8: string | Buffer }
  | { readonly blob: Buffer }
  | { readonly tag: number }
  | null;

const pad = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);

/** A record with this body; the body begins behind the sequence number. */
export const record = (kind: number, sequence: number, body: Buffer, flags = 0): Buffer => {
  const bytes = pad(Buffer.concat([Buffer.alloc(12), body]));
  bytes.writeUInt32LE(bytes.length, layout.recordLengthAt);
  bytes.writeUInt8(kind, layout.recordKindAt);
  bytes.writeUInt8(flags, layout.recordFlagsAt);
  bytes.writeUInt32LE(sequence, layout.recordSequenceAt);
  return bytes;
};

export const done = (sequence: number, changes = 0, lastID = 0, flags: number = layout.resultFinal): Buffer => {
  const body = Buffer.alloc(layout.doneLength - 12);
  body.writeDoubleLE(changes, layout.doneChangesAt - 12);
  body.writeDoubleLE(lastID, layout.doneLastIdAt - 12);
  return record(layout.resultDone, sequence, body, flags);
};

export const failed = (sequence: number, code: number, message: string, offset = -1, flags = 0): Buffer => {
  const text = Buffer.from(message);
  const head = Buffer.alloc(layout.errorMessageAt - 12);
  head.writeInt32LE(code, layout.errorCodeAt - 12);
  head.writeInt32LE(offset, layout.errorOffsetAt - 12);
  head.writeUInt32LE(text.length, layout.errorMessageLengthAt - 12);
  return record(layout.resultError, sequence, Buffer.concat([head, text]), flags | layout.resultFinal);
};

export const shape = (id: number, names: readonly string[], flags = 0): Buffer => {
  const head = Buffer.alloc(layout.shapeNamesAt - 12);
  head.writeUInt32LE(id, layout.shapeIdAt - 12);
  head.writeUInt32LE(names.length, layout.shapeColumnsAt - 12);
  const parts = names.map((name) => {
    const bytes = Buffer.from(name);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return record(layout.resultShape, 0, Buffer.concat([head, ...parts]), flags);
};

/** Collects texts in blocks as C++ does: a text that does not fit into the last block begins a new one. */
class Blocks {
  readonly bytes: Buffer[] = [];
  readonly lengths: number[] = [];

  add(text: Buffer): void {
    const last = this.lengths.length - 1;
    const fits = last >= 0 && (this.lengths[last] ?? 0) + text.length <= layout.textBlockBytes;
    if (fits) this.lengths[last] = (this.lengths[last] ?? 0) + text.length;
    else this.lengths.push(text.length);
    this.bytes.push(text);
  }
}

/** The cells of one record of rows. */
class Body {
  readonly latin1 = new Blocks();
  readonly utf16 = new Blocks();
  readonly raw: Buffer[] = [];
  readonly tags: Buffer;
  readonly slots: Buffer;

  constructor(cells: readonly Cell[]) {
    this.tags = Buffer.alloc(cells.length);
    this.slots = Buffer.alloc(cells.length * 8);
    cells.forEach((cell, i) => {
      this.tags[i] = this.#write(cell, this.slots.subarray(i * 8, i * 8 + 8));
    });
  }

  #write(cell: Cell, slot: Buffer): number {
    if (cell === null) return layout.cellNull;
    if ('tag' in cell) return cell.tag;
    if ('int32' in cell) {
      slot.writeBigInt64LE(BigInt(cell.int32));
      return layout.cellInt32;
    }
    if ('double' in cell) {
      slot.writeDoubleLE(cell.double);
      return layout.cellDouble;
    }
    if ('integer' in cell) {
      slot.writeBigInt64LE(cell.integer);
      return layout.cellInteger;
    }
    if ('latin1' in cell)
      return this.#text(slot, this.latin1, Buffer.from(cell.latin1, 'latin1'), 1, layout.cellLatin1);
    if ('utf16' in cell) return this.#text(slot, this.utf16, Buffer.from(cell.utf16, 'utf16le'), 2, layout.cellUtf16);
    if ('blob' in cell) return this.#raw(slot, cell.blob, layout.cellBlob);
    if ('rawLatin1' in cell) return this.#raw(slot, Buffer.from(cell.rawLatin1, 'latin1'), layout.cellRawLatin1);
    if ('rawUtf16' in cell) return this.#rawUtf16(slot, cell.rawUtf16);
    return this.#raw(slot, Buffer.from(cell.rawUtf8 as string), layout.cellRawUtf8);
  }

  #text(slot: Buffer, blocks: Blocks, bytes: Buffer, width: number, tag: number): number {
    slot.writeUInt32LE(bytes.length / width);
    blocks.add(bytes);
    return tag;
  }

  /** On an even place. */
  #rawUtf16(slot: Buffer, text: string): number {
    const before = this.raw.reduce((sum, { length }) => sum + length, 0);
    if (before % 2 !== 0) this.raw.push(Buffer.alloc(1));
    const tag = this.#raw(slot, Buffer.from(text, 'utf16le'), layout.cellRawUtf16);
    slot.writeUInt32LE(text.length);
    return tag;
  }

  #raw(slot: Buffer, bytes: Buffer, tag: number): number {
    slot.writeUInt32LE(bytes.length);
    this.raw.push(bytes);
    return tag;
  }
}

/** Rows of cells, all of the same length. */
export const rows = (sequence: number, shapeID: number, cells: readonly (readonly Cell[])[], flags = 0): Buffer => {
  const body = new Body(cells.flat());
  const latin1 = Buffer.concat(body.latin1.bytes);
  const utf16 = Buffer.concat(body.utf16.bytes);
  const raw = Buffer.concat(body.raw);
  const lengths = Buffer.from(new Uint32Array([...body.latin1.lengths, ...body.utf16.lengths]).buffer);
  const head = Buffer.alloc(layout.rowsCellsAt - 12);
  for (const [at, value] of [
    [layout.rowsShapeAt, shapeID],
    [layout.rowsCountAt, cells.length],
    [layout.rowsColumnsAt, cells[0]?.length ?? 0],
    [layout.rowsLatin1BlocksAt, body.latin1.lengths.length],
    [layout.rowsUtf16BlocksAt, body.utf16.lengths.length],
    [layout.rowsLatin1BytesAt, latin1.length],
    [layout.rowsUtf16BytesAt, utf16.length],
    [layout.rowsRawBytesAt, raw.length],
  ] as const) {
    head.writeUInt32LE(value, at - 12);
  }
  const texts = pad(Buffer.concat([utf16, latin1]));
  const content = Buffer.concat([head, body.slots, pad(body.tags), pad(lengths), texts, raw]);
  return record(layout.resultRows, sequence, content, flags);
};

export const traced = (kind: number, sequence: number, text: string, milliseconds = 0): Buffer => {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(layout.traceTextAt - 12);
  head.writeUInt32LE(bytes.length, layout.traceTextLengthAt - 12);
  head.writeDoubleLE(milliseconds, layout.traceTimeAt - 12);
  return record(kind, sequence, Buffer.concat([head, bytes]));
};

export const changed = (
  sequence: number,
  operation: number,
  database: string,
  table: string,
  rowID: number,
): Buffer => {
  const names = [Buffer.from(database), Buffer.from(table)];
  const head = Buffer.alloc(layout.changeNamesAt - 12);
  head.writeInt32LE(operation, layout.changeOperationAt - 12);
  head.writeDoubleLE(rowID, layout.changeRowIdAt - 12);
  head.writeUInt32LE(names[0]?.length ?? 0, layout.changeDatabaseLengthAt - 12);
  head.writeUInt32LE(names[1]?.length ?? 0, layout.changeTableLengthAt - 12);
  return record(layout.resultChange, sequence, Buffer.concat([head, ...names]));
};

/** The bytes as the mailbox sees them, at `start` of a buffer that is otherwise soiled. */
export const viewsOf = (bytes: Buffer, start = 0): Views => {
  const views = new Views(start + bytes.length + 64);
  views.bytes.fill(0xee);
  bytes.copy(views.bytes, start);
  return views;
};

/** Cells that read this record of rows. */
export const cellsOf = (bytes: Buffer, start = 0): Cells => {
  const cells = new Cells();
  cells.begin(viewsOf(bytes, start), start, start + bytes.length);
  return cells;
};
