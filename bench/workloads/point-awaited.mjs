// Reads by primary key through one prepared statement, each awaited before the next is asked for.
import { awaited, pointReads } from '../shared/point-reads.mjs';

export default pointReads({
  about:
    '20,000 get() of 3 columns by primary key, one prepared statement, awaited one by one, one transaction, WAL file',
  count: 20_000,
  read: awaited,
  transaction: 'oneTransaction',
});
