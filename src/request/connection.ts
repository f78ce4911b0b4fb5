// The JavaScript side of one SQLite thread: collects the requests of a turn, remembers what is unanswered, and decides
// when the batch goes to native.

import { binding } from '../native/binding.js';
import { layout } from '../native/layout.js';
import { afterThis, inNextTurn } from '../turns.js';
import { type Failure, Request, unsent } from './request.js';
import { Spans } from './spans.js';
import { giveBackWriter, takeWriter, Writer } from './writer.js';

const fullBatch = 64 * 1024;
const outOfMemory: Failure = { code: 7, message: 'out of memory', offset: -1, prepareFailed: false };

/** Those whose threads run, by their number. None of them refers to its Database, so that GC can find that one. */
const connections = new Map<number, Connection>();
/** Requests of all connections that are not answered yet: they keep the process alive. */
let unanswered = 0;

/** The connection of that number. */
export const connectionOf = (id: number): Connection | undefined => connections.get(id);

/** Whether answers are to come. */
export const expecting = (): boolean => unanswered !== 0;

/** Called for each request that is being answered. */
export const release = (): void => {
  if (--unanswered === 0) binding.hold(false);
};

let anticipate = (): void => {};

/** Sets what is called when a request has gone to a database that had nothing to do. */
export const onLoneRequest = (callback: () => void): void => {
  anticipate = callback;
};

/** A request that nobody made and nobody waits for. */
class Unheard extends Request {
  override succeed(): void {}
  override fail(): void {}
}

const failLater = (request: Request, failure: Failure): void => {
  inNextTurn(() => {
    request.settled = true;
    release();
    request.runInAsyncScope(request.fail, request, failure);
  });
};

export class Connection {
  readonly id: number;
  /** The batch of this turn; shared among all connections while they have none. */
  #writer: Writer | undefined = undefined;
  #sequence = 0;
  /** Unanswered requests, oldest first: answers come in this order. */
  #first: Request | undefined = undefined;
  #last: Request | undefined = undefined;
  #waiting = 0;
  /** How many of them native has not been given yet; they are the newest. */
  #unsubmitted = 0;
  #flushScheduled = false;
  /** Where in the batch the record begins that is being written. */
  #writing: number | undefined = undefined;
  /** How much of the batch native has already been given while a record was being written. */
  #submitted = 0;
  /** Requests that native had no memory for, by the one that must be answered before them. */
  #refused: Map<Request, Request[]> | undefined = undefined;
  readonly #statements: number[] = [];
  #statementCount = 0;
  /** Why every further request is refused: the open failed, and the thread has ended. */
  #refusal: Failure | undefined = undefined;
  #ended = false;
  #ending = false;
  readonly #stats = new Float64Array(5);
  /** When SQLite was busy, for a timeline. */
  readonly spans: Spans;

  constructor() {
    this.id = binding.open();
    this.spans = new Spans(this.id);
    if (this.id !== 0) connections.set(this.id, this);
  }

  /** Unanswered requests. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The request that is answered next. */
  get head(): Request | undefined {
    return this.#first;
  }

  /** A number for a new statement or backup, unused at the moment. */
  allocateStatement(): number {
    return this.#statements.pop() ?? ++this.#statementCount;
  }

  /** To be called once the request that ends the statement has been queued: what comes later may use the number again. */
  freeStatement(id: number): void {
    this.#statements.push(id);
  }

