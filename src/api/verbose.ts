// What verbose() does: errors tell where the call was made that they come from.

import { extendTrace } from '../trace.js';
import { Database } from './database.js';
import { Statement } from './statement.js';

const onDatabase = ['prepare', 'get', 'run', 'all', 'map', 'close', 'exec'];
const onStatement = ['bind', 'get', 'run', 'all', 'map', 'reset', 'finalize'];

let verbose = false;

/** From now on, and for the whole process. */
export const traceCalls = (): void => {
  if (verbose) return;
  verbose = true;
  for (const name of onDatabase) extendTrace(Database.prototype, name);
  for (const name of onStatement) extendTrace(Statement.prototype, name);
  // Both of its callbacks.
  for (const { prototype } of [Database, Statement]) extendTrace(prototype, 'each', -1, 2);
};
