// Rows about each() and map().
import { better, same, section } from './row.mjs';

const each = 'api/each: each() > ';
const fails = 'api/each: an each() that fails > ';
const map = 'api/map: map() > ';

export default section('each() and map()', [
  better(
    'memory of each()',
    'Rows pile up without a bound while JavaScript is busy.',
    'SQLite waits while too much is undelivered.',
    'life/event-loop: memory > stays bounded when the first row callback of each() takes long',
  ),
  same('complete of each()', 'Gets null and the number of rows that the row callback got; 0 without rows.', [
    `${each}delivers … rows in order before complete`,
    `${each}passes null and 0 to complete when there are no rows`,
    `${each}passes null and the row to the row callback`,
  ]),
  same(
    'each() without callbacks',
    'Works with a row callback alone and with none.',
    `${each}works without a complete callback and without any`,
  ),
  better(
    'each() that fails midway',
    'The error comes before the rows that were read, and complete says success.',
    'The rows, then the row callback gets the error, then complete gets the error and the count.',
    [
      `${fails}midway delivers the rows, the error to the row callback, then the error and the count to complete`,
      `${fails}midway passes the error alone to the row callback`,
      `${fails}midway without a complete callback tells the row callback`,
      `${fails}behind many rows counts the rows it delivered`,
    ],
  ),
  better(
    'each() whose parameters do not fit',
    'The row callback gets the error, complete gets null and 0.',
    'Both get the error.',
    `${fails}to bind tells the row callback and complete, and delivers no row`,
  ),
  same('each() of the database that fails to prepare', 'The last function alone gets the error.', [
    `${fails}to prepare tells complete alone`,
    `${fails}to prepare tells the row callback when there is no other`,
  ]),
  better('the next call behind each()', 'Comes after complete by luck.', 'Always comes after complete.', [
    `${each}calls complete before the callback of the next call`,
    'api/reentrancy: a callback > of a row may start an each() on the same statement, which begins after the first has ended',
  ]),
  same('map()', 'The first column is the key; the value is the second, or the row when there are more than two.', [
    `${map}maps the first of two columns to the second`,
    `${map}maps to the whole row when there are more than two columns`,
    `${map}maps to undefined when there is one column`,
    `${map}passes an empty object when there are no rows`,
  ]),
  same(
    'the first column of map()',
    'Is the first property of a row: names that are integers come first.',
    `${map}goes by the order of the properties of a row, in which integers come first`,
  ),
  better(
    'map() without a callback',
    'A TypeError "callback is not a function" at the end of the query.',
    'The same TypeError at the call.',
    `${map}without a callback says so, at the call or at its end, and leaves no statement open`,
  ),
]);
