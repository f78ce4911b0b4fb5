// Long blobs: what the bytes of a blob cost on their way.
import { tableScan } from '../shared/table-scan.mjs';
import { longBlobs } from '../shared/tables.mjs';

export default tableScan({
  about: 'all() of 1,000 rows with a blob of 64 KiB, 3 passes, WAL file',
  columns: longBlobs,
  count: 1_000,
});
