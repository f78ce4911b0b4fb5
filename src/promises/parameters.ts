// The values of a call are checked against the parameters of its SQL text, and become what SQLite can bind.

import { isAnyArrayBuffer, isDate } from 'node:util/types';
import { ArrayParameter, type Bindable } from '../request/bind.js';
import { ParameterError } from './errors.js';
import { parametersOf, type SqlParameters } from './sql-text.js';
import { type Converters, writerOf } from './types.js';

const mostInt64 = 2n ** 63n - 1n;
const leastInt64 = -(2n ** 63n);
const none: readonly Bindable[] = [];

const describe = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name: unknown = (Object.getPrototypeOf(value) as { constructor?: { name?: unknown } } | null)?.constructor
    ?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? `a ${name}` : 'an object';
};

const isBlob = (value: unknown): value is ArrayBufferView | ArrayBufferLike =>
  ArrayBuffer.isView(value) || isAnyArrayBuffer(value);

/** Whether its memory has been given to somebody else, as postMessage() and transfer() do. */
const isDetached = (value: ArrayBufferView | ArrayBufferLike): boolean => {
  try {
    new Uint8Array(ArrayBuffer.isView(value) ? value.buffer : value);
    return false;
  } catch {
    return true;
  }
};

/** Makes the values of one call. */
class Binder {
  readonly #sql: string;
  readonly #parameters: SqlParameters;
  readonly #converters: Converters | undefined;

  constructor(sql: string, converters: Converters | undefined, parameters: SqlParameters) {
    this.#sql = sql;
    this.#parameters = parameters;
    this.#converters = converters;
  }

  #error(message: string, parameter?: string | number, options?: ErrorOptions): ParameterError {
    return new ParameterError(message, parameter, this.#sql, options);
  }

