// Arbitrary values of all kinds that can be bound, each with the value that comes back.
import fc from 'fast-check';

export interface Bound {
  /** What the program passes. */
  readonly given: unknown;
  /** What a query for it returns, with integers as numbers. */
  readonly back: unknown;
}

const same = (value: unknown): Bound => ({ given: value, back: value });

/** Any UTF-16 units, lone surrogates and NUL among them; what is no character comes back as U+FFFD. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom('\0', 'a', 'é', '語', '😀', '\ud800', '\udfff', '\ufeff', '\uffff', '\ufffd'))
    .map((parts) => parts.join('')),
);

export const wellFormed = (text: string): string => Buffer.from(text).toString();

const bytesOf = (view: ArrayBufferView): Buffer => Buffer.from(view.buffer, view.byteOffset, view.byteLength);

const blobs: fc.Arbitrary<Bound> = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => ({ given: Buffer.from(bytes), back: Buffer.from(bytes) })),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => ({ given: bytes, back: bytesOf(bytes) })),
  fc.float64Array({ maxLength: 5 }).map((numbers) => ({ given: numbers, back: bytesOf(numbers) })),
  fc.uint8Array({ maxLength: 9 }).map((bytes) => ({ given: bytes.slice().buffer, back: Buffer.from(bytes) })),
  fc.uint8Array({ minLength: 2, maxLength: 9 }).map((bytes) => ({
    given: new DataView(bytes.buffer, bytes.byteOffset + 1, bytes.length - 2),
    back: Buffer.from(bytes.subarray(1, bytes.length - 1)),
  })),
  fc.constant({ given: Buffer.alloc(0), back: Buffer.alloc(0) }),
);

const numbers: fc.Arbitrary<Bound> = fc.oneof(
  fc.integer().map(same),
  fc.maxSafeInteger().map(same),
  fc.double().map((value) => ({ given: value, back: Number.isNaN(value) ? null : value === 0 ? 0 : value })),
  fc.constantFrom(2 ** 53, -(2 ** 53), 2 ** 63, Number.MAX_VALUE, Number.MIN_VALUE, 1e300, 0.1).map(same),
);

/** The edges of all ranges that treat integers in their own way, and what lies around them. */
export const anyInteger: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc
    .tuple(fc.constantFrom(0n, 2n ** 7n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n), fc.bigInt({ min: -3n, max: 3n }))
    .chain(([edge, offset]) => fc.constantFrom(edge + offset, -edge + offset))
    .filter((value) => BigInt.asIntN(64, value) === value),
);

/** Objects of which nothing but a fixed text is kept. */
const objects: fc.Arbitrary<Bound> = fc
  .constantFrom<unknown>({}, { a: 1 }, [1, 2], new Map(), new Number(5), Object.create(null))
  .map((given) => ({ given, back: '[object Object]' }));

export const anyValue: fc.Arbitrary<Bound> = fc.oneof(
  anyText.map((text) => ({ given: text, back: wellFormed(text) })),
  numbers,
  anyInteger.map((value) => ({ given: value, back: Number(value) })),
  fc.boolean().map((value) => ({ given: value, back: Number(value) })),
  fc.constantFrom(null, undefined).map((given) => ({ given, back: null })),
  fc.date({ noInvalidDate: false }).map((date) => {
    const time = date.getTime();
    return { given: date, back: Number.isNaN(time) ? null : time };
  }),
  fc.constantFrom(/x/, /\/\n/giu).map((regexp) => ({ given: regexp, back: String(regexp) })),
  blobs,
  objects,
);
