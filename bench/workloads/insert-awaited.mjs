// Inserts through one prepared statement in one transaction, each awaited before the next is asked for.
import { awaited, inserts } from '../shared/inserts.mjs';

export default inserts({
  about: '20,000 run() of a prepared INSERT with 3 values in one transaction, awaited one by one, WAL file',
  count: 20_000,
  insert: awaited,
});
