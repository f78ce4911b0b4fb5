// Rows of many columns.
import { tableScan } from '../shared/table-scan.mjs';
import { wide } from '../shared/tables.mjs';

export default tableScan({
  about: 'all() of 10,000 rows x 60 columns (20 integers, 20 short texts, 20 reals), 3 passes, WAL file',
  columns: wide,
  count: 10_000,
});
