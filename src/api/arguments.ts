// Takes the arguments of a call apart, and refuses those of a wrong type by the texts of node-sqlite3.

import type { EventEmitter } from 'node:events';

/** A callback of any shape: it belongs to the user. */
export type Callback = (this: unknown, ...args: unknown[]) => void;

/** An optional callback in place `index`: undefined may stand there, nothing else that is not a function. */
export const optionalCallback = (value: unknown, index: number): Callback | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== 'function') throw new TypeError(`Argument ${index} must be a function`);
  return value as Callback;
};

export const requiredString = (value: unknown, index: number): string => {
  if (typeof value !== 'string') throw new TypeError(`Argument ${index} must be a string`);
  return value;
};

/** The number as it is when 32 bits hold it exactly. */
export const isInt32 = (value: unknown): value is number => typeof value === 'number' && value === (value | 0);

/** The callback at the end of a list of parameters, which it is not one of. */
export const lastCallback = (args: readonly unknown[]): Callback | undefined => {
  const last = args[args.length - 1];
  return typeof last === 'function' ? (last as Callback) : undefined;
};

/**
 * Where an error goes that no callback wants: to the 'error' listeners of the first object that has any. Throws it when
 * none has, so that it becomes an uncaught exception.
 */
export const emitError = (error: Error, ...emitters: EventEmitter[]): void => {
  for (const emitter of emitters) {
    if (emitter.listenerCount('error') === 0) continue;
    emitter.emit('error', error);
    return;
  }
  throw error;
};