  /** How the text calls the parameter. */
  #nameOf(position: number): string | number {
    return this.#parameters.names[position] ?? position;
  }

  values(given: unknown): readonly Bindable[] {
    const { count } = this.#parameters;
    if (given === undefined) {
      if (count === 0) return none;
      throw this.#error(`parameter ${this.#nameOf(1)} has no value`, this.#nameOf(1));
    }
    if (Array.isArray(given)) return this.#positional(given);
    if (typeof given === 'object' && given !== null && !isBlob(given) && !isDate(given)) {
      return this.#named(given as Readonly<Record<string, unknown>>);
    }
    throw this.#error(`parameters must be an array or an object of names, not ${describe(given)}`);
  }

  #positional(given: readonly unknown[]): readonly Bindable[] {
    const { count } = this.#parameters;
    if (given.length > count) {
      throw this.#error(`value ${count + 1} has no parameter: the SQL has ${count}`, count + 1);
    }
    if (given.length < count) {
      const name = this.#nameOf(given.length + 1);
      throw this.#error(`parameter ${name} has no value: ${given.length} given, the SQL has ${count}`, name);
    }
    const values: Bindable[] = [];
    for (let i = 1; i <= count; i++) values.push(this.#value(i, given[i - 1]));
    return values;
  }

  #named(given: Readonly<Record<string, unknown>>): readonly Bindable[] {
    const { count, names, skipped } = this.#parameters;
    const values: Bindable[] = [];
    const used = new Set<string>();
    for (let i = 1; i <= count; i++) {
      const name = names[i];
      if (name === undefined) {
        if (!skipped.has(i)) throw this.#error(`parameter ${i} has no name, so its value must come in an array`, i);
        values.push(null);
        continue;
      }
      const key = this.#keyOf(name, given);
      used.add(key);
      values.push(this.#value(i, given[key]));
    }
    for (const key of Object.keys(given)) {
      if (!used.has(key)) throw this.#error(`there is no parameter ${key}`, key);
    }
    return values;
  }

  /** The name itself, or without its prefix. */
  #keyOf(name: string, given: object): string {
    if (Object.hasOwn(given, name)) return name;
    const bare = name.slice(1);
    if (Object.hasOwn(given, bare)) return bare;
    throw this.#error(`parameter ${name} has no value`, name);
  }

  #value(position: number, value: unknown): Bindable {
    switch (typeof value) {
      case 'string':
        return value;
      case 'number':
        return this.#number(position, value);
      case 'bigint':
        return this.#bigint(position, value);
      case 'undefined': {
        const name = this.#nameOf(position);
        throw this.#error(`parameter ${name} is undefined; null would be bound as NULL`, name);
      }
      case 'object':
        if (value === null) return null;
        if (isBlob(value)) return this.#blob(position, value);
        if (Array.isArray(value) && this.#parameters.arrays.has(position)) return this.#array(position, value);
    }
    return this.#convert(position, value);
  }

  #number(position: number, value: number): number {
    if (!Number.isNaN(value)) return value;
    const name = this.#nameOf(position);
    throw this.#error(`parameter ${name} is NaN, which SQLite would store as NULL`, name);
  }

  #blob<T extends ArrayBufferView | ArrayBufferLike>(position: number, value: T): T {
    // Only those have no bytes to begin with.
    if (value.byteLength !== 0 || !isDetached(value)) return value;
    const name = this.#nameOf(position);
    throw this.#error(`parameter ${name}: its ArrayBuffer is detached, so its bytes are gone`, name);
  }

  #bigint(position: number, value: bigint): bigint {
    if (value <= mostInt64 && value >= leastInt64) return value;
    const name = this.#nameOf(position);
    throw this.#error(`parameter ${name}: ${value} does not fit into 64 bits`, name);
  }

  #convert(position: number, value: unknown): Bindable {
    const name = this.#nameOf(position);
    const converter = this.#converters && writerOf(this.#converters, value);
    if (converter?.write === undefined) {
      if (typeof value === 'boolean') return value ? 1 : 0;
      const hint = Array.isArray(value) ? '; an array can be bound where the SQL says carray(?)' : '';
      throw this.#error(`parameter ${name}: ${describe(value)} cannot be bound${hint}`, name);
    }
    const stored = this.#written(name, () => converter.write?.(value));
    if (typeof stored === 'boolean') return stored ? 1 : 0;
    if (typeof stored === 'bigint') return this.#bigint(position, stored);
    if (typeof stored === 'number') return this.#number(position, stored);
    if (stored === null || typeof stored === 'string') return stored;
    if (isBlob(stored)) return this.#blob(position, stored);
    throw this.#error(`parameter ${name}: its converter made ${describe(stored)} of it`, name);
  }

  #written(name: string | number, write: () => unknown): unknown {
    try {
      return write();
    } catch (cause) {
      throw this.#error(`parameter ${name}: its converter failed`, name, { cause });
    }
  }

  #array(position: number, given: readonly unknown[]): ArrayParameter {
    // Not map(), which leaves holes as they are, and every() would pass over them.
    const values = Array.from(given, (value) => (typeof value === 'boolean' ? Number(value) : value));
    const integers = values.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value));
    if (integers) {
      for (const value of values) if (typeof value === 'bigint') this.#bigint(position, value);
      return new ArrayParameter('integer', values as (number | bigint)[]);
    }
    if (values.every((value) => typeof value === 'number' && !Number.isNaN(value)))
      return new ArrayParameter('double', values as number[]);
    if (values.every((value) => typeof value === 'string')) return new ArrayParameter('text', values as string[]);
    const name = this.#nameOf(position);
    throw this.#error(`parameter ${name}: an array must hold numbers only or strings only, and no NaN`, name);
  }
}

/**
 * The values by position, in order; `parameters` are those of the text. All code of the caller that reading them runs has run then.
 * Throws a {@link ParameterError}, and what getters and proxies of the caller throw.
 */
export const bindableValues = (
  sql: string,
  given: unknown,
  converters: Converters | undefined,
  parameters: SqlParameters = parametersOf(sql),
): readonly Bindable[] => new Binder(sql, converters, parameters).values(given);

/** The same values, which the caller can no longer change. */
export const keepValues = (values: readonly Bindable[]): readonly Bindable[] =>
  values.map((value) => {
    if (ArrayBuffer.isView(value)) {
      return Buffer.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    }
    return isAnyArrayBuffer(value) ? Buffer.from(new Uint8Array(value).slice()) : value;
  });
