// Values that have been checked already become bound parameters, by position.

import { layout } from '../native/layout.js';
import { ParameterWriter } from './parameters.js';
import type { Writer } from './writer.js';

/** A list of values for SQLite's carray(). */
export class ArrayParameter {
  readonly type: 'integer' | 'double' | 'text';
  readonly values: readonly (number | bigint | string)[];

  constructor(type: 'integer' | 'double' | 'text', values: readonly (number | bigint | string)[]) {
    this.type = type;
    this.values = values;
  }
}

const kinds = { integer: layout.arrayInteger, double: layout.arrayDouble, text: layout.arrayText } as const;

/** What SQLite can bind. */
export type Bindable = null | string | number | bigint | ArrayBufferView | ArrayBufferLike | ArrayParameter;

/** Writes the values in the order of their positions. Throws a RangeError when they are too large for one request. */
export const writeValues = (writer: Writer, values: readonly Bindable[]): void => {
  const count = values.length;
  writer.uint32(count);
  writer.uint32(count === 0 ? 0 : 1);
  if (count === 0) return;
  const parameters = new ParameterWriter(writer);
  for (let i = 0; i < count; i++) {
    const value = values[i];
    if (value instanceof ArrayParameter) parameters.array(i + 1, kinds[value.type], value.values);
    else parameters.value(i + 1, value);
  }
};
