// The asynchronous context of a call, which its callback gets back.
//
// An AsyncResource for each call takes as long as all the rest of a queued call. Where AsyncLocalStorage is made of
// async_hooks, as it is up to Node.js 22, a call can tell for a fraction of that whether there is anything to carry: while
// any hook is in use, each new promise has a number. Everywhere else each call has its AsyncResource.

import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

/** Undefined when nothing in the program asked for contexts at the time of the call. */
export type Context = AsyncResource | undefined;

const manual = { requireManualDestroy: true };
const makeResource = (): AsyncResource => new AsyncResource('SQLITE', manual);

/** Promises of the language, whatever the program has put in the place of Promise. */
const NativePromise = (async () => {})().constructor as PromiseConstructor;
const newPromise = NativePromise.resolve.bind(NativePromise) as () => object;

/**
 * The property by which async_hooks knows a promise, or anything else that it follows; undefined where a storage does
 * without hooks, and nothing can be told from promises. Only looked at, since to use a storage once makes V8 slower at
 * promises for good.
 */
const findMark = (): symbol | undefined => {
  // The name under which a resource has the store: only there when resources have it.
  if (!('kResourceStore' in new AsyncLocalStorage())) return undefined;
  return Object.getOwnPropertySymbols(makeResource()).find(({ description }) => description === 'async_id_symbol');
};

/** Null before the first call. */
let mark: symbol | undefined | null = null;

/** While hooks are in use, so many calls go by before that is looked at again: each look makes a promise, and hooks see it. */
const callsPerLook = 32;
let unlooked = 0;

/** Made when there was nothing to carry, and never left to code of the program: a context that is empty for ever. */
let empty: AsyncResource | undefined;

const isInUse = (): boolean => {
  if (mark === null) mark = findMark();
  return mark === undefined || (newPromise() as Record<symbol, unknown>)[mark] !== undefined;
};

/** The context of the code that runs now. */
export const currentContext = (): Context => {
  if (unlooked > 0) unlooked--;
  else if (isInUse()) unlooked = callsPerLook;
  else {
    empty ??= makeResource();
    return undefined;
  }
  return makeResource();
};

/** Calls `call` in that context. */
export const runInContext = <A>(
  context: Context,
  call: (this: unknown, argument: A) => void,
  receiver: unknown,
  argument: A,
): void => {
  if (context !== undefined) context.runInAsyncScope(call, receiver, argument);
  // Hooks came into use since the call: what the callback leaves in its context must not be seen by the next one.
  else if (isInUse()) (empty as AsyncResource).runInAsyncScope(makeResource).runInAsyncScope(call, receiver, argument);
  else call.call(receiver, argument);
};
