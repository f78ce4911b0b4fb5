// The public object, assembled in one place.

import { Database } from './api/database.js';
import { Statement } from './api/statement.js';
import { constants } from './constants.js';
import { addon, bindingPath } from './native/binding.js';
import './mailbox.js';

/** Classes can be replaced by users, as in node-sqlite3; constants cannot. */
const exported: Record<string, unknown> = {
  Database,
  Statement,
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
