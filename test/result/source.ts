// The native door as the mailbox knows it, with segments that a test puts in.
import assert from 'node:assert/strict';
import { layout } from 'sqlite-tandem/lib/native/layout.js';

/** In place of the native door: hands out segments. */
export class Source {
  readonly segments: Buffer[] = [];
  readonly taken: string[] = [];
  woken = 0;
  /** Whether the mailbox, when it found nothing, said that it will look again. */
  promised: boolean[] = [];
  onWake = (): void => {};
  /** How often the mailbox waited awake for a segment. */
  watched = 0;
  onTake = (): void => {};

  add(id: number, ...records: readonly Buffer[]): void {
    const head = Buffer.alloc(layout.segmentRecordsAt);
    head.writeUInt32LE(id, layout.segmentConnectionAt);
    this.segments.push(Buffer.concat([head, ...records]));
  }

  take(bytes: Uint8Array, truncate: boolean, looksAgain: boolean): number {
    const [segment] = this.segments;
    if (segment === undefined) {
      this.promised.push(looksAgain);
      return 0;
    }
    if (segment.length > bytes.length && !truncate) {
      this.taken.push(`needs ${segment.length}`);
      return -segment.length;
    }
    this.segments.shift();
    this.onTake();
    this.taken.push(truncate ? 'cut' : 'whole');
    bytes.set(segment.subarray(0, bytes.length));
    return Math.min(segment.length, bytes.length);
  }

  watch(microseconds: number): boolean {
    assert.ok(microseconds > 0 && microseconds < 100, `${microseconds} microseconds`);
    this.watched++;
    return this.segments.length > 0;
  }

  wake(): void {
    this.woken++;
    this.onWake();
  }
}
