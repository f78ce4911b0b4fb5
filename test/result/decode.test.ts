// Records become answers: each kind, whole results in pieces, quiet requests, and records that are damaged or cut off.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { Cells } from 'sqlite-tandem/lib/result/cells.js';
import { Decoder, type Delivery } from 'sqlite-tandem/lib/result/decode.js';
import { Queue } from './queue.js';
import { changed, done, failed, record, rows, shape, traced, viewsOf } from './records.js';

const { resultFinal, resultHeld } = layout;
const nothing = { changes: 0, lastID: 0 };
const damaged = { code: 2, message: 'damaged result', offset: -1, prepareFailed: false };
const tooBig = { code: 18, message: 'string or blob too big', offset: -1, prepareFailed: false };

let queue: Queue;
let decoder: Decoder;

beforeEach(() => {
  queue = new Queue();
  decoder = new Decoder(queue, new Cells());
});

/** Decodes records that stand one behind the other, and returns what is to be delivered. */
const decode = (...records: readonly Buffer[]): Delivery[] => decodeSegment(false, ...records);

/** The same, where the last record is the beginning of a longer one. */
const decodeCut = (...records: readonly Buffer[]): Delivery[] => decodeSegment(true, ...records);

const decodeSegment = (cut: boolean, ...records: readonly Buffer[]): Delivery[] => {
  const bytes = Buffer.concat([Buffer.alloc(layout.segmentRecordsAt), ...records]);
  const views = viewsOf(bytes);
  const deliveries: Delivery[] = [];
  for (let at: number = layout.segmentRecordsAt; at < bytes.length; ) {
    at = decoder.decode(views, at, bytes.length, deliveries, cut);
  }
  return deliveries;
};

/** Each delivery as the request's name and what it gets. */
const told = (deliveries: readonly Delivery[]): unknown[] =>
  deliveries.map(({ request, rows: found, happening, answer }) => [
    (request as Queue['waiting'][number]).name,
    found ?? happening ?? answer,
  ]);

describe('an answer', () => {
  test('of success has the changes and the id', () => {
    queue.ask();
    assert.deepEqual(told(decode(done(1, 3, 2 ** 53 - 1))), [['r1', { changes: 3, lastID: 9007199254740991 }]]);
    assert.equal(queue.head, undefined);
  });

  test('of failure has code, message and offset', () => {
    queue.ask();
    queue.ask();
    assert.deepEqual(told(decode(failed(1, 2067, 'UNIQUE größer'), failed(2, 1, '', 7, layout.resultPrepareFailed))), [
      ['r1', { code: 2067, message: 'UNIQUE größer', offset: -1, prepareFailed: false }],
      ['r2', { code: 1, message: '', offset: 7, prepareFailed: true }],
    ]);
  });

  test('of rows is one delivery, however many records they came in', () => {
    const request = queue.ask();
    const deliveries = decode(
      shape(5, ['a', 'b']),
      rows(1, 5, [[{ int32: 1 }, { latin1: 'x' }]]),
      rows(1, 5, [
        [{ int32: 2 }, null],
        [{ int32: 3 }, { utf16: 'ü' }],
      ]),
      rows(1, 5, [[{ int32: 4 }, { latin1: 'z' }]], resultFinal),
    );
    assert.deepEqual(told(deliveries), [['r1', nothing]]);
    assert.deepEqual(request.rows, [
      { a: 1, b: 'x' },
      { a: 2, b: null },
      { a: 3, b: 'ü' },
      { a: 4, b: 'z' },
    ]);
  });

  test('of rows may end with a record of success, or with a failure', () => {
    const first = queue.ask();
    const second = queue.ask();
    const deliveries = decode(
      shape(1, ['a']),
      rows(1, 1, [[{ int32: 1 }]]),
      done(1),
      rows(2, 1, [[{ int32: 2 }]]),
      failed(2, 9, 'interrupted'),
    );
    assert.deepEqual(told(deliveries), [
      ['r1', nothing],
      ['r2', { code: 9, message: 'interrupted', offset: -1, prepareFailed: false }],
    ]);
    assert.deepEqual(first.rows, [{ a: 1 }]);
    assert.deepEqual(second.rows, [{ a: 2 }]);
  });

  test('of rows to a request that streams goes out record by record, then its end', () => {
    const request = queue.ask(true);
    const deliveries = decode(
      shape(1, ['a']),
      rows(1, 1, [[{ int32: 1 }], [{ int32: 2 }]]),
      rows(1, 1, [[{ int32: 3 }]], resultFinal),
    );
    assert.deepEqual(told(deliveries), [
      ['r1', [{ a: 1 }, { a: 2 }]],
      ['r1', [{ a: 3 }]],
      ['r1', nothing],
    ]);
    assert.equal(request.rows, undefined);
  });

  test('of a request without rows that streams is its end alone', () => {
    queue.ask(true);
    assert.deepEqual(told(decode(done(1))), [['r1', nothing]]);
  });
});

