// Inserts through one prepared statement in one transaction, all of them queued before the first has finished.
import { checkInsert, measureInserts, measureInsertsSync, metrics } from '../shared/inserts.mjs';
import { amountOf, labelOf, priceOf } from '../shared/items.mjs';

const insertCount = 50_000;

const insertQueued = (statement, count) =>
  new Promise((resolve, reject) => {
    let left = count;
    for (let id = 1; id <= count; id++) {
      statement.run(labelOf(id), amountOf(id), priceOf(id), function inserted(error) {
        if (error) return reject(error);
        try {
          checkInsert(id, this.lastID, this.changes);
        } catch (wrong) {
          return reject(wrong);
        }
        left -= 1;
        if (left === 0) resolve();
      });
    }
  });

export default {
  about: '50,000 run() of a prepared INSERT with 3 values queued at once in one transaction, WAL file',
  metrics,
  callback: (sqlite3, { directory, scaled }) => measureInserts(sqlite3, directory, scaled(insertCount), insertQueued),
  sync: (Database, { directory, scaled }) => measureInsertsSync(Database, directory, scaled(insertCount)),
};
