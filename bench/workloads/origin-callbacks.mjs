// The selects of origin with plain callbacks: without promises the rows die young, and garbage collection costs little.

import { groupedSelects } from '../shared/grouped-selects.mjs';

export default groupedSelects({
  about: '1,000 all() of a prepared SELECT with 500 rows queued at once, each through JSON.stringify, in memory',

  select: (statement, count, check) =>
    new Promise((resolve, reject) => {
      let left = count;
      const deliver = (error, rows) => {
        if (error) return reject(error);
        try {
          check(rows);
        } catch (wrong) {
          return reject(wrong);
        }
        left -= 1;
        if (left === 0) resolve();
      };
      for (let i = 0; i < count; i++) statement.all(deliver);
    }),
});
