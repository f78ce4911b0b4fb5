// Rows about errors: what they look like and where they go.
import { better, refused, same, section } from './row.mjs';

const error = 'api/errors: an error > ';
const events = 'api/error-events: ';

export default section('Errors', [
  same('message', '`<code>: <text of SQLite>`, such as `SQLITE_CONSTRAINT: UNIQUE constraint failed: t.v`.', [
    `${error}is an Error whose message is the code and the text of SQLite`,
    'compatibility/object-mappers: sequelize: > the message names the columns behind "UNIQUE constraint failed: "',
  ]),
  same(
    'properties',
    '`errno` and `code` show in a loop, in this order.',
    `${error}has errno and code as its enumerable properties, in this order`,
  ),
  same('class', 'A plain Error; users may write to it.', [
    'compatibility/objects: an error > is a plain Error with a stack of one line when verbose() was not called',
    `${error}lets users write to it, as ORMs do`,
    `${error}is one of its own for each call`,
  ]),
  better(
    'extended codes',
    'Are not known.',
    'errno and code stay primary. `extendedErrno` and `extendedCode`, `sql`, and `offset` stand beside them.',
    [
      `${error}has extended codes, SQL and offset as own properties that are not enumerable`,
      `${error}carries the SQL of the call that failed`,
      'api/errors: a constraint > … keeps the primary code and names the extended one: …',
      'api/errors: the offset of an error > points at the token that is wrong',
    ],
  ),
  better(
    'names of codes',
    'The primary ones, ROW and DONE; any other is `UNKNOWN`.',
    'All primary and extended ones.',
    [
      'api/constants: codeName > names every primary and extended code',
      'api/constants: codeName > calls a number that is no result code UNKNOWN',
    ],
  ),
  better(
    'mode with extended result codes (0x02000000)',
    'errno is the extended code, code and message say UNKNOWN.',
    'code and message name the extended code.',
    'api/errors: an error of use > OPEN_EXRESCODE makes the extended code the code',
  ),
  same(
    'stack',
    'One line without verbose().',
    'compatibility/objects: an error > is a plain Error with a stack of one line when verbose() was not called',
  ),
  same('a callback that gets an error', 'Gets nothing else.', [
    'api/all: all() > passes the error alone when a later row fails',
    'api/map: map() > passes the error alone, without `this`',
  ]),
  same(
    'texts of misuse',
    '"Database is closed", "Database handle is closed", "Statement is already finalized", "Backup is already finished".',
    [
      'api/close: calls after the close was reported > …() calls back before it returns',
      'api/close: calls behind a close that succeeds > get the error in their order, each once',
      'api/statement: finalize() > lets a later …() fail before it returns',
      'api/backup: finish() > is the last call: others fail, in their turn or at once',
    ],
  ),
  same('exec, close, loadExtension or open without a callback', 'The event `error` on the database.', [
    `${events}a failed call of the database without a callback emits 'error' on the database, once > …()`,
    "api/close: close() with an open statement > without a callback emits 'error' on the database",
    "api/load-extension: loadExtension() > without a callback emits 'error' on the database",
    "api/open: a database that fails to open > without a callback emits 'error' on itself, once",
  ]),
  same('calls of a statement without a callback', 'The event `error` on the statement.', [
    `${events}a failed call of a statement without a callback > emits 'error' on the statement, not on the database: …()`,
    "api/prepare: a statement that fails to prepare > emits 'error' on the statement when prepare() had no callback",
  ]),
  better(
    'run, get, all, each of the database without a callback',
    'The event `error` on a statement that nobody can reach: an uncaught exception.',
    'On the statement if it has a listener, else on the database if it has one, else an uncaught exception.',
    [
      `${events}a failed call of a statement without a callback > emits 'error' on the database when the statement has no listener`,
      `${events}a failed call without callback and listener > of db.run() reaches a listener of the database and does not end the process`,
      `${events}a failed call without callback and listener > is an uncaught exception, once for each, and what follows goes on`,
    ],
  ),
  same(
    'calls of a backup without a callback',
    'The event `error` on the backup.',
    "api/backup-failures: a step that cannot go on > without a callback emits 'error' on the backup",
  ),
  refused(
    'one event for all calls that were queued on a closed or finalized object',
    'When none of them has a callback, `error` is emitted once; when one has, not at all.',
    'Each call without a callback emits its own: an answer does not depend on other calls.',
    [
      'compatibility/objects: calls without a callback that are queued behind an end > of a database emit an error each',
      'compatibility/objects: calls without a callback that are queued behind an end > of a statement emit an error each',
    ],
  ),
  same('calls on a closed database or a finalized statement', 'Report before they return.', [
    'api/close: calls after the close was reported > …() calls back before it returns',
    "api/close: calls after the close was reported > without a callback emit 'error' on the database before they return",
    'api/statement: finalize() > lets a later …() fail before it returns',
    'compatibility/objects: a late call > of configure() on a closed database emits its error before it returns',
  ]),
  better(
    'a callback that throws',
    'An uncaught exception, after which calls of the connection may hang or abort the process.',
    'An uncaught exception, and everything goes on.',
    [
      'life/throwing-callback: an exception > of the callback of each method is uncaught once, and later calls are answered',
      "life/throwing-callback: an exception > of 'open', 'close' and 'error' listeners is uncaught, and later calls are answered",
      'life/throwing-callback: an exception > without a handler ends the process with code 1 and the stack',
    ],
  ),
  better(
    'a row callback of each() that throws',
    'complete may never come, and the process may hang.',
    'An uncaught exception; the other rows and complete follow.',
    [
      'life/throwing-callback: an exception > of a row callback is uncaught, and the other rows and complete are delivered',
      'life/throwing-callback: an exception > of every row callback of a long each() is uncaught once for each row',
    ],
  ),
]);
