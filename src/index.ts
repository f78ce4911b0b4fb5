// The public object, assembled in one place.

import { EventEmitter } from 'node:events';
import { Backup } from './api/backup.js';
import { cached } from './api/cached.js';
import { Database } from './api/database.js';
import { Statement } from './api/statement.js';
import { traceCalls } from './api/verbose.js';
import { constants } from './constants.js';
import { addon, bindingPath } from './native/binding.js';
import './mailbox.js';

/** Shows methods to a loop over all properties: programs wrap or copy what they find that way. */
const show = (prototype: object, names: readonly string[]): void => {
  for (const name of names) Object.defineProperty(prototype, name, { enumerable: true });
};

// Those that are written in JavaScript in node-sqlite3, and the methods of an emitter, which show in Node itself.
show(Database.prototype, ['run', 'get', 'all', 'each', 'map', 'prepare', 'backup']);
show(
  Database.prototype,
  Object.keys(EventEmitter.prototype).filter((name) => Object.hasOwn(Database.prototype, name)),
);
show(Statement.prototype, ['map']);

/** Classes can be replaced by users, as in node-sqlite3; constants cannot. */
const exported: Record<string, unknown> = {
  Database,
  Statement,
  Backup,
  cached,
  verbose: (): typeof exported => {
    traceCalls();
    return exported;
  },
  path: bindingPath,
};

const fixed = {
  ...constants,
  VERSION: addon.version,
  VERSION_NUMBER: addon.versionNumber,
  SOURCE_ID: addon.sourceId,
};

for (const [name, value] of Object.entries(fixed)) {
  Object.defineProperty(exported, name, { value, enumerable: true, configurable: true, writable: false });
}

export = exported;
