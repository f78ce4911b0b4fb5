// Bytes become answers: reads the records of one segment and finds the request that each belongs to.
//
// C++ wrote them, so they are right unless memory was overwritten. When they are not, no answer of that connection can
// be believed any more: every request of it, now and later, is answered with the error "damaged result".

import { constants } from 'node:buffer';
import { layout } from '../native/layout.js';
import type { Failure, Happening, Outcome, Request, RowMode } from '../request/request.js';
import type { Cells, Views } from './cells.js';
import { Damage } from './damage.js';
import { descriptionOf } from './description.js';
import { RowReaders } from './row-modes.js';

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
const damaged: Failure = { code: 2, message: 'damaged result', offset: -1, prepareFailed: false };
/** Rows that each() gives to its callback before timers and I/O may get their turn. */
const rowsPerDelivery = 32;
const nothing: Outcome = { changes: 0, lastID: 0 };

export const isFailure = (answer: Outcome | Failure): answer is Failure => 'code' in answer;

/** A list of column names, as rows refer to it. */
interface Shape {
  readonly columns: number;
  /** Undefined when the names do not fit into memory. */
  readonly readers: RowReaders | undefined;
}

/** Text of a record that ends at `limit`. */
const textAt = ({ bytes }: Views, start: number, length: number, limit: number): string => {
  if (start + length > limit) throw new Damage('text beyond its record');
  // Of a text that no string can hold, what a string can.
  return bytes.utf8Slice(start, start + Math.min(length, constants.MAX_STRING_LENGTH));
};

/** Decodes what one connection sends; remembers its shapes. */
export class Decoder {
  readonly #connection: Answered;
  readonly #shapes = new Map<number, Shape>();
  readonly #cells: Cells;
  #damaged = false;

  constructor(connection: Answered, cells: Cells) {
    this.#connection = connection;
    this.#cells = cells;
  }

  /**
   * Decodes the record at `at`, of a segment that ends at `end`, and appends what is to be delivered because of it.
   * Returns where the next record begins. Everything is read before any of it is delivered. `cut` says that the segment
   * is only the beginning of a record, for which there was no room in memory. Never throws.
   */
  decode(views: Views, at: number, end: number, deliveries: Delivery[], cut = false): number {
    const before = deliveries.length;
    if (!this.#damaged) {
      try {
        return this.#read(views, at, end, deliveries, cut);
      } catch {
        this.#damaged = true;
      }
    }
    // Those that the damaged record seemed to answer are out of the queue already.
    for (const { request, answer } of deliveries.splice(before)) {
      if (answer !== undefined) this.#refuse(request, deliveries);
    }
    for (let request = this.#connection.shift(); request !== undefined; request = this.#connection.shift()) {
      this.#refuse(request, deliveries);
    }
    return end;
  }

