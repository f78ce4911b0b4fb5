// Inserts through one prepared statement in one transaction, all of them queued before the first has finished.
import { inserts, queued } from '../shared/inserts.mjs';

export default inserts({
  about: '50,000 run() of a prepared INSERT with 3 values queued at once in one transaction, WAL file',
  count: 50_000,
  insert: queued,
});
