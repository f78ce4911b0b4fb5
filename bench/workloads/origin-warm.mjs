// The selects of origin in a program that has been running: its code is compiled, and its heap has grown to size.

import { groupedSelects } from '../shared/grouped-selects.mjs';
import { promisedSelects, selectPromises } from '../shared/promised-selects.mjs';

export default groupedSelects({
  about: 'origin once more in a process that has run it twice before',

  select: promisedSelects,
  selectPromises,
  before: 2,
});
