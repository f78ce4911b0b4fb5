// The event loop's side of the wake-up: takes what has finished, decodes it, and delivers one answer a turn.
//
// Native calls deliver() once for each answer, in a callback scope of its own, so that next-tick and promise jobs run
// between two callbacks as they do in node-sqlite3. After some milliseconds the loop gets a turn for timers and I/O.

import { setAnswering } from '../answering.js';
import { layout } from '../native/layout.js';
import { afterTime, inNextTurn, now } from '../turns.js';
import { Cells, Views } from './cells.js';
import { type Answered, Decoder, type Delivery, isFailure } from './decode.js';

/** The part of the native door that delivery uses. */
interface Source {
  take(bytes: Uint8Array, truncate: boolean, looksAgain: boolean): number;
  watch(microseconds: number): boolean;
  wake(): void;
}

/** What a timeline records: called with start and end, in the milliseconds of performance.now(). */
export type Observer = (start: number, end: number) => void;

// One large record of rows and not three: the databases take turns, one batch each.
const batchBytes = 128 * 1024;
/** How long answers are delivered before timers and I/O get their turn: to read a file takes four or more of these. */
const turnMilliseconds = 1;
/** Reading the clock costs as much as a small delivery, so it is looked at after four of those, or after a large one. */
const bytesPerLook = 512;
const leastBytes = 128;

/** After answers with more to come, the loop looks for them by itself: waking it costs SQLite's thread time. */
const lookAgainMilliseconds = 1;

/** How long the loop waits awake for the answer to a lone request: about as long as waking it would take. */
const watchMicroseconds = 20;
/** After answers that came later than that, so many lone requests at most go by without it. */
const mostSkipped = 64;

/** Answers that settle promises come in turns of so many: fewer turns, and still promise jobs soon send new requests. */
const mostTogether = 32;

/** An error gets a turn of its own: what its stack is to show is found out by promise jobs. */
const onlySettles = (delivery: Delivery | undefined): boolean =>
  delivery?.request.together === true && (delivery.answer === undefined || !isFailure(delivery.answer));

const noViews = new Views(0);

export class Mailbox {
  readonly #source: Source;
  readonly #find: (id: number) => Answered | undefined;
  readonly #release: () => void;
  readonly #expecting: () => boolean;
  readonly #raise: (error: unknown) => void;
  readonly #now: () => number;
  readonly #decoders = new WeakMap<Answered, Decoder>();
  readonly #cells = new Cells();
  #reused: Views | undefined;
  /** The segment that is being decoded: its bytes, the next record, and the end. */
  #views: Views = noViews;
  #at = 0;
  #end = 0;
  /** The segment is only the beginning of a result. */
  #cut = false;
  #decoder: Decoder | undefined;
  /** Decoded, in order; those before the index are done. */
  readonly #deliveries: Delivery[] = [];
  #index = 0;
  #turnStart = 0;
  #continuing = false;
  /** The loop has its turn. */
  #yielding = false;
  #sinceLook = 0;
  #timer: NodeJS.Timeout | undefined;
  #looksAgain = false;
  #watching = false;
  /** How many lone requests are still to go by, and how many after the next answer that comes too late. */
  #skipping = 0;
  #toSkip = 1;
  /** Whether a look has found something since one found nothing. */
  #found = false;
  readonly observers = new Set<Observer>();

  /**
   * `find` gives the connection of a number, `release` is called for each request that is answered, `expecting` tells
   * whether more answers are to come, `raise` is called with what a callback threw, `clock` tells milliseconds.
   */
  constructor(
    source: Source,
    find: (id: number) => Answered | undefined,
    release: () => void,
    expecting: () => boolean,
    raise: (error: unknown) => void,
    clock: () => number = now,
  ) {
    this.#source = source;
    this.#find = find;
    this.#release = release;
    this.#expecting = expecting;
    this.#raise = raise;
    this.#now = clock;
  }

