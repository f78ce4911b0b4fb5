// The event loop's turns and its clock, kept from the start: a program that fakes them, as tests do, must not make
// answers wait for its own clock.

import { setImmediate, setTimeout } from 'node:timers';

const { hrtime, getActiveResourcesInfo } = process;
const startImmediate = setImmediate;
const startTimeout = setTimeout;

/** Milliseconds since some moment. Not by performance.now(): Node.js loads that, and much else, when it is first used. */
export const now = (): number => {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};

/** Whether the loop knows what `start` starts; it does not when the program had faked it before this was loaded. */
const isGenuine = (kind: string, start: () => { unref(): unknown }): boolean => {
  // Other runtimes than Node may not tell.
  if (typeof getActiveResourcesInfo !== 'function') return true;
  const count = (): number => getActiveResourcesInfo.call(process).filter((name) => name === kind).length;
  const before = count();
  const started = start();
  const genuine = count() > before;
  started.unref();
  return genuine;
};

const nothing = (): void => {};

let genuineTimeout: boolean | undefined;

/** Node's own setTimeout(), or undefined when the program had faked it before this was loaded. */
export const afterTime = (): typeof setTimeout | undefined => {
  genuineTimeout ??= isGenuine('Timeout', () => startTimeout(nothing, 1));
  return genuineTimeout ? startTimeout : undefined;
};

/** Does the same as setImmediate() for a program that has faked that one: nobody fakes the messages of a channel. */
export const messageTurns = (): ((callback: () => void) => void) => {
  // Loaded only here: it would take a good part of the time that loading this package takes.
  const { MessageChannel } = require('node:worker_threads') as typeof import('node:worker_threads');
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.on('message', () => {
    const callback = waiting.shift();
    if (waiting.length === 0) port1.unref();
    callback?.();
  });
  port1.unref();
  return (callback) => {
    if (waiting.push(callback) === 1) port1.ref();
    port2.postMessage(undefined);
  };
};

let turn: ((callback: () => void) => void) | undefined;

/** Calls back in another turn of the loop, when timers and I/O have had theirs; keeps the process alive until then. */
export const inNextTurn = (callback: () => void): void => {
  turn ??= isGenuine('Immediate', () => startImmediate(nothing)) ? startImmediate : messageTurns();
  turn(callback);
};

/** A promise of the language, whatever the program has put in the place of Promise. */
const settled = (async () => {})();

/** Calls back when the running code has returned. Not queueMicrotask(), which can be faked; `callback` must not throw. */
export const afterThis = (callback: () => void): void => {
  settled.then(callback);
};
