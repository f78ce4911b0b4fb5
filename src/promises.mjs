// The promise API for `import`: the CommonJS build next to it, so that both ways give the same classes.

import promises from './promises.js';

export const { AbortError, Database, open, ParameterError, SqliteError, Statement, sql, Transaction, types } = promises;
