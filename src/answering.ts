// Which request is being answered: its callback runs now.

import type { Request } from './request/request.js';

let current: Request | undefined;

/** Undefined between two answers, also in promise jobs that a callback has begun. */
export const answering = (): Request | undefined => current;

/** For whoever delivers answers. */
export const setAnswering = (request: Request | undefined): void => {
  current = request;
};
