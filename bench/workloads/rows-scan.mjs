// Many rows of one integer: what a row costs.
import { tableScan } from '../shared/table-scan.mjs';
import { numbers } from '../shared/tables.mjs';

export default tableScan({
  about: 'all() of 1,000,000 rows x 1 column (integer), WAL file',
  columns: numbers,
  count: 1_000_000,
  passes: 1,
});
