// The event loop's turns and its clock, kept from the start: a program that fakes them, as tests do, must not make
// answers wait for its own clock.

import { setImmediate, setTimeout } from 'node:timers';

/** Milliseconds since some moment. */
export const now: () => number = performance.now.bind(performance);

/** Whether the loop knows what `start` starts; it does not when the program had faked it before this was loaded. */
const isGenuine = (kind: string, start: () => { unref(): unknown }): boolean => {
  // Other runtimes than Node may not tell.
  if (typeof process.getActiveResourcesInfo !== 'function') return true;
  const count = (): number => process.getActiveResourcesInfo().filter((name) => name === kind).length;
  const before = count();
  const started = start();
  const genuine = count() > before;
  started.unref();
  return genuine;
};

const nothing = (): void => {};

/** Node's own, or undefined when the program had faked it before this was loaded. */
export const afterTime: typeof setTimeout | undefined = isGenuine('Timeout', () => setTimeout(nothing, 1))
  ? setTimeout
  : undefined;

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

/** Calls back in another turn of the loop, when timers and I/O have had theirs; keeps the process alive until then. */
export const inNextTurn: (callback: () => void) => void = isGenuine('Immediate', () => setImmediate(nothing))
  ? setImmediate
  : messageTurns();

const settled = Promise.resolve();

/** Calls back when the running code has returned. Not queueMicrotask(), which can be faked; `callback` must not throw. */
export const afterThis = (callback: () => void): void => {
  settled.then(callback);
};
