// Rows about events and configure().
import { better, same, section } from './row.mjs';

const listeners = 'api/events: listeners > ';
const event = 'api/events: events > ';
const configure = 'api/events: configure() > ';
const busy = 'api/configure: the busy timeout > ';

export default section('Events and configure()', [
  same('open, close', 'Without arguments, after the callback.', [
    "api/open: a database that opens > passes no argument to 'open' listeners and calls them on itself",
    "api/close: close() > reports in the order callback, 'close' event; the event has no arguments",
  ]),
  same(
    'error',
    'The error alone, with `this` being the emitter.',
    "api/error-events: a failed call of the database without a callback emits 'error' on the database, once > and the listener is called on the database with the error alone",
  ),
  same(
    'trace',
    'The SQL with its values, when a statement begins to run; each statement of exec().',
    'api/events: trace > gives the SQL with the bound values, for each statement that begins to run',
  ),
  same(
    'profile',
    'The SQL as written, and milliseconds.',
    'api/events: profile > gives the SQL as it was written and the milliseconds it took',
  ),
  same('change', '`insert`, `update` or `delete`, database, table, rowid; a rounded number beyond 2^53.', [
    'api/events: change > gives kind, database, table and rowid of each row',
    'api/events: change > comes for each of many rows, in order',
  ]),
  same(
    'changes that SQLite does not report',
    'WITHOUT ROWID tables, DELETE of a whole table, rows that REPLACE removes.',
    'api/events: change > does not come for what SQLite does not report',
  ),
  same('`this` of a listener', 'The database.', `${event}are emitted with this being the database`),
  better(
    'change and the callback',
    'May come in either order.',
    'Always before the callback of the statement that caused it.',
    `${event}come before the callback of the statement that caused them, each time`,
  ),
  better(
    ['Database#on', 'Database#addListener', 'Database#once', 'Database#removeListener'],
    'Of trace, profile and change: switch the event on and off; a second listener switches it off.',
    'Listeners are counted: the event is on while there is one.',
    [
      `${listeners}are counted: … goes on until the last has gone`,
      `${listeners}that are alone are heard when they came by …()`,
      `${listeners}take effect behind the calls before them, and end with those before their removal`,
    ],
  ),
  better(
    ['Database#off', 'Database#prependListener', 'Database#prependOnceListener', 'Database#removeAllListeners'],
    'Do not switch the events (`removeAllListeners` only with the name of one).',
    'Do so like the others.',
    [
      `${listeners}can be put in front, and be called once`,
      `${listeners}that are alone are heard when they came by …()`,
      `${listeners}are gone after removeAllListeners(), for one event or for all`,
    ],
  ),
  better(
    'trace beside profile',
    'Exclude each other.',
    'Do not depend on each other.',
    `${listeners}of … do not depend on those of the other events`,
  ),
  better(
    "configure('trace' or 'profile' or 'change', value)",
    'Toggles, whatever the value.',
    'Switches on or off as the value says.',
    `${configure}turns … on and off as it says, however often`,
  ),
  same("configure('busyTimeout', milliseconds)", 'How long to wait for a lock.', [
    `${busy}lets a writer wait for the lock while the event loop goes on`,
    `${busy}of 0 gives up at once`,
    `${busy}may be configured before the database is open`,
  ]),
  same("configure('limit', id, value)", 'Sets a limit of the connection.', [
    'api/configure: limits > hold from the next call on',
    'api/configure: limits > with an identifier that SQLite does not know change nothing',
  ]),
  same(
    'wrong arguments of configure()',
    'TypeErrors: "Expected 2arguments", "Expected 3arguments", "Value must be an integer", "limit id must be an integer", "limit value must be an integer", "... is not a valid configuration option".',
    'api/arguments: a wrong argument is a TypeError, and everything goes on > of configure()',
  ),
  better(
    'an option of configure() that is no text',
    'Aborts the process.',
    'The TypeError of an unknown option.',
    'api/arguments: a wrong argument is a TypeError, and everything goes on > of configure()',
  ),
  better(
    'listeners of trace, profile and change on a closed database',
    'Adding one emits `error`.',
    'They may come and go.',
    `${listeners}of a closed database can come and go`,
  ),
  same(
    'configure() of a closed database',
    'Emits `error`.',
    'compatibility/objects: a late call > of configure() on a closed database emits its error before it returns',
  ),
]);
