// The subpath 'sqlite-tandem/promises': the promise API, assembled in one place.

import './mailbox.js';
import { Database } from './promises/database.js';
import { AbortError, ParameterError, SqliteError } from './promises/errors.js';
import { open } from './promises/open.js';
import { Transaction } from './promises/queries.js';
import { sql } from './promises/sql-tag.js';
import { Statement } from './promises/statement.js';
import { types } from './promises/types.js';

export { AbortError, Database, open, ParameterError, SqliteError, Statement, sql, Transaction, types };