  /** Delivers one answer, or several that settle promises. True when there are more, and another call is wanted. */
  readonly deliver = (): boolean => {
    // A second wake-up, as when native had something new just as the loop looked again by itself.
    if (this.#yielding) return false;
    const observed = this.observers.size !== 0 ? performance.now() : 0;
    if (!this.#continuing) this.#turnStart = this.#now();
    this.#continuing = false;
    this.#looksAgain = false;
    if (this.#index < this.#deliveries.length || this.#refill()) {
      this.#handTogether();
    }
    if (observed !== 0) for (const observe of this.observers) observe(observed, performance.now());
    return this.#continuing;
  };

  /** One answer; of those that only settle promises, several, for they do without promise jobs between them. */
  #handTogether(): void {
    for (let left = mostTogether; left > 0; left--) {
      const delivery = this.#deliveries[this.#index++] as Delivery;
      this.#hand(delivery);
      this.#continuing = this.#more();
      if (!this.#continuing || !onlySettles(delivery) || !onlySettles(this.#deliveries[this.#index])) return;
    }
  }

  #more(): boolean {
    if (this.#index === this.#deliveries.length && !this.#refill()) return false;
    if (this.#sinceLook < bytesPerLook) return true;
    this.#sinceLook = 0;
    if (this.#now() - this.#turnStart < turnMilliseconds) return true;
    this.#yield();
    return false;
  }

  /**
   * To be called when a request has gone to a database that had nothing to do. Its answer is often there sooner than a
   * sleeping loop would wake, so the loop waits for it awake, once it has nothing else to do.
   */
  readonly anticipate = (): void => {
    if (this.#watching) return;
    if (this.#skipping > 0) {
      this.#skipping--;
      return;
    }
    this.#watching = true;
    inNextTurn(this.#watch);
  };

  readonly #watch = (): void => {
    this.#watching = false;
    if (!this.#source.watch(watchMicroseconds)) {
      this.#skipping = this.#toSkip;
      this.#toSkip = Math.min(this.#toSkip * 2, mostSkipped);
      return;
    }
    this.#toSkip = 1;
    let more = true;
    try {
      more = this.deliver();
    } finally {
      if (more) this.#source.wake();
    }
  };

  #yield(): void {
    this.#yielding = true;
    inNextTurn(() => {
      this.#yielding = false;
      this.#source.wake();
    });
  }

  /**
   * Keeps the promise given with take(). A timer does not keep the process alive, but the async context in which it was
   * started: it is let go once it has fired.
   */
  #lookAgain(): void {
    this.#looksAgain = true;
    if (this.#timer !== undefined) {
      this.#timer.refresh();
      return;
    }
    this.#timer = afterTime()?.(() => {
      this.#timer = undefined;
      if (this.#looksAgain) this.#source.wake();
    }, lookAgainMilliseconds);
    this.#timer?.unref();
  }

  /** Takes and decodes until there is something to deliver. False when there is nothing, or the turn is over. */
  #refill(): boolean {
    // Not by its length, which would let go of the array's memory, too.
    while (this.#deliveries.length !== 0) this.#deliveries.pop();
    this.#index = 0;
    while (this.#deliveries.length === 0) {
      if (this.#at < this.#end) this.#decode();
      else if (!this.#take()) return false;
      // The rows of a large result can take longer than a turn before anything is to be delivered.
      else if (this.#now() - this.#turnStart > turnMilliseconds) {
        this.#yield();
        return false;
      }
    }
    return true;
  }

  /**
   * One record of the segment. Only one at a time, so that the rows of an answer die young: those of a whole segment
   * would have to be copied by the garbage collector again and again.
   */
  #decode(): void {
    const at = this.#at;
    this.#at = (this.#decoder as Decoder).decode(this.#views, at, this.#end, this.#deliveries, this.#cut);
    this.#sinceLook += Math.max(this.#at - at, leastBytes);
  }

  /** Fetches the next segment. False when there is none. */
  #take(): boolean {
    this.#reused ??= new Views(batchBytes);
    this.#views = this.#reused;
    this.#cut = false;
    // A look that finds nothing is not repeated: one long query would have the loop look a thousand times a second.
    const looksAgain = this.#found && this.#expecting() && afterTime() !== undefined;
    let size = this.#source.take(this.#views.bytes, false, looksAgain);
    while (size < 0) {
      try {
        this.#views = new Views(-size);
        size = this.#source.take(this.#views.bytes, false, looksAgain);
      } catch {
        // No buffer can be so large: only the head of the result is taken, and its request fails.
        this.#cut = true;
        size = this.#source.take(this.#views.bytes, true, looksAgain);
      }
    }
    this.#found = size !== 0;
    if (size === 0) {
      if (looksAgain) this.#lookAgain();
      return false;
    }
    const connection = this.#find(this.#views.words[layout.segmentConnectionAt / 4] ?? 0);
    this.#at = layout.segmentRecordsAt;
    this.#end = connection === undefined ? 0 : size;
    this.#decoder = connection && this.#decoderOf(connection);
    return true;
  }

  #decoderOf(connection: Answered): Decoder {
    let decoder = this.#decoders.get(connection);
    if (decoder === undefined) {
      decoder = new Decoder(connection, this.#cells);
      this.#decoders.set(connection, decoder);
    }
    return decoder;
  }

  #hand(delivery: Delivery): void {
    const { request, answer } = delivery;
    if (answer !== undefined) this.#release();
    // Row callbacks may take any time, so the clock is looked at after each handful of them.
    if (delivery.rows !== undefined) this.#sinceLook = bytesPerLook;
    setAnswering(request);
    try {
      request.runInAsyncScope(this.#call, this, delivery);
    } catch (error) {
      // As in Node: an exception of a callback is an uncaught exception, and harms nothing else.
      request.runInAsyncScope(this.#raise, undefined, error);
    }
    setAnswering(undefined);
    delivery.held?.proceed();
  }

  #call(delivery: Delivery): void {
    const { request, answer } = delivery;
    if (delivery.happening !== undefined) request.happen(delivery.happening);
    else if (delivery.rows !== undefined) request.receive(delivery.rows);
    else if (answer !== undefined) {
      if (isFailure(answer)) request.fail(answer);
      else request.succeed(answer);
    }
  }
}
