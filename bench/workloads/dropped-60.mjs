// Sixty large results that nobody keeps: memory has to stay far below what all of them together would take.
import { droppedResults } from '../shared/dropped-results.mjs';

export default droppedResults({
  about: '60 all() of 20,000 rows x 7 columns (those of rows-all) queued at once, each result dropped on arrival',
  queries: 60,
});
