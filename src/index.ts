// The public object, assembled in one place.

import { EventEmitter } from 'node:events';
import { Backup } from './api/backup.js';
import { cached } from './api/cached.js';
import { Database } from './api/database.js';
import { Statement } from './api/statement.js';
import { constants } from './constants.js';
import { addon, bindingPath } from './native/binding.js';
import { beforeFirst } from './request/connect.js';
import './turns.js';

beforeFirst(() => require('./mailbox.js'));

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

/**
 * Classes can be replaced by users, as in node-sqlite3; constants cannot. The object begins without a prototype because V8
 * then keeps it as a table: to each of so many properties of its own it would otherwise give a new layout.
 */
const exported: Record<string, unknown> = Object.create(null);
Object.setPrototypeOf(exported, Object.prototype);
Object.assign(exported, {
  Database,
  Statement,
  Backup,
  cached,
  verbose: (): typeof exported => {
    // Loaded only here: few programs use it.
    (require('./api/verbose.js') as typeof import('./api/verbose.js')).traceCalls();
    return exported;
  },
  path: bindingPath,
});

const fix = (name: string, value: unknown): void => {
  Object.defineProperty(exported, name, { value, enumerable: true, configurable: true, writable: false });
};

for (const name of Object.keys(constants)) fix(name, Reflect.get(constants, name));
fix('VERSION', addon.version);
fix('VERSION_NUMBER', addon.versionNumber);
fix('SOURCE_ID', addon.sourceId);

export = exported;
