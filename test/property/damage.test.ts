// Results with random damage: each request gets one answer or none yet, in order, and values only of its own record.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { Cells } from 'sqlite-tandem/lib/result/cells.js';
import { Decoder, type Delivery, isFailure } from 'sqlite-tandem/lib/result/decode.js';
import { type Asked, Queue } from '../result/queue.js';
import { type Cell, changed, done, failed, rows, shape, traced, viewsOf } from '../result/records.js';

const requests = 4;
/** Around the segment, where nothing may be read: it decodes to text and blobs that are known. */
const soil = 0xee;
const message = 'damaged result';

/** Fast-check's default would be a matter of a second; damage has many places to hide. */
const numRuns = 2000;

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.record({ int32: fc.integer() }),
  fc.record({ double: fc.double() }),
  fc.record({ integer: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) }),
  fc.record({ latin1: fc.string({ maxLength: 12 }).map((value) => value.replace(/[^ -~]/g, '.')) }),
  fc.record({ utf16: text }),
  fc.record({ rawUtf16: text }),
  fc.record({ rawUtf8: text }),
  fc.record({ blob: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) }),
  fc.constant(null),
);

/** What a connection answers to one request: all kinds of records, the last of them final. */
const answerTo = (sequence: number): fc.Arbitrary<readonly Buffer[]> =>
  fc.oneof(
    fc.constant([done(sequence, 1, 2)]),
    text.map((words) => [failed(sequence, 1, words)]),
    fc
      .tuple(text, text)
      .map(([sql, table]) => [
        traced(layout.resultTrace, sequence, sql),
        traced(layout.resultProfile, sequence, sql, 1),
        changed(sequence, 18, 'main', table, 1),
        done(sequence),
      ]),
    fc
      .array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 })
      .map((cells) => [
        shape(sequence, ['a', 'b']),
        rows(sequence, sequence, cells),
        rows(sequence, sequence, cells, layout.resultFinal),
      ]),
  );

const answers: fc.Arbitrary<Buffer> = fc
  .tuple(...Array.from({ length: requests }, (_, i) => answerTo(i + 1)))
  .map((all) => Buffer.concat(all.flat()));

type Change =
  | { readonly byte: number; readonly value: number }
  | { readonly word: number; readonly value: number }
  | { readonly from: number; readonly length: number };

/** Places are taken modulo the length: a bit here, a number there, or bytes that are missing. */
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ byte: fc.nat(), value: fc.integer({ min: 0, max: 255 }) }),
  fc.record({
    word: fc.nat(),
    value: fc.oneof(fc.nat({ max: 64 }), fc.constantFrom(0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff)),
  }),
  fc.record({ from: fc.nat(), length: fc.integer({ min: 1, max: 40 }) }),
);

const damage = (good: Buffer, changes: readonly Change[]): Buffer => {
  let bytes: Buffer = Buffer.from(good);
  for (const each of changes) {
    if (bytes.length < 8) return bytes;
    if ('byte' in each) bytes[each.byte % bytes.length] = each.value;
    else if ('word' in each) bytes.writeUInt32LE(each.value, (each.word % Math.floor(bytes.length / 4)) * 4);
    else {
      const from = each.from % bytes.length;
      bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + each.length)]);
    }
  }
  return bytes;
};

/** Decodes a segment of these bytes, which stands in the middle of others. */
const decode = (decoder: Decoder, bytes: Buffer): Delivery[] => {
  const start = layout.segmentRecordsAt;
  const views = viewsOf(bytes, start);
  const deliveries: Delivery[] = [];
  let records = 0;
  for (let at: number = start; at < start + bytes.length; records++) {
    const next = decoder.decode(views, at, start + bytes.length, deliveries);
    assert.ok(next > at, 'each call leads on');
    at = next;
  }
  assert.ok(records <= bytes.length / layout.requestBodyAt + 1);
  return deliveries;
};

const asked = (quiet: boolean): Queue => {
  const queue = new Queue();
  for (let i = 0; i < requests; i++) queue.ask(i % 2 === 1).quiet = quiet;
  return queue;
};

/** The names of the requests that were answered, in order. */
const answered = (deliveries: readonly Delivery[]): string[] =>
  deliveries.filter(({ answer }) => answer !== undefined).map(({ request }) => (request as Asked).name);

const inOrder = Array.from({ length: requests }, (_, i) => `r${i + 1}`);

/** Whether bytes from outside of the segment are among the values. */
const soiled = (value: unknown): boolean => {
  if (Buffer.isBuffer(value)) return value.includes(soil);
  // As latin1; as UTF-8 it is a replacement character, which damaged text has anyway.
  return typeof value === 'string' && value.includes('\u00ee');
};

/** Whether the segment itself has such bytes: as they are, or as UTF-8. */
const mayLookSoiled = (bytes: Buffer): boolean => bytes.includes(soil) || bytes.includes(Buffer.from('\u00ee'));

describe('results with random damage', () => {
  test('are unharmed without any, which shows that the rest of this page tests something', () => {
    fc.assert(
      fc.property(answers, (good) => {
        const deliveries = decode(new Decoder(asked(false), new Cells()), good);
        assert.deepEqual(answered(deliveries), inOrder);
        assert.ok(!deliveries.some(({ answer }) => answer && isFailure(answer) && answer.message === message));
      }),
      { numRuns: 200 },
    );
  });

  for (const quiet of [false, true]) {
    const which = quiet ? 'quiet requests' : 'requests';
    test(`answer ${which} at most once and in their order, and all of them after the next record`, () => {
      fc.assert(
        fc.property(answers, fc.array(change, { minLength: 1, maxLength: 3 }), (good, changes) => {
          const queue = asked(quiet);
          const decoder = new Decoder(queue, new Cells());
          const first = decode(decoder, damage(good, changes));
          assert.deepEqual(answered(first), inOrder.slice(0, answered(first).length));
          // A record that can only be damaged: whoever still waits is told.
          const second = decode(decoder, Buffer.alloc(16));
          assert.deepEqual([...answered(first), ...answered(second)], inOrder);
          assert.equal(queue.head, undefined);
          for (const { answer } of second) assert.ok(answer === undefined || isFailure(answer));
        }),
        { numRuns },
      );
    });
  }

  test('have values from within their segment alone', () => {
    const plain = answers.filter((good) => !mayLookSoiled(good));
    const harmless = change.filter((each) => !('value' in each) || (each.value & 0xff) !== soil);
    fc.assert(
      fc.property(plain, fc.array(harmless, { minLength: 1, maxLength: 3 }), (good, changes) => {
        const bytes = damage(good, changes);
        if (mayLookSoiled(bytes)) return;
        const queue = asked(false);
        const all = [...queue.waiting];
        const deliveries = decode(new Decoder(queue, new Cells()), bytes);
        const found = [...all.map((request) => request.rows ?? []), ...deliveries.map((each) => each.rows ?? [])];
        for (const row of found.flat()) {
          for (const value of Object.values(row as object)) assert.ok(!soiled(value), 'not from around the segment');
        }
      }),
      { numRuns },
    );
  });

  test('of nothing but random bytes are damaged, whatever they say', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (bytes) => {
        const deliveries = decode(new Decoder(asked(false), new Cells()), Buffer.from(bytes));
        const names = answered(deliveries);
        assert.deepEqual(names, inOrder.slice(0, names.length));
      }),
      { numRuns },
    );
  });
});
