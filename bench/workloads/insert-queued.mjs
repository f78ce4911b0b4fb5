// Inserts through one prepared statement in one transaction, all of them queued before the first has finished.
import { insertQueued, measureInserts, measureInsertsSync, metrics } from '../shared/inserts.mjs';

const insertCount = 50_000;

export default {
  about: '50,000 run() of a prepared INSERT with 3 values queued at once in one transaction, WAL file',
  metrics,
  callback: (sqlite3, { directory, scaled }) => measureInserts(sqlite3, directory, scaled(insertCount), insertQueued),
  sync: (Database, { directory, scaled }) => measureInsertsSync(Database, directory, scaled(insertCount)),
};
