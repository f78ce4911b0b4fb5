// The rows of rows-all one by one, with each().
import { tableScan } from '../shared/table-scan.mjs';
import { mixed } from '../shared/tables.mjs';

export default tableScan({
  about:
    'each() of 100,000 rows x 7 columns (integer, 2 texts, real, flag, blob, null), text not ASCII, 3 passes, WAL file',
  columns: mixed,
  count: 100_000,
  method: 'each',
});
