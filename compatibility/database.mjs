// Rows about Database: opening it, its properties and its methods.
import { better, same, section } from './row.mjs';

const order = 'api/order: wait() > ';
const serialize = 'api/order: serialize() and parallelize() > ';
const failed = 'api/open: a database that fails to open > ';

export default section('Database', [
  same(
    'new Database(filename, [mode], [callback])',
    'Opens later; calls may follow at once. Then the callback with null, the event `open`, and the queued calls, in this order.',
    [
      'api/open: a database that opens > calls back on itself with null alone',
      "api/open: a database that opens > reports in the order callback, 'open' event, queued calls",
      "api/open: a database that opens > passes no argument to 'open' listeners and calls them on itself",
      'api/open: a database that opens > opens without a callback and without a listener',
    ],
  ),
  same(
    'a file name that is no text',
    'TypeError "String expected".',
    'api/arguments: a wrong argument is a TypeError, and everything goes on > of the constructor of Database',
  ),
  better(
    'a file name with NUL',
    'Is cut there.',
    'Refused with an error; no file is made.',
    'api/open: the file name > with NUL is refused and no file is made of what is before it',
  ),
  same('the file name as it is', 'Is neither resolved nor trimmed.', [
    'api/open: the file name > may hold blanks, non-ASCII characters and URI characters',
    'api/open: the file name > may be empty: a private temporary database',
    'api/open: the file name > of two databases in memory names two databases',
  ]),
  same(
    'the default mode',
    '65542: read-write, create, full mutex.',
    'api/open: the mode > is read-write, create and full mutex by default',
  ),
  same('a mode', 'Counts when it is an integer of 32 bits.', [
    'api/open: the mode > without OPEN_CREATE refuses a missing file and makes none',
    'api/open: the mode > OPEN_READONLY reads and refuses to write',
  ]),
  better(
    'a mode of another type',
    'The default is used, and the callback behind it is lost.',
    'The default is used, and the callback is called.',
    'api/open: the mode > falls back to the default for …, and the callback is called',
  ),
  same(
    'flags that do not fit together',
    'OPEN_CREATE alone is SQLITE_MISUSE.',
    'api/open: the mode > OPEN_CREATE alone is a misuse, whose text does not speak of memory',
  ),
  same('URIs', 'A file name is no URI unless OPEN_URI is given.', [
    'api/open: the file name > is no URI unless OPEN_URI is given',
    'api/open: the file name > as a URI with OPEN_URI shares a named memory database, which ends with its last connection',
  ]),
  same(
    'the busy timeout',
    'One second after the open.',
    'api/configure: the busy timeout > is one second unless configured',
  ),
  same('a failed open', 'The callback gets the error. Neither `error` nor `open` is emitted.', [
    `${failed}calls back on itself with the error alone, and stays closed`,
    `${failed}with a callback emits neither 'error' nor 'open'`,
  ]),
  same('a failed open without a callback', 'The event `error` on the database.', [
    `${failed}without a callback emits 'error' on itself, once`,
    `${failed}without callback and listener is an uncaught exception`,
  ]),
  better('calls behind a failed open', 'Are never answered.', 'Each gets the error of the open.', [
    `${failed}answers a queued …() and one after the failure with the open error`,
    `${failed}answers a queued wait() with the open error`,
    `${failed}answers a queued each() through its complete callback, without a row`,
    `${failed}answers the calls of a queued statement`,
    `${failed}answers close(), before and after the failure was reported`,
    `${failed}answers queued calls after the callback and in their order`,
  ]),
  same(
    ['Database#filename', 'Database#mode'],
    'As given. Own properties, read-only, not shown in a loop.',
    'api/open: a database that opens > keeps the file name and the mode as read-only properties that are not enumerable',
  ),
  same('Database#open', 'A getter of the prototype: true from the open callback to a close that succeeds.', [
    'api/open: a database that opens > has `open` as a getter of the prototype',
    'api/open: a database that opens > is not open before its callback and open in it',
  ]),
  same('properties of the user', 'May be added.', 'api/open: a database that opens > takes properties of the user'),
  same('Database#close', 'Returns the database. Null to the callback, then the event `close`, without arguments.', [
    'api/close: close() > returns the database and calls back on it with null alone',
    "api/close: close() > reports in the order callback, 'close' event; the event has no arguments",
    'api/close: close() > needs no callback',
    'api/close: close() > waits for the calls before it',
  ]),
  same(
    'close() with an open statement or backup',
    'SQLITE_BUSY "unable to close due to unfinalized statements or unfinished backups". The database stays open and may be closed again.',
    [
      'api/close: close() with an open statement > is refused with SQLITE_BUSY, and the database stays usable',
      'api/close: close() with an open statement > may be repeated behind a finalize() without waiting',
      'api/backup: a backup that copied everything > stays open without retry codes, until it is finished',
    ],
  ),
  better(
    'calls behind a refused close()',
    'May never be answered.',
    'Run as if there had been no close().',
    'api/close: close() with an open statement > lets what is queued behind it run',
  ),
  same(
    'calls behind a close() that succeeds',
    'SQLITE_MISUSE "Database handle is closed" for each callback.',
    'api/close: calls behind a close that succeeds > get the error in their order, each once',
  ),
  same(
    'calls after the close',
    'SQLITE_MISUSE "Database is closed", to the callback or as `error`, before the method returns.',
    [
      'api/close: calls after the close was reported > …() calls back before it returns',
      "api/close: calls after the close was reported > without a callback emit 'error' on the database before they return",
      'api/close: calls after the close was reported > without callback and listener throw out of the call',
      'api/close: calls after the close was reported > return what they return on an open database',
    ],
  ),
  same(
    'Database#exec',
    'Runs all statements, drops their rows, stops at the first that fails and keeps what was done before. `this` is the database.',
    [
      'api/exec: exec() > returns the database and calls back on it with null alone',
      'api/exec: exec() > runs all statements of the text in order',
      'api/exec: exec() > drops the rows of queries',
      'api/exec: exec() > stops at the first statement that fails and keeps what was done before',
    ],
  ),
  same('Database#wait', 'Returns the database. Null to the callback behind all calls before it.', [
    `${order}returns the database and calls back on it with null, behind all calls before it`,
  ]),
  better(
    'wait() on an idle database',
    'Calls back before it returns.',
    'Calls back later, as ever: one order for all cases.',
    `${order}needs no callback, and answers on an idle database`,
  ),
  same(
    'Database#loadExtension',
    'Returns the database. A failure is SQLITE_ERROR with the text of the loader. Only this call may load: the SQL function may not.',
    [
      'api/load-extension: an extension > is loaded into the connection, in the order of the calls',
      'api/load-extension: loadExtension() > gives the error of the loader',
      'api/load-extension: an extension > cannot be loaded by SQL, neither before nor after one was loaded',
    ],
  ),
  same(
    'Database#run',
    'Prepares, executes, finalizes. Returns the database. `this` of the callback is a Statement with `lastID` and `changes`.',
    [
      'api/run: Database#run > returns the database and calls back on a statement with null alone',
      'api/run: Database#run > gives the id and the count of an insert, an update and a delete',
      'api/run: Database#run > works without a callback',
    ],
  ),
  same('Database#get', 'The same with the first row; null alone without a row.', [
    'api/get: Database#get > returns the database and calls back on a statement with null and the row',
    'api/get: Database#get > passes null alone when there is no row',
    'api/get: Database#get > finalizes its statement, so that the database closes',
  ]),
  same('Database#all', 'The same with an array of all rows, which may be empty.', [
    'api/all: all() > returns the database and calls back on a statement with null and an array',
    'api/all: all() > passes an empty array when there are no rows',
  ]),
  same('Database#each', 'The same with a callback for each row and one for the end.', [
    'api/each: each() > returns the database and calls both callbacks on the same statement',
    'api/each: each() > finalizes its statement, so that the database closes',
  ]),
  same(
    'Database#map',
    'The same with an object. No `this` in the callback.',
    'api/map: map() > returns the database, and calls back without `this` with null and an object',
  ),
  same(
    'Database#prepare',
    'Returns a Statement at once. Null to the callback when it is prepared and its parameters are bound.',
    [
      'api/prepare: prepare() > returns a statement at once and calls back on it with null alone',
      'api/prepare: prepare() > takes parameters, which stay bound',
      'api/prepare: prepare() > calls back when the parameters are bound',
    ],
  ),
  same(
    'prepare() that fails',
    'One callback with the error, without `this`.',
    'api/prepare: a statement that fails to prepare > reports the error alone, without `this`',
  ),
  same('the text behind the first statement', 'Is ignored in silence by `run`, `get`, `all`, `each` and `prepare`.', [
    'api/run: Database#run > ignores what is behind the first statement',
    'api/prepare: prepare() > prepares the first statement of the text alone',
  ]),
  same('SQL without a statement', 'Can be prepared; SQLITE_MISUSE "not an error" when it is executed.', [
    'api/run: Database#run > answers … with a misuse',
    'api/prepare: a text without a statement > … prepares, and its executions are a misuse',
  ]),
  better('SQL with NUL', 'Is cut there.', 'Refused with an error; nothing is executed.', [
    'api/run: Database#run > refuses SQL with NUL instead of cutting it',
    'api/exec: exec() > refuses SQL with NUL and runs nothing behind it',
    'api/prepare: a text without a statement > with NUL is refused',
  ]),
  same(
    'the statement in a callback of the database',
    'Is finalized right after.',
    'api/statement: finalize() > of the statement of db.get() in its own callback is a misuse at most, and harmless',
  ),
  same(
    ['Database#serialize', 'Database#parallelize'],
    'Call their function at once, on the database, without arguments. Return the database.',
    `${serialize}…() returns the database and calls its function at once, on the database, without arguments`,
  ),
  same('Database#configure', 'Returns the database. Takes its turn in the queue.', [
    'api/configure: the busy timeout > lets a writer wait for the lock while the event loop goes on',
    'api/order: the calls of a database > configure() takes its place in the order',
  ]),
  same(
    'Database#interrupt',
    'Returns the database. What runs ends with SQLITE_INTERRUPT; what is queued is not affected.',
    [
      'api/interrupt: interrupt() > ends a running query with SQLITE_INTERRUPT',
      'api/interrupt: interrupt() > in a row callback ends the each() it belongs to, and leaves what is queued',
      'api/interrupt: interrupt() > returns the database',
      'api/interrupt: interrupt() > on an idle database changes nothing for later calls',
    ],
  ),
  same(
    'interrupt() of a database that is not open',
    'Throws "Database is not open" or "Database is closing".',
    'api/interrupt: interrupt() > throws before the database is open, while it closes and when it is closed',
  ),
]);
