// The script this project began with: a thousand grouped selects queued at once through promises, each made JSON.

import { promisify } from 'node:util';
import { groupedSelects } from '../shared/grouped-selects.mjs';

export default groupedSelects({
  about:
    '1,000 promisified all() of a prepared SELECT with 500 rows queued at once, each through JSON.stringify, in memory',

  async select(statement, count, check) {
    const all = promisify(statement.all).bind(statement);
    await Promise.all(Array.from({ length: count }, async () => check(await all())));
  },
});
