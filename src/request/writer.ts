// The growing buffer in which the requests of a turn come together; docs/bytes.md draws what is written.

import { layout } from '../native/layout.js';

const initialBytes = 16 * 1024;
const keptBytes = 1024 * 1024;
/** A record has its length in 32 bits. */
const mostBytes = 2 ** 32 - 16;
// Up to this many characters a loop is faster than a call into Node for each text.
const shortText = 40;

/** Empty ones for whoever has something to write; there are few, as most are empty most of the time. */
const spare: Writer[] = [];
const mostSpare = 16;

/** A writer that is empty. */
export const takeWriter = (): Writer => spare.pop() ?? new Writer();

/** Gives back one that has been cleared. */
export const giveBackWriter = (writer: Writer): void => {
  if (spare.length < mostSpare) spare.push(writer);
};

/** Little-endian, each record padded to a multiple of eight bytes. */
export class Writer {
  bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  length = 0;
  #view = new DataView(this.bytes.buffer);

  /** Makes room for `count` more bytes. Throws a RangeError when so large a buffer cannot be had. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    if (needed > mostBytes) throw new RangeError('the parameters of one call are too large');
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(this.bytes.length * 2, needed + keptBytes)));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /** Empties the buffer; one that a large value has grown is given back. */
  clear(): void {
    this.length = 0;
    if (this.bytes.length <= keptBytes) return;
    this.bytes = Buffer.allocUnsafeSlow(initialBytes);
    this.#view = new DataView(this.bytes.buffer);
  }

  /** Begins a record; end() completes it. Returns where it begins. `flags` may have a byte for layout.requestIntegersAt. */
  begin(operation: number, flags: number, statement: number): number {
    this.reserve(layout.requestBodyAt);
    const start = this.length;
    const view = this.#view;
    view.setUint32(start + layout.recordKindAt, operation | (flags << 8), true);
    view.setUint32(start + layout.requestStatementAt, statement, true);
    this.length = start + layout.requestBodyAt;
    return start;
  }

  end(start: number, sequence: number): void {
    const view = this.#view;
    view.setUint32(start + layout.recordLengthAt, this.length - start, true);
    view.setUint32(start + layout.recordSequenceAt, sequence, true);
  }

  uint32(value: number): void {
    this.reserve(4);
    this.#view.setUint32(this.length, value, true);
    this.length += 4;
  }

  double(value: number): void {
    this.reserve(8);
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** A safe integer as 64 bits. */
  integer(value: number): void {
    this.reserve(8);
    const view = this.#view;
    view.setUint32(this.length, value >>> 0, true);
    view.setInt32(this.length + 4, Math.floor(value / 4294967296), true);
    this.length += 8;
  }

  bigint(value: bigint): void {
    this.reserve(8);
    this.#view.setBigInt64(this.length, value, true);
    this.length += 8;
  }

  setUint32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  /** UTF-8 without a length, then padding; a lone surrogate becomes U+FFFD. Returns the bytes written before padding. */
  text(value: string): number {
    const written = this.#text(value);
    this.length += written;
    this.pad();
    return written;
  }

  #text(value: string): number {
    const { length } = value;
    if (length > shortText) {
      // Three bytes a unit is the most there can be; for long text that would reserve too much.
      this.reserve((length < keptBytes / 4 ? length * 3 : Buffer.byteLength(value)) + 8);
      return this.bytes.utf8Write(value, this.length);
    }
    this.reserve(length * 3 + 8);
    const { bytes } = this;
    for (let i = 0, at = this.length; i < length; i++, at++) {
      const unit = value.charCodeAt(i);
      if (unit >= 128) return bytes.utf8Write(value, this.length);
      bytes[at] = unit;
    }
    return length;
  }

  /** UTF-8 with a NUL at the end, its 32-bit length (with the NUL) before it. */
  terminatedText(value: string): void {
    const at = this.length;
    this.uint32(0);
    const written = this.#text(value);
    this.bytes[this.length + written] = 0;
    this.length += written + 1;
    this.#view.setUint32(at, written + 1, true);
    this.pad();
  }

  /** A copy of the bytes, then padding. */
  blob(value: Uint8Array): void {
    this.reserve(value.length + 8);
    this.bytes.set(value, this.length);
    this.length += value.length;
    this.pad();
  }

  /** Zeros up to the next multiple of eight. */
  pad(): void {
    const { bytes } = this;
    while (this.length % layout.recordAlignment !== 0) bytes[this.length++] = 0;
  }
}
