// The buffer of requests: records, growth, padding, text of every kind, and giving memory back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { Writer } from 'sqlite-tandem/lib/request/writer.js';

/** What has been written so far, as a copy. */
const written = (writer: Writer): Buffer => Buffer.from(writer.bytes.subarray(0, writer.length));

/** Fills the free part of the buffer, so that a byte nobody wrote shows. */
const soil = (writer: Writer): void => {
  writer.bytes.fill(0xee, writer.length);
};

const padded = (...parts: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
};

describe('a record', () => {
  test('has length, operation, flags, sequence and statement at the places of the layout', () => {
    const writer = new Writer();
    soil(writer);
    const start = writer.begin(layout.operationRun, layout.requestQuiet | layout.requestOneShot, 0xfedcba98);
    writer.double(1.5);
    writer.end(start, 0xfffffffe);
    const bytes = written(writer);
    assert.equal(start, 0);
    assert.equal(bytes.length, layout.requestBodyAt + 8);
    assert.equal(bytes.readUInt32LE(layout.recordLengthAt), bytes.length);
    assert.equal(bytes[layout.recordKindAt], layout.operationRun);
    assert.equal(bytes[layout.recordFlagsAt], layout.requestQuiet | layout.requestOneShot);
    assert.equal(bytes.readUInt32LE(layout.recordSequenceAt), 0xfffffffe);
    assert.equal(bytes.readUInt32LE(layout.requestStatementAt), 0xfedcba98);
    assert.equal(bytes.readDoubleLE(layout.requestBodyAt), 1.5);
  });

  test('has the mode of integers between flags and sequence, 0 unless given', () => {
    for (const integers of [0, 1, 2, 3]) {
      const writer = new Writer();
      soil(writer);
      writer.begin(layout.operationAll, layout.requestQuiet | (integers << 8), 1);
      const bytes = written(writer);
      assert.equal(bytes[layout.requestIntegersAt], integers);
      assert.equal(bytes[layout.recordFlagsAt], layout.requestQuiet);
      assert.equal(bytes[layout.requestIntegersAt + 1], 0);
    }
  });

  test('follows the one before it, and each knows its own length', () => {
    const writer = new Writer();
    const lengths: number[] = [];
    for (const text of ['', 'a', 'ab'.repeat(40), 'é']) {
      const start = writer.begin(layout.operationExec, 0, 0);
      writer.terminatedText(text);
      writer.end(start, lengths.length);
      lengths.push(writer.length - start);
    }
    const bytes = written(writer);
    let at = 0;
    for (const length of lengths) {
      assert.equal(bytes.readUInt32LE(at), length);
      assert.equal(length % layout.recordAlignment, 0);
      at += length;
    }
    assert.equal(at, bytes.length);
  });

  test('that is taken back leaves no trace', () => {
    const writer = new Writer();
    const first = writer.begin(layout.operationWait, 0, 0);
    writer.end(first, 1);
    const before = written(writer);
    const start = writer.begin(layout.operationExec, 0, 0);
    writer.terminatedText('x'.repeat(100_000));
    writer.length = start;
    assert.deepEqual(written(writer), before);
  });
});

describe('numbers', () => {
  test('of 32 and 64 bits are little-endian', () => {
    const writer = new Writer();
    writer.uint32(0x01020304);
    writer.uint32(4294967295);
    writer.double(-2.5);
    writer.bigint(-2n);
    const expected = Buffer.alloc(24);
    expected.writeUInt32LE(0x01020304, 0);
    expected.writeUInt32LE(4294967295, 4);
    expected.writeDoubleLE(-2.5, 8);
    expected.writeBigInt64LE(-2n, 16);
    assert.deepEqual(written(writer), expected);
  });

  test('that are safe integers keep all their bits', () => {
    const limits = [0, 1, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 52, Number.MAX_SAFE_INTEGER];
    for (const value of limits.flatMap((limit) => [limit - 1, limit, limit + 1, -limit - 1, -limit, -limit + 1])) {
      if (!Number.isSafeInteger(value)) continue;
      const writer = new Writer();
      writer.integer(value);
      assert.equal(written(writer).readBigInt64LE(), BigInt(value), String(value));
    }
  });

  test('minus zero is zero as an integer', () => {
    const writer = new Writer();
    writer.integer(-0);
    assert.equal(written(writer).readBigInt64LE(), 0n);
  });

  test('can be replaced where they were written', () => {
    const writer = new Writer();
    writer.uint32(1);
    writer.uint32(2);
    writer.setUint32(0, 3);
    assert.equal(written(writer).readUInt32LE(0), 3);
    assert.equal(written(writer).readUInt32LE(4), 2);
  });
});