describe('an event', () => {
  test('belongs to the request that runs, which goes on', () => {
    queue.ask();
    const deliveries = decode(
      traced(layout.resultTrace, 1, "select 'ü'"),
      traced(layout.resultProfile, 1, 'select ?', 1.25),
      changed(1, 18, 'main', 'täble', -5),
    );
    assert.deepEqual(told(deliveries), [
      ['r1', { event: 'trace', sql: "select 'ü'" }],
      ['r1', { event: 'profile', sql: 'select ?', milliseconds: 1.25 }],
      ['r1', { event: 'change', operation: 18, database: 'main', table: 'täble', rowID: -5 }],
    ]);
    assert.equal(queue.head?.name, 'r1');
  });

  test('tells that the quiet requests before it have succeeded', () => {
    queue.ask();
    queue.ask();
    assert.deepEqual(told(decode(traced(layout.resultTrace, 2, 'x'), done(2))), [
      ['r1', nothing],
      ['r2', { event: 'trace', sql: 'x' }],
      ['r2', nothing],
    ]);
  });
});

describe('quiet requests', () => {
  test('have succeeded when a later one is answered, in their order and before it', () => {
    for (let i = 0; i < 4; i++) queue.ask();
    assert.deepEqual(told(decode(failed(4, 1, 'x'))), [
      ['r1', nothing],
      ['r2', nothing],
      ['r3', nothing],
      ['r4', { code: 1, message: 'x', offset: -1, prepareFailed: false }],
    ]);
  });

  test('have succeeded when rows of a later one arrive', () => {
    queue.ask();
    queue.ask();
    assert.deepEqual(told(decode(shape(1, ['a']), rows(2, 1, [[{ int32: 1 }]]))), [['r1', nothing]]);
    assert.equal(queue.head?.name, 'r2');
  });

  test('are found by numbers that begin anew after 32 bits', () => {
    queue.ask().sequence = 0xffffffff;
    queue.ask().sequence = 0;
    queue.ask().sequence = 1;
    assert.deepEqual(
      told(decode(done(1))).map((entry) => (entry as [string])[0]),
      ['r1', 'r2', 'r3'],
    );
  });
});

describe('shapes', () => {
  test('are remembered for later records, and many are kept apart', () => {
    queue.ask();
    queue.ask();
    const [first, second] = queue.waiting;
    decode(shape(1, ['a']), shape(2, ['b', 'c']));
    decode(rows(1, 2, [[null, { int32: 1 }]], resultFinal), rows(2, 1, [[{ int32: 2 }]], resultFinal));
    assert.deepEqual(first?.rows, [{ b: null, c: 1 }]);
    assert.deepEqual(second?.rows, [{ a: 2 }]);
  });

  test('before one that says so are void', () => {
    queue.ask();
    decode(shape(1, ['a']), shape(2, ['b'], layout.resultShapesVoid));
    assert.deepEqual(told(decode(rows(1, 1, [[{ int32: 1 }]], resultFinal))), [['r1', damaged]]);
  });

  test('have any names: empty, long, of many bytes, none at all', () => {
    const names = ['', 'é'.repeat(5000), '😀', 'a\0b'];
    const [first, second] = [queue.ask(), queue.ask()];
    decode(shape(1, names), shape(2, []), rows(1, 1, [names.map((_, i) => ({ int32: i }))], resultFinal));
    assert.deepEqual(first.rows, [Object.fromEntries(names.map((name, i) => [name, i]))]);
    assert.deepEqual(told(decode(done(2))), [['r2', nothing]]);
    assert.equal(second.rows, undefined);
  });
});

describe('a held answer', () => {
  test('names the connection that waits for its delivery, and only its last record does', () => {
    queue.ask();
    queue.ask();
    const deliveries = decode(
      shape(1, ['a']),
      rows(2, 1, [[{ int32: 1 }]], resultHeld),
      rows(2, 1, [[{ int32: 2 }]], resultFinal | resultHeld),
    );
    assert.deepEqual(
      deliveries.map(({ held }) => held),
      [undefined, queue],
    );
  });

  test('of a failure does so, too', () => {
    queue.ask();
    const [delivery] = decode(failed(1, 1, 'x', -1, resultHeld));
    assert.equal(delivery?.held, queue);
  });
});

describe('rows that cannot be had', () => {
  test('for want of memory fail their request with SQLITE_TOOBIG, and nothing else', () => {
    queue.ask();
    queue.ask();
    const cut = rows(1, 1, [[{ rawLatin1: 'x'.repeat(1000) }]], resultFinal).subarray(0, 64);
    assert.deepEqual(told(decodeCut(shape(1, ['a']), cut)), [['r1', tooBig]]);
    assert.deepEqual(told(decode(done(2))), [['r2', nothing]]);
  });

  test('in the middle of others fail the request once, at its end', () => {
    const request = queue.ask();
    const cut = rows(1, 1, [[{ rawLatin1: 'x'.repeat(1000) }]]).subarray(0, 64);
    assert.deepEqual(told(decodeCut(shape(1, ['a']), rows(1, 1, [[{ int32: 1 }]]), cut)), []);
    assert.deepEqual(told(decode(rows(1, 1, [[{ int32: 2 }]]), done(1))), [['r1', tooBig]]);
    assert.deepEqual(request.rows, [{ a: 1 }]);
  });

  test('because there is no room for the names of their columns fail their request alone', () => {
    queue.ask();
    queue.ask();
    decodeCut(shape(1, ['a'.repeat(1000)]).subarray(0, 64));
    assert.deepEqual(told(decode(rows(1, 1, [[null]], resultFinal), done(2))), [
      ['r1', tooBig],
      ['r2', nothing],
    ]);
  });
});

