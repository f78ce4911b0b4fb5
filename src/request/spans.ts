// The spans in which SQLite was busy, fetched from native for those who record them.

import { binding } from '../native/binding.js';

/** So many are fetched at once. */
const spansAtOnce = 4096;

/** Start and end in nanoseconds of process.hrtime(), as native gives them. */
export interface BusySpan {
  readonly start: number;
  end: number;
}

/** Those of one connection. */
export class Spans {
  readonly #connection: number;
  /** One list for each recording that runs. */
  readonly #lists = new Set<BusySpan[]>();
  #ended = false;

  constructor(connection: number) {
    this.#connection = connection;
  }

  /** Adds to the list, in order, what happens from now on; the first span may have begun before. */
  record(list: BusySpan[]): void {
    if (this.#ended) return;
    this.#collect();
    if (this.#lists.size === 0) binding.record(this.#connection, true);
    this.#lists.add(list);
  }

  /** Completes the list. */
  stop(list: BusySpan[]): void {
    this.#collect();
    this.#lists.delete(list);
    if (this.#lists.size === 0) binding.record(this.#connection, false);
  }

  /** The thread is about to end; what it has not told by then is lost. */
  end(): void {
    this.#collect();
    this.#ended = true;
    this.#lists.clear();
  }

  #collect(): void {
    if (this.#lists.size === 0) return;
    const numbers = new Float64Array(2 * spansAtOnce);
    let count: number;
    do {
      count = binding.spans(this.#connection, numbers);
      for (let i = 0; i < count; i++) this.#add(numbers[2 * i] ?? 0, numbers[2 * i + 1] ?? 0);
    } while (count === spansAtOnce);
  }

  #add(start: number, end: number): void {
    for (const list of this.#lists) {
      const last = list.at(-1);
      // The span that was still running when it was fetched comes again when it has ended.
      if (last?.start === start) last.end = Math.max(last.end, end);
      else list.push({ start, end });
    }
  }
}
