// signal and timeout of a call: who is told when the caller does not want it any more.

import { setTimeout as after, clearTimeout as clear } from 'node:timers';
import { AbortError, type MakeError, timeoutError } from './errors.js';

// Kept now: fake timers of a test must not make a real query end.
const [setTimer, clearTimer] = [after, clear];

export interface CancelOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
}

export interface Cancellable {
  cancel(make: MakeError): void;
}

export const abortError =
  (signal: AbortSignal): MakeError =>
  () =>
    new AbortError(signal.reason);

/** Whom each signal tells. They share one listener, since Node takes more than ten for a leak, and says so. */
const told = new WeakMap<AbortSignal, { readonly calls: Set<Cancellable>; readonly onAbort: () => void }>();

/** Has the call told when the signal is aborted, until {@link forget}. */
const tell = (signal: AbortSignal, call: Cancellable): void => {
  const known = told.get(signal);
  if (known !== undefined) {
    known.calls.add(call);
    return;
  }
  const calls = new Set([call]);
  const onAbort = (): void => {
    // One that ends because of another one's end is forgotten meanwhile, and not told.
    for (const each of calls) each.cancel(abortError(signal));
    told.delete(signal);
  };
  told.set(signal, { calls, onAbort });
  signal.addEventListener('abort', onAbort, { once: true });
};

const forget = (signal: AbortSignal, call: Cancellable): void => {
  const known = told.get(signal);
  if (known === undefined) return;
  known.calls.delete(call);
  if (known.calls.size !== 0) return;
  told.delete(signal);
  signal.removeEventListener('abort', known.onAbort);
};

/** The same for an object that may be dropped while the signal lives on. Returns what forgets it. */
export const tellWeakly = (signal: AbortSignal, object: Cancellable): (() => void) => {
  const reference = new WeakRef(object);
  const call: Cancellable = { cancel: (make) => reference.deref()?.cancel(make) };
  tell(signal, call);
  return () => forget(signal, call);
};

/** Tells one call; stop() when there is nothing to cancel any more. */
export class Watch {
  readonly #call: Cancellable;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(call: Cancellable, { signal, timeout }: CancelOptions) {
    this.#call = call;
    this.#signal = signal;
    if (signal !== undefined) tell(signal, call);
    if (timeout !== undefined) this.#timer = setTimer(() => call.cancel(timeoutError), timeout);
  }

  stop(): void {
    if (this.#signal !== undefined) forget(this.#signal, this.#call);
    if (this.#timer !== undefined) clearTimer(this.#timer);
  }
}

/** Undefined when the call says nothing of the kind, as most do. */
export const watch = (call: Cancellable, options: CancelOptions): Watch | undefined =>
  options.signal === undefined && options.timeout === undefined ? undefined : new Watch(call, options);
