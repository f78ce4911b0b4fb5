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
  readonly #ascii = new TextBlocks(true);
  readonly #utf8 = new TextBlocks(false);
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
    const asciiBlocks = wordAt(words, start + layout.rowsAsciiBlocksAt);
    this.#views = views;
    this.tags = bytes;
    this.integers = views.integers;
    this.slotAt = (start + layout.rowsCellsAt) / 8;
    this.tagAt = start + layout.rowsCellsAt + count * 8;
    const lengths = align(this.tagAt + count);
    const blocks = asciiBlocks + wordAt(words, start + layout.rowsUtf8BlocksAt);
    const text = lengths + align(blocks * 4);
    const utf8 = text + wordAt(words, start + layout.rowsAsciiBytesAt);
    this.#raw = utf8 + wordAt(words, start + layout.rowsUtf8BytesAt);
    this.#rawEnd = this.#raw + wordAt(words, start + layout.rowsRawBytesAt);
    if (this.#rawEnd > limit) throw new Damage('rows beyond their record');
    const index = lengths / 4;
    this.#ascii.begin(bytes, words, index, index + asciiBlocks, text, utf8);
    this.#utf8.begin(bytes, words, index + asciiBlocks, index + blocks, utf8, this.#raw);
  }

  /** Lets go of the batch: a large one would be kept until the next rows come, which may be never. */
  end(): void {
    this.#views = noViews;
    this.tags = noViews.bytes;
    this.integers = noViews.integers;
    this.#ascii.begin(noViews.bytes, noViews.words, 0, 0, 0, 0);
    this.#utf8.begin(noViews.bytes, noViews.words, 0, 0, 0, 0);
  }

  /**
   * The value with this tag in slot `slot`. Texts, blobs and raw texts must be read in the order of the record. Throws a
   * Damage for what the record does not have, and what Node throws for a value that no string or Buffer can hold.
   */
  read(tag: number, slot: number): unknown {
    switch (tag) {
      case layout.cellInt32:
        return this.integers[slot * 2];
      case layout.cellAscii:
        return this.#ascii.take(this.#length(slot));
      case layout.cellUtf8:
        return this.#utf8.take(this.#length(slot));
      case layout.cellDouble:
        return this.#views.doubles[slot];
      case layout.cellNull:
        return null;
      case layout.cellInteger:
        return this.#views.bigints[slot];
      case layout.cellBlob:
        return this.#blob(this.#length(slot));
      case layout.cellRawAscii:
        return this.#rawText(this.#length(slot), true);
      case layout.cellRawUtf8:
        return this.#rawText(this.#length(slot), false);
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

  #rawText(size: number, ascii: boolean): string {
    const start = this.#passRaw(size);
    const { bytes } = this.#views;
    return ascii ? bytes.latin1Slice(start, this.#raw) : bytes.utf8Slice(start, this.#raw);
  }
}
