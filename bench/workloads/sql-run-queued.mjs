// The inserts of insert-queued without a prepared statement: db.run() gets the same SQL text each time.
import { inserts, queued } from '../shared/inserts.mjs';

export default inserts({
  about: '20,000 db.run(sql, 3 values) of one INSERT queued at once in one transaction, WAL file',
  count: 20_000,
  insert: queued,
  prepared: false,
});
