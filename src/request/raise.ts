// Makes uncaught exceptions of what callbacks throw.

import { binding } from '../native/binding.js';

/** Makes an uncaught exception of what a callback threw: at once, so that nothing else runs before its handler. */
export const raise = (error: unknown): void => binding.raise(error);
