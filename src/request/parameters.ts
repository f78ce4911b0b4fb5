// Values of JavaScript become bound parameters: positional or named, by the rules of node-sqlite3.

import { isAnyArrayBuffer, isDate, isRegExp } from 'node:util/types';
import { layout } from '../native/layout.js';
import type { Writer } from './writer.js';

const mostInt64 = 2n ** 63n - 1n;
const leastInt64 = -(2n ** 63n);
const dateTime = Date.prototype.getTime;

/** Whether a first argument is an object of named parameters, and not a value. */
const isNamed = (value: unknown): value is Record<string, unknown> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  !ArrayBuffer.isView(value) &&
  !isAnyArrayBuffer(value) &&
  !isDate(value) &&
  !isRegExp(value);

const asBytes = (value: ArrayBufferView | ArrayBufferLike): Uint8Array =>
  ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);

/** Writes key and value of one parameter; `key` is its position, or its name. */
export class ParameterWriter {
  #writer: Writer;
  #count = 0;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Begins the parameters of another call. */
  begin(writer: Writer): void {
    this.#writer = writer;
    this.#count = 0;
  }

  get count(): number {
    return this.#count;
  }

  #head(type: number, key: number | string): void {
    const writer = this.#writer;
    this.#count++;
    if (typeof key === 'number') {
      writer.uint32(type);
      writer.uint32(key);
      return;
    }
    writer.uint32(type | (1 << 8));
    const at = writer.length;
    writer.uint32(0);
    const name = writer.text(`${key}\0`);
    writer.setUint32(at, name);
  }

  #number(key: number | string, value: number): void {
    if (Number.isSafeInteger(value)) {
      this.#head(layout.parameterInteger, key);
      this.#writer.integer(value);
    } else {
      this.#head(layout.parameterDouble, key);
      this.#writer.double(value);
    }
  }

  #text(key: number | string, value: string): void {
    const writer = this.#writer;
    this.#head(layout.parameterText, key);
    const at = writer.length;
    writer.uint32(0);
    writer.uint32(0);
    const written = writer.text(value);
    writer.setUint32(at, written);
  }

  #blob(key: number | string, value: Uint8Array): void {
    this.#head(layout.parameterBlob, key);
    this.#writer.uint32(value.length);
    this.#writer.uint32(0);
    this.#writer.blob(value);
  }

  #checked(key: number | string, value: bigint): bigint {
    if (value <= mostInt64 && value >= leastInt64) return value;
    throw new RangeError(`parameter ${key}: ${value} does not fit into 64 bits`);
  }

  #bigint(key: number | string, value: bigint): void {
    const checked = this.#checked(key, value);
    this.#head(layout.parameterInteger, key);
    this.#writer.bigint(checked);
  }

  /**
   * An array for carray(); `kind` is one of layout.array... Throws a RangeError for an integer beyond 64 bits. Integers
   * are safe ones or bigints.
   */
  array(key: number | string, kind: number, values: readonly (number | bigint | string)[]): void {
    const writer = this.#writer;
    this.#head(layout.parameterArray, key);
    writer.uint32(kind);
    writer.uint32(values.length);
    for (const value of values) {
      if (kind === layout.arrayText) writer.terminatedText(String(value));
      else if (kind === layout.arrayDouble) writer.double(Number(value));
      else if (typeof value === 'bigint') writer.bigint(this.#checked(key, value));
      else writer.integer(Number(value));
    }
  }

  #object(key: number | string, value: object): void {
    if (ArrayBuffer.isView(value) || isAnyArrayBuffer(value)) return this.#blob(key, asBytes(value));
    if (isDate(value)) return this.#number(key, dateTime.call(value));
    // As in node-sqlite3: no code of any other object is run, its text is that of a plain one.
    this.#text(key, isRegExp(value) ? String(value) : '[object Object]');
  }

  value(key: number | string, value: unknown): void {
    switch (typeof value) {
      case 'number':
        return this.#number(key, value);
      case 'string':
        return this.#text(key, value);
      case 'bigint':
        return this.#bigint(key, value);
      case 'boolean':
        return this.#number(key, value ? 1 : 0);
      case 'undefined':
        // Nothing is bound: the parameter stays NULL, and a surplus one is no error.
        return;
      case 'symbol':
        throw new TypeError(`parameter ${String(key)}: a symbol cannot be bound`);
      default:
        if (value === null) return this.#head(layout.parameterNull, key);
        return this.#object(key, value as object);
    }
  }
}

/** A key that is a number is a position; every other key is a name, verbatim and with its prefix. */
const keyOf = (key: string): number | string => {
  const number = Number(key);
  return number === (number | 0) && number > 0 ? number & 0xffff : key;
};

/** Taken for the time of a call: reading a value may run code of the user that makes another one. */
let spare: ParameterWriter | undefined;

const takeWriter = (writer: Writer): ParameterWriter => {
  const parameters = spare;
  if (parameters === undefined) return new ParameterWriter(writer);
  spare = undefined;
  parameters.begin(writer);
  return parameters;
};

/**
 * Writes all parameters of a call: an array, an object of named ones, or the arguments themselves. Throws what reading
 * the values throws, a TypeError for a symbol and a RangeError for a bigint beyond 64 bits.
 */
export const writeParameters = (writer: Writer, args: readonly unknown[], count: number): void => {
  const at = writer.length;
  writer.uint32(0);
  writer.uint32(0);
  if (count === 0) return;
  const parameters = takeWriter(writer);
  const first = args[0];
  let given = 0;
  if (Array.isArray(first)) {
    given = first.length;
    for (let i = 0; i < given; i++) parameters.value(i + 1, first[i]);
  } else if (isNamed(first)) {
    // Inherited keys count too.
    for (const key in first) {
      given++;
      parameters.value(keyOf(key), first[key]);
    }
  } else {
    given = count;
    for (let i = 0; i < count; i++) parameters.value(i + 1, args[i]);
  }
  writer.setUint32(at, parameters.count);
  writer.setUint32(at + 4, given === 0 ? 0 : 1);
  spare = parameters;
};
