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

/** Tells one call; stop() when there is nothing to cancel any more. */
export class Watch {
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: (() => void) | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(call: Cancellable, { signal, timeout }: CancelOptions) {
    if (signal !== undefined) {
      this.#signal = signal;
      this.#onAbort = () => call.cancel(abortError(signal));
      signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    if (timeout !== undefined) this.#timer = setTimer(() => call.cancel(timeoutError), timeout);
  }

  stop(): void {
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener('abort', this.#onAbort);
    if (this.#timer !== undefined) clearTimer(this.#timer);
  }
}

/** Undefined when the call says nothing of the kind, as most do. */
export const watch = (call: Cancellable, options: CancelOptions): Watch | undefined =>
  options.signal === undefined && options.timeout === undefined ? undefined : new Watch(call, options);
