// The reads of point-queued without a prepared statement: db.get() gets the same SQL text each time.
import { pointReads, queued } from '../shared/point-reads.mjs';

export default pointReads({
  about: '20,000 db.get(sql, key) of 3 columns by primary key queued at once, one transaction, WAL file',
  count: 20_000,
  read: queued,
  transaction: 'oneTransaction',
  prepared: false,
});
