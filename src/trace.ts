// extendTrace(): lets the errors that a method's callback gets say where the method was called.

import { inspect } from 'node:util';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Callbacks that have been wrapped: one method calls another, and the outermost is the caller's. */
const wrapped = new WeakSet<object>();

const describe = (value: unknown): string => {
  try {
    return inspect(value, { depth: 0 });
  } catch {
    // Code of the user failed that says how its object is to be shown.
    return `[${typeof value}]`;
  }
};

/**
 * A value as it is now, at little cost, since few calls fail: texts of objects are made at once, for they can change;
 * those of all other values when an error comes.
 */
const keep = (value: unknown): (() => string) => {
  if (typeof value !== 'object' || value === null) return () => describe(value);
  const kept = Array.isArray(value) ? value.slice() : describe(value);
  return () => (typeof kept === 'string' ? kept : describe(kept));
};

/** Where and how a method was called. */
class CallSite {
  readonly #method: string;
  readonly #args: readonly (() => string)[];
  readonly stack?: unknown;

  /** Frames are those that called `above`. */
  constructor(method: string, args: readonly unknown[], above: Method) {
    this.#method = method;
    this.#args = args.map(keep);
    Error.captureStackTrace(this, above);
  }

  /** Adds itself to the stack of an error, unless another has been added. */
  augment(error: unknown): void {
    if (typeof error !== 'object' || error === null) return;
    const traced = error as { stack?: unknown; __augmented?: boolean };
    if (typeof traced.stack !== 'string' || traced.stack === '' || traced.__augmented) return;
    const frames = typeof this.stack === 'string' ? this.stack.split('\n').slice(1).join('\n') : '';
    const args = this.#args.map((text) => text()).join(', ');
    traced.stack += `\n--> in ${this.#method}(${args})\n${frames}`;
    traced.__augmented = true;
  }

  wrap(callback: Method): Method {
    const site = this;
    const replacement = function (this: unknown, ...args: unknown[]): unknown {
      site.augment(args[0]);
      return callback.apply(this, args);
    };
    wrapped.add(replacement);
    return replacement;
  }
}

/**
 * Replaces a method by one that adds the place of each call to the errors its callback gets. The callback is the argument
 * at `pos`, counted from the end when negative; with `count`, so many functions up to that place are callbacks.
 */
export function extendTrace(object: object, property: string, pos = -1, count = 1): void {
  const original = Reflect.get(object, property) as Method;
  const method = `${object.constructor.name}#${property}`;
  const traced: Method = function (this: unknown, ...args: unknown[]): unknown {
    const last = pos < 0 ? pos + args.length : pos;
    let site: CallSite | undefined;
    for (let at = last; at > last - count; at--) {
      const callback = args[at];
      if (typeof callback !== 'function' || wrapped.has(callback)) break;
      site ??= new CallSite(method, args, traced);
      args[at] = site.wrap(callback as Method);
    }
    return original.apply(this, args);
  };
  Object.defineProperty(traced, 'name', { value: property, configurable: true });
  Reflect.set(object, property, traced);
}
