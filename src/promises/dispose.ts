// `await using`: gives classes their Symbol.asyncDispose, where this Node has it.

/** Disposing of an object is calling that method of it. */
export const disposeBy = (prototype: object, method: string): void => {
  if (typeof Symbol.asyncDispose !== 'symbol') return;
  Object.defineProperty(prototype, Symbol.asyncDispose, {
    value: async function (this: Record<string, () => Promise<unknown>>): Promise<void> {
      await this[method]?.();
    },
    writable: true,
    configurable: true,
  });
};
