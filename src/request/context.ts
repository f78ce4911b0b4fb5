// The asynchronous context of a call, which its callback gets back: what a request is made of to carry it.
//
// A request that is an AsyncResource takes 1.6 times as long as all of a queued call does without, and most programs have
// nothing that it could carry. Where AsyncLocalStorage is made of async_hooks, as it is up to Node.js 22, this shows: while
// any hook is in use, each new promise has a number. There a request looks at a promise, and has an AsyncResource only
// when it needs one. Everywhere else it is one.

import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

/** Made at the call, in whose context it later runs what is to be run there. */
export interface Carrier {
  runInAsyncScope<A>(call: (this: unknown, argument: A) => void, receiver: unknown, argument: A): void;
}

const type = 'SQLITE';
const options = { requireManualDestroy: true };
const makeResource = (): AsyncResource => new AsyncResource(type, options);

/** Promises of the language, whatever the program has put in the place of Promise. */
const NativePromise = (async () => {})().constructor as PromiseConstructor;
const newPromise = NativePromise.resolve.bind(NativePromise) as () => object;

/**
 * The property by which async_hooks knows a promise, or anything else that it follows; undefined where nothing can be
 * told by it. Only looked for, since to use a storage, be it once, makes V8 slower at promises for good.
 */
const findMark = (): symbol | undefined => {
  // The name under which a resource has the store: only there where resources have it.
  if (!('kResourceStore' in new AsyncLocalStorage())) return undefined;
  return Object.getOwnPropertySymbols(makeResource()).find(({ description }) => description === 'async_id_symbol');
};

const mark = findMark();

const areHooksInUse = (): boolean => (newPromise() as Record<symbol, unknown>)[mark as symbol] !== undefined;

/** While hooks are in use, so many calls go by before that is looked at again: each look makes a promise, and hooks see it. */
const callsPerLook = 32;
let unlooked = 0;

/** Made when there was nothing to carry, and never left to code of the program: a context that is empty for ever. */
let empty: AsyncResource | undefined;

/** Undefined when nothing in the program asks for contexts. */
const currentContext = (): AsyncResource | undefined => {
  if (unlooked > 0) unlooked--;
  else if (areHooksInUse()) unlooked = callsPerLook;
  else {
    empty ??= makeResource();
    return undefined;
  }
  return makeResource();
};

/** Where it can be told whether there is anything to carry. */
export class LightCarrier implements Carrier {
  readonly context = currentContext();

  runInAsyncScope<A>(call: (this: unknown, argument: A) => void, receiver: unknown, argument: A): void {
    const { context } = this;
    if (context !== undefined) context.runInAsyncScope(call, receiver, argument);
    else if (areHooksInUse()) {
      // Since the call: what the callback leaves in its context must not be seen by the next one.
      (empty as AsyncResource).runInAsyncScope(makeResource).runInAsyncScope(call, receiver, argument);
    } else call.call(receiver, argument);
  }
}

/** Anywhere. */
export class ResourceCarrier extends AsyncResource implements Carrier {
  constructor() {
    super(type, options);
  }
}

/** Whether it can be told. */
export const isTellable = mark !== undefined;
