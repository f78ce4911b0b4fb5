// The inserts of insert-queued without a prepared statement: db.run() gets the same SQL text each time.
import { insertQueued, measureInserts, measureInsertsSync, metrics } from '../shared/inserts.mjs';

const insertCount = 20_000;

export default {
  about: '20,000 db.run(sql, 3 values) of one INSERT queued at once in one transaction, WAL file',
  metrics,
  callback: (sqlite3, { directory, scaled }) =>
    measureInserts(sqlite3, directory, scaled(insertCount), insertQueued, false),
  sync: (Database, { directory, scaled }) => measureInsertsSync(Database, directory, scaled(insertCount), false),
};