  #refuse(request: Request, deliveries: Delivery[]): void {
    request.rows = undefined;
    // SQLite's thread may hold an answer back for each that has one.
    const held = request.quiet ? undefined : this.#connection;
    deliveries.push({ request, held, rows: undefined, happening: undefined, answer: damaged });
  }

  #read(views: Views, at: number, end: number, deliveries: Delivery[], cut: boolean): number {
    const { words, bytes } = views;
    const length = words[(at + layout.recordLengthAt) >> 2] ?? 0;
    const next = at + length;
    if (length < layout.requestBodyAt || length % layout.recordAlignment !== 0 || (next > end && !cut)) {
      throw new Damage('not the length of a record');
    }
    const kind = bytes[at + layout.recordKindAt];
    if (kind === layout.resultShape) {
      this.#shape(views, at, next, next > end);
      return next;
    }
    const flags = bytes[at + layout.recordFlagsAt] ?? 0;
    const request = this.#requestOf(words[(at + layout.recordSequenceAt) >> 2] ?? 0, deliveries);
    if (next > end) this.#cutOff(flags, request, deliveries);
    else this.#record(views, at, next, kind, flags, request, deliveries);
    // Afterwards: a request whose record turned out to be damaged is still to be found.
    if ((flags & layout.resultFinal) !== 0) this.#connection.shift();
    return next;
  }

  /** The request of that sequence number. Those before it were quiet, and have succeeded. */
  #requestOf(sequence: number, deliveries: Delivery[]): Request {
    const connection = this.#connection;
    let { head } = connection;
    // Numbers wrap around, so the sign of the difference tells which came first.
    while (head !== undefined && ((sequence - head.sequence) | 0) > 0) {
      if (!head.quiet) throw new Damage('a result behind one that is missing');
      this.#deliver(connection.shift() as Request, 0, nothing, deliveries);
      head = connection.head;
    }
    if (head?.sequence !== sequence) throw new Damage('a result without a request');
    return head;
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

  #record(
    views: Views,
    at: number,
    limit: number,
    kind: number | undefined,
    flags: number,
    request: Request,
    out: Delivery[],
  ): void {
    const { words, doubles } = views;
    const final = (flags & layout.resultFinal) !== 0;
    // Otherwise the request would be answered once more.
    if (!final && (kind === layout.resultDone || kind === layout.resultError)) throw new Damage('an answer is final');
    if ((flags & layout.resultParked) !== 0) request.park();
    switch (kind) {
      case layout.resultRows:
        return this.#rows(views, at, limit, flags, request, out);
      case layout.resultDone: {
        if (limit - at < layout.doneLength) throw new Damage('a record too short');
        const changes = doubles[(at + layout.doneChangesAt) >> 3] ?? 0;
        return this.#deliver(request, flags, { changes, lastID: doubles[(at + layout.doneLastIdAt) >> 3] ?? 0 }, out);
      }
      case layout.resultError:
        return this.#deliver(request, flags, this.#failure(views, at, limit, flags), out);
      case layout.resultBackup:
        if (limit - at < layout.backupLength) throw new Damage('a record too short');
        request.progress({
          completed: words[(at + layout.backupDoneAt) >> 2] !== 0,
          remaining: views.integers[(at + layout.backupRemainingAt) >> 2] ?? -1,
          pageCount: views.integers[(at + layout.backupPageCountAt) >> 2] ?? -1,
          failed: words[(at + layout.backupFailedAt) >> 2] !== 0,
        });
        // An error follows otherwise.
        if (final) this.#deliver(request, flags, nothing, out);
        return;
      case layout.resultDescription:
        if (final) throw new Damage('a description is no answer');
        return request.describe(descriptionOf(views, at));
      default: {
        const happening = this.#happening(views, at, limit, kind);
        if (final) throw new Damage('an event is no answer');
        out.push({ request, held: undefined, rows: undefined, happening, answer: undefined });
      }
    }
  }

  #rows(views: Views, at: number, limit: number, flags: number, request: Request, out: Delivery[]): void {
    const rows: unknown[] = request.rows ?? [];
    const final = (flags & layout.resultFinal) !== 0;
    if (request.damage === undefined) {
      const kept = rows.length;
      try {
        this.#readRows(views, at, limit, request.rowMode, rows);
      } catch (error) {
        if (error instanceof Damage) throw error;
        // The value is longer than a string or buffer of JavaScript can be.
        rows.length = kept;
        request.damage = tooBig;
      } finally {
        this.#cells.end();
      }
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

  #readRows(views: Views, at: number, limit: number, mode: RowMode, rows: unknown[]): void {
    const { words } = views;
    const shape = this.#shapes.get(words[(at + layout.rowsShapeAt) >> 2] ?? 0);
    if (shape === undefined) throw new Damage('rows of an unknown shape');
    const columns = words[(at + layout.rowsColumnsAt) >> 2];
    // Without columns any number of rows would fit into the record.
    if (limit - at < layout.rowsCellsAt || columns === 0 || columns !== shape.columns) {
      throw new Damage('rows of another shape');
    }
    this.#cells.begin(views, at, limit);
    if (shape.readers === undefined) throw new RangeError('column names that do not fit into memory');
    shape.readers.of(mode)(this.#cells, words[(at + layout.rowsCountAt) >> 2] ?? 0, rows);
  }

  #failure(views: Views, at: number, limit: number, flags: number): Failure {
    const length = views.words[(at + layout.errorMessageLengthAt) >> 2] ?? 0;
    const code = views.integers[(at + layout.errorCodeAt) >> 2] ?? 0;
    if (code === 0) throw new Damage('an error without a code');
    return {
      code,
      message: textAt(views, at + layout.errorMessageAt, length, limit),
      offset: views.integers[(at + layout.errorOffsetAt) >> 2] ?? -1,
      prepareFailed: (flags & layout.resultPrepareFailed) !== 0,
    };
  }

  #happening(views: Views, at: number, limit: number, kind: number | undefined): Happening {
    const { words, doubles, integers } = views;
    if (kind === layout.resultChange) {
      const names = at + layout.changeNamesAt;
      const length = words[(at + layout.changeDatabaseLengthAt) >> 2] ?? 0;
      return {
        event: 'change',
        operation: integers[(at + layout.changeOperationAt) >> 2] ?? 0,
        database: textAt(views, names, length, limit),
        table: textAt(views, names + length, words[(at + layout.changeTableLengthAt) >> 2] ?? 0, limit),
        rowID: doubles[(at + layout.changeRowIdAt) >> 3] ?? 0,
      };
    }
    if (kind !== layout.resultTrace && kind !== layout.resultProfile) throw new Damage('a record of an unknown kind');
    const sql = textAt(views, at + layout.traceTextAt, words[(at + layout.traceTextLengthAt) >> 2] ?? 0, limit);
    if (kind === layout.resultTrace) return { event: 'trace', sql };
    return { event: 'profile', sql, milliseconds: doubles[(at + layout.traceTimeAt) >> 3] ?? 0 };
  }

  #shape(views: Views, at: number, limit: number, cut: boolean): void {
    const { bytes, words } = views;
    if (((bytes[at + layout.recordFlagsAt] ?? 0) & layout.resultShapesVoid) !== 0) this.#shapes.clear();
    const id = words[(at + layout.shapeIdAt) >> 2] ?? 0;
    const columns = words[(at + layout.shapeColumnsAt) >> 2] ?? 0;
    if (cut) {
      this.#shapes.set(id, { columns, readers: undefined });
      return;
    }
    const names: string[] = [];
    let position = at + layout.shapeNamesAt;
    for (let i = 0; i < columns; i++) {
      if (position + 4 > limit) throw new Damage('column names beyond their record');
      const length = bytes.readUInt32LE(position);
      names.push(textAt(views, position + 4, length, limit));
      position += 4 + length;
    }
    this.#shapes.set(id, { columns, readers: new RowReaders(names) });
  }
}
