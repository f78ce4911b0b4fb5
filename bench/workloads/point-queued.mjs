// Reads by primary key through one prepared statement, all of them queued before the first result arrives.
import { pointReads, queued } from '../shared/point-reads.mjs';

export default pointReads({
  about:
    '60,000 get() of 3 columns by primary key, one prepared statement, all queued at once, one transaction, WAL file',
  count: 60_000,
  read: queued,
  transaction: 'oneTransaction',
});