describe('a damaged record', () => {
  const ofLength = (length: number): Buffer => {
    const bytes = done(1);
    bytes.writeUInt32LE(length);
    return bytes;
  };

  /** The same record with another number at this place. */
  const changed32 = (bytes: Buffer, at: number, value: number): Buffer => {
    bytes.writeUInt32LE(value, at);
    return bytes;
  };

  const names = (): Buffer => shape(1, ['a', 'b']);
  const good = (): Buffer => rows(1, 1, [[{ latin1: 'text' }, { blob: Buffer.from([1, 2, 3]) }]], resultFinal);
  const cells = layout.rowsCellsAt;
  const cases: Readonly<Record<string, () => readonly Buffer[]>> = {
    'without a length': () => [ofLength(0)],
    'of a length below that of a head': () => [ofLength(layout.requestBodyAt - 8)],
    'of a length that leads beyond the end': () => [ofLength(0xfffffff8)],
    'of a length that ends in the middle of eight bytes': () => [ofLength(layout.doneLength - 1)],
    'of a request that nobody made': () => [done(3)],
    'of an unknown kind': () => [record(99, 1, Buffer.alloc(16), resultFinal)],
    'of an event that claims to be an answer': () => [
      record(layout.resultTrace, 1, Buffer.alloc(layout.traceTextAt), resultFinal),
    ],
    'of a description that claims to be an answer': () => [
      record(layout.resultDescription, 1, Buffer.alloc(layout.descriptionTextsAt), resultFinal),
    ],
    'of success that is too short': () => [record(layout.resultDone, 1, Buffer.alloc(4), resultFinal)],
    'of a backup that is too short': () => [record(layout.resultBackup, 1, Buffer.alloc(4), resultFinal)],
    'of success that is not final': () => [done(1, 0, 0, 0)],
    'of failure without a code': () => [failed(1, 0, 'no error')],
    'of failure whose message leads beyond it': () => [changed32(failed(1, 1, 'x'), layout.errorMessageLengthAt, 99)],
    'of a trace whose text leads beyond it': () => [
      changed32(traced(layout.resultTrace, 1, 'x'), layout.traceTextLengthAt, 99),
    ],
    'of a change whose names lead beyond it': () => [
      changed32(changed(1, 18, 'main', 't', 1), layout.changeTableLengthAt, 99),
    ],
    'of a shape with more columns than names': () => [changed32(names(), layout.shapeColumnsAt, 9)],
    'of a shape with names that lead beyond it': () => [changed32(names(), layout.shapeNamesAt, 0xffffffff)],
    'of rows of an unknown shape': () => [names(), changed32(good(), layout.rowsShapeAt, 2)],
    'of more rows than it holds': () => [names(), changed32(good(), layout.rowsCountAt, 0xffffffff)],
    'of rows without columns': () => [shape(1, []), changed32(good(), layout.rowsColumnsAt, 0)],
    'of rows with other columns than its shape': () => [shape(1, ['a']), good()],
    'of rows with more text than it holds': () => [names(), changed32(good(), layout.rowsLatin1BytesAt, 0x7fffffff)],
    'of rows with more blobs than it holds': () => [names(), changed32(good(), layout.rowsRawBytesAt, 99)],
    'of rows with an unknown cell': () => [names(), rows(1, 1, [[null, { tag: 77 }]], resultFinal)],
    'of a text longer than its block': () => [names(), changed32(good(), cells, 5)],
    'of a text of negative length': () => [names(), changed32(good(), cells, 0xffffffff)],
    'of a blob longer than all blobs': () => [names(), changed32(good(), cells + 8, 4)],
    'of a blob of negative length': () => [names(), changed32(good(), cells + 8, 0xffffffff)],
  };

  for (const [name, records] of Object.entries(cases)) {
    test(`${name} fails every request that waits, once`, () => {
      queue.ask();
      queue.ask();
      assert.deepEqual(told(decode(...records())), [
        ['r1', damaged],
        ['r2', damaged],
      ]);
      queue.ask();
      assert.deepEqual(told(decode(done(3))), [['r3', damaged]]);
      assert.deepEqual(decode(done(3)), []);
    });
  }

  test('does not let requests succeed that it passes over', () => {
    queue.ask();
    queue.ask().quiet = false;
    queue.ask();
    assert.deepEqual(told(decode(done(3))), [
      ['r1', damaged],
      ['r2', damaged],
      ['r3', damaged],
    ]);
  });

  test('takes rows with it that came before', () => {
    const request = queue.ask();
    decode(names(), rows(1, 1, [[null, null]]));
    assert.deepEqual(told(decode(ofLength(0))), [['r1', damaged]]);
    assert.equal(request.rows, undefined);
  });
});
