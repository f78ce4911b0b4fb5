// The script this project began with: a thousand grouped selects queued at once through promises, each made JSON.

import { groupedSelects } from '../shared/grouped-selects.mjs';
import { promisedSelects, selectPromises } from '../shared/promised-selects.mjs';

export default groupedSelects({
  about:
    '1,000 promisified all() of a prepared SELECT with 500 rows queued at once, each through JSON.stringify, in memory',

  select: promisedSelects,
  selectPromises,
});
