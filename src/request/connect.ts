// Makes connections. What they need is compiled with the first of them: to load the package costs less without.

import type { Connection } from './connection.js';

let prepare = (): void => {};

/** Sets what is called once, before the first connection. */
export const beforeFirst = (callback: () => void): void => {
  prepare = callback;
};

/** A new connection with a thread of its own. */
export const connect = (): Connection => {
  prepare();
  prepare = () => {};
  const module = require('./connection.js') as typeof import('./connection.js');
  return new module.Connection();
};
