// The cells of one record of rows: tags and 64-bit slots, texts in blocks, and raw bytes.

import { layout } from '../native/layout.js';
import { Damage } from './damage.js';
import { TextBlocks } from './text.js';

/** One ArrayBuffer of results, seen as every type that is read from it. */
export class Views {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  readonly integers: Int32Array;
  readonly doubles: Float64Array;
  readonly bigints: BigInt64Array;

  /** `size` is rounded up to a multiple of eight. Throws a RangeError when there is no such buffer. */
  constructor(size: number) {
    const buffer = new ArrayBuffer(Math.ceil(size / layout.recordAlignment) * layout.recordAlignment);
    this.bytes = Buffer.from(buffer);
    this.words = new Uint32Array(buffer);
    this.integers = new Int32Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.bigints = new BigInt64Array(buffer);
  }
}

const noViews = new Views(0);
const wordAt = (words: Uint32Array, offset: number): number => words[offset >> 2] ?? 0;
const align = (offset: number): number => {
  const last = offset + (layout.recordAlignment - 1);
  return last - (last % layout.recordAlignment);
};

/** Reused for every record; valid only while that record is decoded. */
export class Cells {
  #views: Views = noViews;
  readonly #latin1 = new TextBlocks(false);
  readonly #utf16 = new TextBlocks(true);
  #raw = 0;
  #rawEnd = 0;
  tags: Buffer = noViews.bytes;
  integers: Int32Array = noViews.integers;
  /** Index of the first tag in `tags`. */
  tagAt = 0;
  /** Index of the first slot in 64-bit units. */
  slotAt = 0;

  /** Begins the record of rows from byte `start` to before `limit`. Throws a Damage when its areas lead beyond it. */
  begin(views: Views, start: number, limit: number): void {
    const { words, bytes } = views;
    const count = wordAt(words, start + layout.rowsCountAt) * wordAt(words, start + layout.rowsColumnsAt);
    const latin1Blocks = wordAt(words, start + layout.rowsLatin1BlocksAt);
    this.#views = views;
    this.tags = bytes;
    this.integers = views.integers;
    this.slotAt = (start + layout.rowsCellsAt) / 8;
    this.tagAt = start + layout.rowsCellsAt + count * 8;
    const lengths = align(this.tagAt + count);
    const blocks = latin1Blocks + wordAt(words, start + layout.rowsUtf16BlocksAt);
    const utf16 = lengths + align(blocks * 4);
    const latin1 = utf16 + wordAt(words, start + layout.rowsUtf16BytesAt);
    const latin1End = latin1 + wordAt(words, start + layout.rowsLatin1BytesAt);
    this.#raw = align(latin1End);
    this.#rawEnd = this.#raw + wordAt(words, start + layout.rowsRawBytesAt);
    if (this.#rawEnd > limit) throw new Damage('rows beyond their record');
    const index = lengths / 4;
    this.#latin1.begin(bytes, words, index, index + latin1Blocks, latin1, latin1End);
    this.#utf16.begin(bytes, words, index + latin1Blocks, index + blocks, utf16, latin1);
  }

  /** Lets go of the batch: a large one would be kept until the next rows come, which may be never. */
  end(): void {
    this.#views = noViews;
    this.tags = noViews.bytes;
    this.integers = noViews.integers;
    this.#latin1.begin(noViews.bytes, noViews.words, 0, 0, 0, 0);
    this.#utf16.begin(noViews.bytes, noViews.words, 0, 0, 0, 0);
  }

  /**
   * The value with this tag in slot `slot`. Texts, blobs and raw texts must be read in the order of the record. Throws a
   * Damage for what the record does not have, and what Node throws for a value that no string or Buffer can hold.
   */
  read(tag: number, slot: number): unknown {
    switch (tag) {
      case layout.cellInt32:
        return this.integers[slot * 2];
      case layout.cellLatin1:
        return this.#latin1.take(this.#length(slot));
      case layout.cellUtf16:
        return this.#utf16.take(this.#length(slot));
      case layout.cellDouble:
        return this.#views.doubles[slot];
      case layout.cellNull:
        return null;
      case layout.cellInteger:
        return this.#views.bigints[slot];
      case layout.cellBlob:
        return this.#blob(this.#length(slot));
      case layout.cellRawLatin1:
        return this.#rawLatin1(this.#length(slot));
      case layout.cellRawUtf16:
        return this.#rawUtf16(this.#length(slot));
      case layout.cellRawUtf8:
        return this.#rawUtf8(this.#length(slot));
      default:
        throw new Damage(`unknown cell tag ${tag}`);
    }
  }

  /** Unsigned, so that no damaged length leads backwards. */
  #length(slot: number): number {
    return (this.integers[slot * 2] as number) >>> 0;
  }

  /** Where the next `size` raw bytes begin; they are passed over. */
  #passRaw(size: number): number {
    const start = this.#raw;
    this.#raw = start + size;
    if (this.#raw > this.#rawEnd) throw new Damage('raw bytes beyond their area');
    return start;
  }

  /** A copy in memory of its own: the batch is reused, and a view would keep all of it alive. */
  #blob(size: number): Buffer {
    const start = this.#passRaw(size);
    const blob = Buffer.allocUnsafeSlow(size);
    this.#views.bytes.copy(blob, 0, start, this.#raw);
    return blob;
  }

  #rawLatin1(size: number): string {
    const start = this.#passRaw(size);
    return this.#views.bytes.latin1Slice(start, this.#raw);
  }

  /** Behind an odd number of raw bytes there is one that is passed over: Node copies UTF-16 from even places only. */
  #rawUtf16(units: number): string {
    this.#passRaw(this.#raw % 2);
    const start = this.#passRaw(units * 2);
    return this.#views.bytes.ucs2Slice(start, this.#raw);
  }

  /** Text that is no UTF-8: what is wrong with it becomes replacement characters. */
  #rawUtf8(size: number): string {
    const start = this.#passRaw(size);
    return this.#views.bytes.utf8Slice(start, this.#raw);
  }
}
