// Long texts: what the bytes of a text cost on their way, and not what a cell costs.
import { tableScan } from '../shared/table-scan.mjs';
import { longTexts } from '../shared/tables.mjs';

export default tableScan({
  about: 'all() of 5,000 rows with a text of 10 KiB, every other one not ASCII, 3 passes, WAL file',
  columns: longTexts,
  count: 5_000,
});
