// Bytes become answers: reads the records of one segment and finds the request that each belongs to.

import { layout } from '../native/layout.js';
import type { Failure, Happening, Outcome, Request } from '../request/request.js';
import type { Cells, Views } from './cells.js';
import { type RowReader, rowReader } from './row-shape.js';

/** What decoding needs to know of a connection. */
export interface Answered {
  /** The oldest unanswered request. */
  readonly head: Request | undefined;
  /** Takes the oldest unanswered request out. */
  shift(): Request | undefined;
  proceed(): void;
}

/** One thing to hand to a request, in a turn of its own. */
export interface Delivery {
  readonly request: Request;
  /** To be released when the request was the one being held. */
  readonly held: Answered | undefined;
  readonly rows: readonly unknown[] | undefined;
  readonly happening: Happening | undefined;
  /** Undefined while the request goes on. */
  readonly answer: Outcome | Failure | undefined;
}

const tooBig: Failure = { code: 18, message: 'string or blob too big', offset: -1, prepareFailed: false };
/** Rows that each() gives to its callback before timers and I/O may get their turn. */
const rowsPerDelivery = 32;
const nothing: Outcome = { changes: 0, lastID: 0 };

export const isFailure = (answer: Outcome | Failure): answer is Failure => 'code' in answer;

/** Decodes what one connection sends; remembers its shapes. */
export class Decoder {
  readonly #connection: Answered;
  readonly #shapes = new Map<number, RowReader>();
  readonly #cells: Cells;

  constructor(connection: Answered, cells: Cells) {
    this.#connection = connection;
    this.#cells = cells;
  }

  /**
   * Decodes the record at `at`, of a segment that ends at `end`, and appends what is to be delivered because of it.
   * Returns where the next record begins. Everything is read before any of it is delivered.
   */
  decode(views: Views, at: number, end: number, deliveries: Delivery[]): number {
    const { words, bytes } = views;
    const length = words[(at + layout.recordLengthAt) >> 2] ?? 0;
    if (length < layout.requestBodyAt) throw new Error('damaged result');
    const kind = bytes[at + layout.recordKindAt];
    if (kind === layout.resultShape) {
      this.#shape(views, at);
      return at + length;
    }
    const flags = bytes[at + layout.recordFlagsAt] ?? 0;
    const request = this.#requestOf(words[(at + layout.recordSequenceAt) >> 2] ?? 0, flags, deliveries);
    if (request === undefined) throw new Error('a result without a request');
    if (at + length > end) this.#cutOff(flags, request, deliveries);
    else this.#record(views, at, kind, flags, request, deliveries);
    return at + length;
  }

