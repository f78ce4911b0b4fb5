// The reads of point-queued without a transaction around them: each locks and unlocks the file.
import { pointReads, queued } from '../shared/point-reads.mjs';

export default pointReads({
  about: '60,000 get() of 3 columns by primary key, one prepared statement, all queued at once, autocommit, WAL file',
  count: 60_000,
  read: queued,
  transaction: 'autocommit',
});