describe('text', () => {
  // 40 characters is where the way of writing changes, 256 Ki where the way of reserving does.
  const lengths = [0, 1, 7, 8, 9, 39, 40, 41, 42, 1000, 262_143, 262_144, 262_145];
  const kinds: readonly (readonly [string, (length: number) => string])[] = [
    ['ASCII', (length) => 'abcdefghij'.repeat(length / 10 + 1).slice(0, length)],
    ['of two bytes each', (length) => 'é'.repeat(length)],
    ['of three bytes each', (length) => '語'.repeat(length)],
    ['of surrogate pairs', (length) => '😀'.repeat(length / 2) + (length % 2 === 1 ? 'x' : '')],
    ['of lone surrogates', (length) => '\ud800'.repeat(length)],
    ['ASCII but for the end', (length) => 'a'.repeat(Math.max(0, length - 1)) + (length > 0 ? '\udc00' : '')],
    ['with NUL', (length) => 'a\0'.repeat(length / 2 + 1).slice(0, length)],
  ];

  for (const [name, make] of kinds) {
    test(`${name} is UTF-8 with padding of zeros, at every length`, () => {
      for (const length of lengths) {
        const text = make(length);
        const expected = Buffer.from(text);
        const writer = new Writer();
        soil(writer);
        assert.equal(writer.text(text), expected.length, `bytes of ${length} characters`);
        // With Buffer.compare, since deepEqual would take minutes to describe a difference in a large one.
        assert.equal(Buffer.compare(written(writer), padded(expected)), 0, `${length} characters`);
      }
    });

    test(`${name} with a NUL at the end has its length before it`, () => {
      for (const length of lengths) {
        const text = make(length);
        const body = Buffer.concat([Buffer.from(text), Buffer.alloc(1)]);
        const head = Buffer.alloc(4);
        head.writeUInt32LE(body.length);
        const writer = new Writer();
        soil(writer);
        writer.terminatedText(text);
        assert.equal(Buffer.compare(written(writer), padded(head, body)), 0, `${length} characters`);
      }
    });
  }

  test('that fills the buffer to the last byte is written whole', () => {
    for (const text of ['x'.repeat(40), '語'.repeat(40), '語'.repeat(500), '😀'.repeat(300)]) {
      const size = Buffer.byteLength(text);
      for (let free = 0; free <= size + 16; free += 8) {
        const writer = new Writer();
        writer.length = writer.bytes.length - free;
        const start = writer.length;
        assert.equal(writer.text(text), size);
        assert.equal(writer.bytes.toString('utf8', start, start + size), text, `${free} bytes were free`);
        assert.ok(writer.length <= writer.bytes.length, 'what was written lies in the buffer');
      }
    }
  });
});

describe('blobs', () => {
  test('are copied and padded with zeros', () => {
    for (let size = 0; size <= 17; size++) {
      const blob = Buffer.alloc(size, 0xab);
      const writer = new Writer();
      soil(writer);
      writer.blob(blob);
      blob.fill(0);
      assert.deepEqual(written(writer), padded(Buffer.alloc(size, 0xab)));
    }
  });

  test('of a part of a buffer are that part', () => {
    const writer = new Writer();
    writer.blob(new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 4));
    assert.deepEqual(written(writer), padded(Buffer.from([2, 3, 4])));
  });
});

describe('the buffer', () => {
  test('grows and keeps what was written, whatever the size of the values', () => {
    const writer = new Writer();
    const parts: Buffer[] = [];
    for (let size = 1; size < 3_000_000; size = size * 3 + 1) {
      const blob = Buffer.alloc(size, size % 251);
      writer.blob(blob);
      parts.push(padded(blob));
      writer.double(size);
      const number = Buffer.alloc(8);
      number.writeDoubleLE(size);
      parts.push(number);
    }
    assert.equal(Buffer.compare(written(writer), Buffer.concat(parts)), 0);
  });

  test('grows by a bounded amount beyond what a large value needs', () => {
    const writer = new Writer();
    writer.blob(Buffer.alloc(50_000_000));
    writer.blob(Buffer.alloc(20_000_000));
    assert.ok(writer.bytes.length < 75_000_000, `${writer.bytes.length} bytes`);
  });

  test('is kept for the next turn, but a large one is given back', () => {
    const writer = new Writer();
    const first = writer.bytes;
    writer.blob(Buffer.alloc(1000));
    writer.clear();
    assert.equal(writer.length, 0);
    assert.equal(writer.bytes, first);
    writer.blob(Buffer.alloc(5_000_000));
    assert.ok(writer.bytes.length >= 5_000_000);
    writer.clear();
    assert.equal(writer.length, 0);
    assert.ok(writer.bytes.length <= 1024 * 1024, `${writer.bytes.length} bytes are kept`);
  });

  test('writes to its new memory after it shrank', () => {
    const writer = new Writer();
    writer.blob(Buffer.alloc(5_000_000));
    writer.clear();
    const start = writer.begin(layout.operationGet, 0, 7);
    writer.double(0.25);
    writer.end(start, 9);
    const bytes = written(writer);
    assert.equal(bytes.readUInt32LE(layout.recordLengthAt), bytes.length);
    assert.equal(bytes.readUInt32LE(layout.recordSequenceAt), 9);
    assert.equal(bytes.readDoubleLE(layout.requestBodyAt), 0.25);
  });

  test('that cannot become so large refuses with a RangeError and stays as it is', () => {
    const writer = new Writer();
    writer.double(1);
    const before = written(writer);
    assert.throws(() => writer.reserve(Number.MAX_SAFE_INTEGER / 2), RangeError);
    assert.deepEqual(written(writer), before);
    writer.double(2);
    assert.equal(written(writer).readDoubleLE(8), 2);
  });
});
