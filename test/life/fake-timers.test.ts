// Programs that replace the timers of Node, as tests do: answers do not wait for a clock that stands still.
import { describe, test } from 'node:test';
import { expectProgram, type Kit } from '../support/child.js';

/** Fakes all that schedules, before or after the package is loaded, and then needs every part of delivery. */
const useUnderFakes = ({ sqlite3, path, require, argument, print }: Kit): void => {
  const handle = { ref: () => handle, unref: () => handle, refresh: () => handle, hasRef: () => true };
  const never = (): typeof handle => handle;
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    Object.assign(globalThis, { [name]: never });
    Object.assign(require('node:timers'), { [name]: never });
  }
  Object.assign(globalThis, { queueMicrotask: never });
  Object.assign(process, { nextTick: never });
  let time = 0;
  Object.assign(performance, { now: () => ++time });
  if (argument === 'before') for (const file of Object.keys(require.cache)) delete require.cache[file];
  const { Database } = argument === 'before' ? (require(path) as typeof sqlite3) : sqlite3;
  const numbers = 'with recursive n(v) as (select 1 union all select v + 1 from n where v < 200000) select v from n';
  const db = new Database(':memory:');
  for (let times = 0; times < 100; times += 1) db.get('select 1');
  db.all(numbers, (_error, rows) => {
    print(rows.length);
    let slow = 0;
    db.each(
      'select 1 union all select 2 union all select 3',
      () => {
        slow += 1;
        for (let times = 0; times < 100; times += 1) db.get('select 1');
      },
      () => {
        print(slow);
        db.close((error) => {
          print(error);
          const missing = new Database('/nonexistent/folder/file', (cause) => {
            print(cause?.message);
            missing.get('select 1', (later: Error) => print(later.message));
          });
        });
      },
    );
  });
};

describe('with faked timers', () => {
  const unable = 'SQLITE_CANTOPEN: unable to open database file';
  for (const when of ['before', 'after']) {
    test(`everything is answered when they were faked ${when} the package was loaded`, async () => {
      await expectProgram(useUnderFakes, { output: [200_000, 3, null, unable, unable], argument: when });
    });
  }
});