  /**
   * Queues a request. `flags` may have 1 + layout.integers... in its second byte: what INTEGERs in the rows become, when
   * that is not as configured. `write` adds the body to the batch, made of `a`, `b` and `c`, which spare a closure; when
   * it throws, nothing is queued. `lazy` leaves the submission to a request that follows at once.
   */
  send<A, B, C>(
    request: Request,
    operation: number,
    flags: number,
    statement: number,
    write?: (writer: Writer, a: A, b: B, c: C) => void,
    lazy = false,
    a?: A,
    b?: B,
    c?: C,
  ): void {
    const nested = this.#writing !== undefined;
    // Reading a parameter may run code of the user, and that code may send requests of its own: they come first, in
    // batches of their own, while the record of this one is still being written.
    if (nested) this.flush();
    if (this.#writer === undefined) this.#writer = takeWriter();
    const writer = nested ? new Writer() : this.#writer;
    const start = writer.begin(operation, flags, statement);
    if (write !== undefined) {
      const outer = this.#writing;
      this.#writing ??= start;
      try {
        write(writer, a as A, b as B, c as C);
      } catch (error) {
        writer.length = start;
        // What was written may have made the buffer large.
        this.#scheduleFlush();
        throw error;
      } finally {
        this.#writing = outer;
      }
    }
    this.#sequence = (this.#sequence + 1) >>> 0;
    request.sequence = this.#sequence;
    request.quiet = (flags & layout.requestQuiet) !== 0;
    if (this.#ended) {
      writer.length = start;
      this.flush();
      return this.#refuse(request);
    }
    this.#remember(request);
    writer.end(start, this.#sequence);
    if (nested) this.#submit(writer, 0, writer.length);
    else if (!lazy && this.#waiting === this.#unsubmitted) {
      this.flush();
      anticipate();
    } else if (writer.length >= fullBatch) this.flush();
    else this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    afterThis(() => {
      this.#flushScheduled = false;
      this.flush();
    });
  }

  #remember(request: Request): void {
    if (this.#last === undefined) this.#first = request;
    else this.#last.next = request;
    this.#last = request;
    this.#waiting++;
    this.#unsubmitted++;
    if (unanswered++ === 0) binding.hold(true);
  }

  #refuse(request: Request): void {
    if (unanswered++ === 0) binding.hold(true);
    failLater(request, this.#refusal ?? outOfMemory);
  }

  /** Gives the batch to native, without the record that is being written, if there is one. */
  flush(): void {
    const writer = this.#writer;
    if (writer === undefined) return;
    const end = this.#writing ?? writer.length;
    if (end > this.#submitted) this.#submit(writer, this.#submitted, end);
    if (this.#writing === undefined) {
      writer.clear();
      giveBackWriter(writer);
      this.#writer = undefined;
      this.#submitted = 0;
    } else {
      this.#submitted = end;
    }
  }

  #submit(writer: Writer, start: number, end: number): void {
    const count = this.#unsubmitted;
    this.#unsubmitted = 0;
    const bytes = start === 0 ? writer.bytes : writer.bytes.subarray(start);
    if (!binding.submit(this.id, bytes, end - start)) this.#giveBack(count);
  }

  /** Native had no memory for the newest `count` requests: they are answered with that. */
  #giveBack(count: number): void {
    const kept = this.#waiting - count;
    let request = this.#first;
    let last: Request | undefined;
    for (let i = 0; i < kept && request !== undefined; i++) {
      last = request;
      request = request.next;
    }
    this.#last = last;
    if (last === undefined) this.#first = undefined;
    else last.next = undefined;
    this.#waiting = kept;
    const refused: Request[] = [];
    while (request !== undefined) {
      const { next } = request;
      request.next = undefined;
      refused.push(request);
      request = next;
    }
    // Not before those that were there first.
    if (last === undefined) {
      for (const each of refused) failLater(each, outOfMemory);
    } else {
      this.#refused ??= new Map();
      // An earlier batch may wait for the same one.
      this.#refused.set(last, [...(this.#refused.get(last) ?? []), ...refused]);
    }
  }

  #failRefused(before: Request): void {
    for (const refused of this.#refused?.get(before) ?? []) failLater(refused, outOfMemory);
    this.#refused?.delete(before);
  }

  /**
   * Ends a statement or backup whose object nobody holds any more, by its operation of finalizing or finishing; there is
   * nobody to report to.
   */
  endDropped(id: number, operation: number): void {
    if (this.#ended) return;
    this.send(new Unheard(), operation, layout.requestQuiet, id);
    this.freeStatement(id);
  }

  /** Takes the oldest unanswered request out; it is being answered. */
  shift(): Request | undefined {
    const request = this.#first;
    if (request === undefined) return undefined;
    this.#first = request.next;
    if (this.#first === undefined) this.#last = undefined;
    request.next = undefined;
    request.settled = true;
    this.#waiting--;
    if (this.#refused !== undefined) this.#failRefused(request);
    if (this.#ending && this.#waiting === 0) this.#end();
    return request;
  }

  /**
   * Ends the thread once everything that is queued has been answered: the database was closed, did not open, or was
   * dropped. Not before: an unanswered request would keep the process alive for ever.
   */
  endWhenIdle(refusal?: Failure): void {
    this.#refusal = refusal;
    this.#ending = true;
    if (this.#waiting === 0) this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.stats();
    this.spans.end();
    this.#ended = true;
    connections.delete(this.id);
    binding.end(this.id);
  }

  get ended(): boolean {
    return this.#ended;
  }

  interrupt(): void {
    this.flush();
    binding.interrupt(this.id);
  }

  /**
   * Cancels that request and no other: if its turn has not come or it runs, its answer is SQLITE_INTERRUPT; if it has
   * been executed, it is answered as if nobody had asked. A request that was not sent is not cancelled.
   */
  cancel(request: Request): void {
    if (request.settled || request.sequence === unsent) return;
    this.flush();
    binding.cancel(this.id, request.sequence);
  }

  /**
   * Nanoseconds SQLite's thread was busy, for how many of them the event loop was idle (-1 when that is not known), bytes
   * that JavaScript has not taken, and how often the cache of statements was of use, or not; the last known after the end.
   */
  stats(): Readonly<Record<'busy' | 'idle' | 'undelivered' | 'cacheHits' | 'cacheMisses', number>> {
    // After the end the thread still has to leave; what it does then is nobody's request.
    if (!this.#ended) binding.stats(this.id, this.#stats);
    const [busy = 0, idle = -1, undelivered = 0, cacheHits = 0, cacheMisses = 0] = this.#stats;
    return { busy, idle, undelivered, cacheHits, cacheMisses };
  }

  proceed(): void {
    binding.proceed(this.id);
  }

  /** Options are those of layout.option...; checked by the caller. */
  configure(request: Request, option: number, id: number, value: number): void {
    this.send(request, layout.operationConfigure, 0, 0, (writer) => {
      writer.uint32(option);
      writer.uint32(id >>> 0);
      writer.double(value);
    });
  }
}
