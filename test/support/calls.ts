// Calls with a callback as promises: what the callback got, and that it was called once.
import assert from 'node:assert/strict';
import { patience } from './patience.js';

/** How long a test waits for an answer before it says that none came; generous, since it only turns a hang into a failure. */
const PATIENCE = patience(60_000);

/** One call of a callback: its `this` and its arguments. */
export interface Answer {
  readonly self: unknown;
  readonly args: readonly unknown[];
}

/** The error of a failed call, as the callback sees it. */
export interface SqliteError extends Error {
  readonly errno: number;
  readonly code: string;
  readonly extendedErrno: number;
  readonly extendedCode: string;
  readonly sql?: string;
  readonly offset?: number;
}

export type Row = Record<string, unknown>;

/** What each() delivered, in the order of delivery. */
export interface Delivery {
  readonly rows: Row[];
  readonly rowErrors: SqliteError[];
  readonly order: ('row' | 'error' | 'complete')[];
  readonly complete: Answer;
}

/** Calls a method by name, so that a test may pass it what its declaration forbids. */
export function send(target: object, method: string, ...args: unknown[]): unknown {
  const found: unknown = Reflect.get(target, method);
  assert.ok(typeof found === 'function', `${method} is a method`);
  return Reflect.apply(found, target, args);
}

/** Calls a method with a callback after `args` and resolves with what the callback got. */
export function answer(target: object, method: string, ...args: unknown[]): Promise<Answer> {
  return once(method, (callback) => send(target, method, ...args, callback));
}

/** Resolves with the first call of the callback that `start` is given; a second call of it is an uncaught error. */
export function once(name: string, start: (callback: (...args: unknown[]) => void) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let calls = 0;
    const impatience = setTimeout(() => reject(new Error(`${name}: the callback was never called`)), PATIENCE);
    const callback = function (this: unknown, ...args: unknown[]): void {
      clearTimeout(impatience);
      calls += 1;
      if (calls > 1) {
        throw new Error(`${name}: the callback was called ${calls} times`);
      }
      resolve({ self: this, args });
    };
    try {
      start(callback);
    } catch (error) {
      clearTimeout(impatience);
      reject(error);
    }
  });
}

/** The value a call answers with; its error is thrown. */
export async function value(target: object, method: string, ...args: unknown[]): Promise<unknown> {
  const { args: got } = await answer(target, method, ...args);
  if (got[0] !== null && got[0] !== undefined) {
    throw got[0];
  }
  return got[1];
}

/** The error a call answers with, alone in the arguments as the contract has it. */
export async function failure(target: object, method: string, ...args: unknown[]): Promise<SqliteError> {
  const { args: got } = await answer(target, method, ...args);
  assert.equal(got.length, 1, `${method} passes the error alone`);
  return asError(got[0]);
}

/** The row of a get(); a missing row fails the test. */
export async function row(target: object, ...args: unknown[]): Promise<Row> {
  const got = await value(target, 'get', ...args);
  assert.ok(typeof got === 'object' && got !== null, 'a row came');
  return got as Row;
}

/** The rows of an all(). */
export async function rows(target: object, ...args: unknown[]): Promise<Row[]> {
  const got = await value(target, 'all', ...args);
  assert.ok(Array.isArray(got), 'an array of rows came');
  return got as Row[];
}

/** The column `v` of the row of a get(). */
export async function single(target: object, ...args: unknown[]): Promise<unknown> {
  const got = await row(target, ...args);
  assert.ok(Object.hasOwn(got, 'v'), 'the row has a column v');
  return got['v'];
}

/** All that each() delivers until its complete callback. */
export async function each(target: object, ...args: unknown[]): Promise<Delivery> {
  const rowsSeen: Row[] = [];
  const rowErrors: SqliteError[] = [];
  const order: ('row' | 'error' | 'complete')[] = [];
  const onRow = (error: unknown, got: unknown): void => {
    if (error === null) {
      rowsSeen.push(got as Row);
      order.push('row');
    } else {
      rowErrors.push(asError(error));
      order.push('error');
    }
  };
  const complete = await answer(target, 'each', ...args, onRow);
  return { rows: rowsSeen, rowErrors, order, complete };
}

/** Narrows to the error a call failed with. */
export function asError(got: unknown): SqliteError {
  assert.ok(got instanceof Error, `an error came, not ${String(got)}`);
  return got as SqliteError;
}

/** The error's primary code, and that its number and the start of its message agree with it. */
export function assertCode(error: SqliteError, code: string, errno: number): void {
  assert.equal(error.code, code, error.message);
  assert.equal(error.errno, errno);
  assert.ok(error.message.startsWith(`${code}: `), error.message);
}

/** Resolves with the arguments of an emitter's next event of that name, and fails when it never comes. */
export async function event(emitter: object, name: string): Promise<Answer> {
  return once(`event '${name}'`, (callback) => send(emitter, 'once', name, callback));
}
