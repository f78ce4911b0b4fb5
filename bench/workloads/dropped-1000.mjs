// The same as dropped-60 with a queue far longer: memory must not follow the length of the queue.
import { droppedResults } from '../shared/dropped-results.mjs';

export default droppedResults({
  about: '1,000 all() of 20,000 rows x 7 columns (those of rows-all) queued at once, each result dropped on arrival',
  queries: 1_000,
  // Twenty million rows take a slow binding minutes, and a peak over a thousand results varies little.
  rounds: 1,
  limit: 15,
});
