// Inserts through one prepared statement in one transaction, each awaited before the next is asked for.
import { checkInsert, measureInserts, measureInsertsSync, metrics } from '../shared/inserts.mjs';
import { amountOf, labelOf, priceOf } from '../shared/items.mjs';

const insertCount = 20_000;

async function insertAwaited(statement, count) {
  for (let id = 1; id <= count; id++) {
    const { lastID, changes } = await new Promise((resolve, reject) => {
      statement.run(labelOf(id), amountOf(id), priceOf(id), function inserted(error) {
        if (error) reject(error);
        else resolve({ lastID: this.lastID, changes: this.changes });
      });
    });
    checkInsert(id, lastID, changes);
  }
}

export default {
  about: '20,000 run() of a prepared INSERT with 3 values in one transaction, awaited one by one, WAL file',
  metrics,
  callback: (sqlite3, { directory, scaled }) => measureInserts(sqlite3, directory, scaled(insertCount), insertAwaited),
  sync: (Database, { directory, scaled }) => measureInsertsSync(Database, directory, scaled(insertCount)),
};