  /**
   * The request of that sequence number. Those before it were quiet, and have succeeded. Undefined when it has been
   * answered already.
   */
  #requestOf(sequence: number, flags: number, deliveries: Delivery[]): Request | undefined {
    const connection = this.#connection;
    let { head } = connection;
    // Numbers wrap around, so the sign of the difference tells which came first.
    while (head !== undefined && ((sequence - head.sequence) | 0) > 0) {
      this.#deliver(connection.shift() as Request, 0, nothing, deliveries);
      head = connection.head;
    }
    if (head?.sequence !== sequence) return undefined;
    return (flags & layout.resultFinal) !== 0 ? connection.shift() : head;
  }

  /** Rows for which there was no room in memory. */
  #cutOff(flags: number, request: Request, deliveries: Delivery[]): void {
    request.damage = tooBig;
    if ((flags & layout.resultFinal) !== 0) this.#deliver(request, flags, tooBig, deliveries);
  }

  #deliver(request: Request, flags: number, answer: Outcome | Failure, deliveries: Delivery[]): void {
    const held = (flags & layout.resultHeld) !== 0 ? this.#connection : undefined;
    deliveries.push({ request, held, rows: undefined, happening: undefined, answer: request.damage ?? answer });
  }

  #record(views: Views, at: number, kind: number | undefined, flags: number, request: Request, out: Delivery[]): void {
    const { words, doubles } = views;
    switch (kind) {
      case layout.resultRows:
        return this.#rows(views, at, flags, request, out);
      case layout.resultDone: {
        const changes = doubles[(at + layout.doneChangesAt) >> 3] ?? 0;
        return this.#deliver(request, flags, { changes, lastID: doubles[(at + layout.doneLastIdAt) >> 3] ?? 0 }, out);
      }
      case layout.resultError:
        return this.#deliver(request, flags, this.#failure(views, at, flags), out);
      case layout.resultBackup:
        request.progress({
          completed: words[(at + layout.backupDoneAt) >> 2] !== 0,
          remaining: views.integers[(at + layout.backupRemainingAt) >> 2] ?? -1,
          pageCount: views.integers[(at + layout.backupPageCountAt) >> 2] ?? -1,
          failed: words[(at + layout.backupFailedAt) >> 2] !== 0,
        });
        // An error follows otherwise.
        if ((flags & layout.resultFinal) !== 0) this.#deliver(request, flags, nothing, out);
        return;
      default: {
        const happening = this.#happening(views, at, kind);
        out.push({ request, held: undefined, rows: undefined, happening, answer: undefined });
      }
    }
  }

  #rows(views: Views, at: number, flags: number, request: Request, out: Delivery[]): void {
    const rows: unknown[] = request.rows ?? [];
    const final = (flags & layout.resultFinal) !== 0;
    if (request.damage === undefined) {
      const kept = rows.length;
      try {
        const { words } = views;
        const reader = this.#shapes.get(words[(at + layout.rowsShapeAt) >> 2] ?? 0);
        if (reader === undefined) throw new Error('rows of an unknown shape');
        this.#cells.begin(views, at);
        reader(this.#cells, words[(at + layout.rowsCountAt) >> 2] ?? 0, rows);
      } catch {
        // The value is longer than a string or buffer of JavaScript can be.
        rows.length = kept;
        request.damage = tooBig;
      }
      this.#cells.end();
    }
    if (!request.streams) {
      request.rows = rows;
    } else {
      for (let i = 0; i < rows.length; i += rowsPerDelivery) {
        const some = rows.length <= rowsPerDelivery ? rows : rows.slice(i, i + rowsPerDelivery);
        out.push({ request, held: undefined, rows: some, happening: undefined, answer: undefined });
      }
    }
    if (final) this.#deliver(request, flags, nothing, out);
  }

  #failure(views: Views, at: number, flags: number): Failure {
    const start = at + layout.errorMessageAt;
    const length = views.words[(at + layout.errorMessageLengthAt) >> 2] ?? 0;
    return {
      code: views.integers[(at + layout.errorCodeAt) >> 2] ?? 1,
      message: views.bytes.utf8Slice(start, start + length),
      offset: views.integers[(at + layout.errorOffsetAt) >> 2] ?? -1,
      prepareFailed: (flags & layout.resultPrepareFailed) !== 0,
    };
  }

  #happening(views: Views, at: number, kind: number | undefined): Happening {
    const { words, doubles, integers, bytes } = views;
    if (kind === layout.resultChange) {
      const names = at + layout.changeNamesAt;
      const table = names + (words[(at + layout.changeDatabaseLengthAt) >> 2] ?? 0);
      return {
        event: 'change',
        operation: integers[(at + layout.changeOperationAt) >> 2] ?? 0,
        database: bytes.utf8Slice(names, table),
        table: bytes.utf8Slice(table, table + (words[(at + layout.changeTableLengthAt) >> 2] ?? 0)),
        rowID: doubles[(at + layout.changeRowIdAt) >> 3] ?? 0,
      };
    }
    const start = at + layout.traceTextAt;
    const sql = bytes.utf8Slice(start, start + (words[(at + layout.traceTextLengthAt) >> 2] ?? 0));
    if (kind === layout.resultTrace) return { event: 'trace', sql };
    return { event: 'profile', sql, milliseconds: doubles[(at + layout.traceTimeAt) >> 3] ?? 0 };
  }

  #shape(views: Views, at: number): void {
    const { bytes, words } = views;
    if (((bytes[at + layout.recordFlagsAt] ?? 0) & layout.resultShapesVoid) !== 0) this.#shapes.clear();
    const names: string[] = [];
    const columns = words[(at + layout.shapeColumnsAt) >> 2] ?? 0;
    for (let i = 0, position = at + layout.shapeNamesAt; i < columns; i++) {
      const length = bytes.readUInt32LE(position);
      names.push(bytes.utf8Slice(position + 4, position + 4 + length));
      position += 4 + length;
    }
    this.#shapes.set(words[(at + layout.shapeIdAt) >> 2] ?? 0, rowReader(names));
  }
}
