// Text of a batch, made into a string a block at a time and then cut into values.
//
// One call into Node for each block instead of one for each text. Blocks are at most layout.textBlockBytes long, because a
// kept piece of a string keeps the whole string alive.

import { Damage } from './damage.js';

/** Texts are taken in the order in which C++ wrote them. */
export class TextBlocks {
  readonly #wide: boolean;
  #bytes: Buffer = Buffer.alloc(0);
  #lengths: Uint32Array = new Uint32Array(0);
  /** Index of the length of the next block, and where its bytes begin; then where our lengths and our bytes end. */
  #next = 0;
  #at = 0;
  #last = 0;
  #end = 0;
  #block = '';
  #position = 0;

  /** Of UTF-16, or else of Latin-1. */
  constructor(wide: boolean) {
    this.#wide = wide;
  }

  /**
   * Begins a batch: its bytes, the table of block lengths and our entries in it from `next` to before `last`, and our
   * bytes from `at` to before `end`. The caller has made sure that the batch has all of these.
   */
  begin(bytes: Buffer, lengths: Uint32Array, next: number, last: number, at: number, end: number): void {
    this.#bytes = bytes;
    this.#lengths = lengths;
    this.#next = next;
    this.#at = at;
    this.#last = last;
    this.#end = end;
    this.#block = '';
    this.#position = 0;
  }

  /** The next text, of so many UTF-16 units. Throws a Damage where the blocks have no such text. */
  take(units: number): string {
    if (this.#position + units > this.#block.length) this.#advance(units);
    const start = this.#position;
    this.#position = start + units;
    return this.#block.slice(start, this.#position);
  }

  #advance(units: number): void {
    if (this.#next === this.#last) throw new Damage('no block for a text');
    const start = this.#at;
    this.#at = start + (this.#lengths[this.#next++] as number);
    if (this.#at > this.#end) throw new Damage('a block beyond its area');
    this.#block = this.#wide ? this.#bytes.ucs2Slice(start, this.#at) : this.#bytes.latin1Slice(start, this.#at);
    this.#position = 0;
    if (units > this.#block.length) throw new Damage('a text beyond its block');
  }
}
