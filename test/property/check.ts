// Runs a property so that a failure shows its seed, the smallest counterexample, and the error itself.
import fc from 'fast-check';

export const check = <T>(property: fc.IAsyncProperty<T>, numRuns: number): Promise<void> =>
  fc.assert(property, { numRuns, includeErrorInReport: true });
