// Inserts that all fail, each awaited before the next is asked for: what an error costs, with the stack it has.
import { failingInserts } from '../shared/failing-inserts.mjs';

export default failingInserts({
  about: '10,000 run() of a prepared INSERT that violates UNIQUE, each error awaited and caught, in memory',
  count: 10_000,
});
