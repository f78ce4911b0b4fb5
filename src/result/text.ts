// Text of a batch, decoded a block at a time and then cut into values.
//
// One call into Node for each block instead of one for each text. Blocks are at most layout.textBlockBytes long, because a
// kept piece of a string keeps the whole string alive.

/** Texts are taken in the order in which C++ wrote them. */
export class TextBlocks {
  readonly #ascii: boolean;
  #bytes: Buffer = Buffer.alloc(0);
  #lengths: Uint32Array = new Uint32Array(0);
  /** Index of the length of the next block, and where its bytes begin. */
  #next = 0;
  #at = 0;
  #block = '';
  #position = 0;

  constructor(ascii: boolean) {
    this.#ascii = ascii;
  }

  /** Begins a batch: its bytes, the table of block lengths and the first entry that is ours, and the first byte. */
  begin(bytes: Buffer, lengths: Uint32Array, next: number, at: number): void {
    this.#bytes = bytes;
    this.#lengths = lengths;
    this.#next = next;
    this.#at = at;
    this.#block = '';
    this.#position = 0;
  }

  /** The next text, of so many UTF-16 units. */
  take(units: number): string {
    if (this.#position + units > this.#block.length) this.#advance();
    const start = this.#position;
    this.#position = start + units;
    return this.#block.slice(start, this.#position);
  }

  #advance(): void {
    const start = this.#at;
    this.#at = start + (this.#lengths[this.#next++] ?? 0);
    this.#block = this.#ascii ? this.#bytes.latin1Slice(start, this.#at) : this.#bytes.utf8Slice(start, this.#at);
    this.#position = 0;
  }
}
