// Rows about Statement: its methods, its properties and its life.
import { better, same, section } from './row.mjs';

const calls = [
  'api/statement: the methods of a statement > …() returns the statement',
  'api/statement: the methods of a statement > …() calls back on the statement with null alone',
];
const failed = 'api/prepare: a statement that fails to prepare > ';
const walk = 'api/get: Statement#get > ';
const results = 'api/run: lastID and changes of a statement > ';
const finalize = 'api/statement: finalize() > ';

export default section('Statement', [
  same(
    'new Statement(database, sql, [callback])',
    'Prepares. `this` of the callback is the statement, with an error too.',
    [
      'api/prepare: new Statement() > prepares on the database it is given and calls back on itself',
      'api/prepare: new Statement() > calls back on itself with the error alone',
    ],
  ),
  same(
    'Statement#sql',
    'The text as given. Own property, read-only, not shown in a loop.',
    'api/prepare: prepare() > keeps the text as `sql`, which cannot be written and is not enumerable',
  ),
  same(
    ['Statement#lastID', 'Statement#changes'],
    'Plain own properties, made by the first `run` with a callback that succeeds. A later failure keeps them. Other methods do not set them.',
    [
      `${results}are plain own properties that come with the first successful run()`,
      `${results}keep their values when a later run() fails`,
      `${results}are not set by get(), all(), each() and exec()`,
    ],
  ),
  same(
    'lastID and changes after a query',
    'Those of the latest insert and the latest change of the connection.',
    'api/run: Database#run > repeats the last id and count of the connection after a query',
  ),
  better(
    'lastID and changes beyond 32 bits',
    'lastID is rounded, changes is cut to 32 bits.',
    'Exact up to the largest safe integer.',
    'api/run: Database#run > keeps ids beyond 32 bits exact, up to the largest safe integer',
  ),
  same('Statement#bind', 'Binds for what follows. Null to the callback.', [
    ...calls,
    'api/statement: bind() > binds for all following executions',
    'api/statement: bind() > takes an array, an object and a list',
  ]),
  same('Statement#run', 'Executes. Null to the callback.', [
    ...calls,
    `${results}are those of the run() that calls back, also when more are queued behind it`,
  ]),
  same('Statement#get', 'One row, or null alone when there is none.', [
    'api/statement: the methods of a statement > …() returns the statement',
    `${walk}of a statement with one row passes it once, then null alone until reset()`,
  ]),
  same('Statement#all', 'All rows in an array.', [
    'api/statement: the methods of a statement > …() returns the statement',
    'api/all: all() > of a statement repeats its result',
  ]),
  same('Statement#each', 'A callback for each row, and one for the end.', [
    'api/statement: the methods of a statement > …() returns the statement',
    'api/each: each() > of a statement starts from the first row each time',
  ]),
  same(
    'Statement#map',
    'An object; no `this`.',
    'api/map: map() > of a statement returns it, starts from the first row, and can be repeated',
  ),
  same('Statement#reset', 'Null to the callback, never an error.', [
    ...calls,
    'api/statement: reset() > reports no error after a failed execution',
    'api/statement: reset() > keeps the bindings',
  ]),
  same(
    'Statement#finalize',
    'Returns the database. The callback gets no argument.',
    'api/statement: the methods of a statement > finalize() returns the database and calls back on the statement without arguments',
  ),
  better(
    'finalize() of an idle statement',
    'Calls back before it returns.',
    'Calls back later, as ever: one order for all cases.',
    `${finalize}comes after the calls before it`,
  ),
  same(
    'an execution without parameters, with [] or {}',
    'Keeps what is bound.',
    'api/statement: bind() > keeps what is bound when an execution gets no parameters, [] or {}',
  ),
  same(
    'an execution with parameters',
    'Starts the rows again and clears all bindings first; what is not given is NULL.',
    [
      'api/statement: bind() > of some parameters leaves the others NULL',
      'api/statement: bind() > is replaced by the parameters of an execution',
      'api/statement: bind() > starts the rows again',
    ],
  ),
  same(
    'run(), all(), each()',
    'Start from the first row.',
    `${walk}lets all(), each() and run() start from the first row`,
  ),
  same('get() again', 'Walks row by row; after the last one null alone until reset() or parameters come.', [
    `${walk}walks the rows one by one, then passes null alone until reset()`,
    `${walk}starts again when it gets parameters`,
    `${walk}does not start again for an empty array or object`,
  ]),
  same('get() after all()', 'Null alone.', `${walk}after all() passes null alone until reset()`),
  better(
    'run() of a statement that returns rows',
    'Steps once: RETURNING reports 0 changes and stays open.',
    'Steps to the end, counts, and resets.',
    [
      'api/run: a run() that returns rows > counts the changes of an insert with RETURNING',
      'api/run: a run() that returns rows > has committed when it calls back',
      'api/run: a run() that returns rows > of a query leaves no read lock behind',
      'api/run: Database#run > drops the rows of a query',
    ],
  ),
  better(
    'the lock of get()',
    'Is held until reset() or finalize().',
    'Is released when the row was the only one, unless finding out would take long; held while more rows follow.',
    [
      `${walk}passes a row behind which the search for another would not end`,
      `${walk}walks rows that are far apart, though each is removed when it has been passed`,
      `${walk}releases the read lock when the row it passed was the only one`,
      `${walk}in the middle of its rows releases the read lock at reset()`,
    ],
  ),
  better('after an error', 'The statement stays usable, but may hold its lock.', 'It stays usable, and is reset.', [
    'api/statement: a statement in repeated use > works after a constraint error, a bind error and a run-time error',
    'api/run: a run() that fails > with SQLITE_BUSY is reset, so that a later transaction commits',
    `${walk}after an error can be used again`,
  ]),
  same('calls before the statement is prepared', 'Are queued.', [
    'api/prepare: prepare() > works before the database is open',
    'api/prepare: prepare() > sees a table that a call before it creates',
  ]),
  better(
    'calls on a statement that failed to prepare',
    'Are dropped; their callbacks never come, that of finalize() neither.',
    'Each gets the error of the preparation.',
    [
      `${failed}answers each queued call with the prepare error, in their order`,
      `${failed}answers calls made after the failure was reported`,
      `${failed}answers each() through complete, and delivers no row`,
      `${failed}stays silent for calls without a callback once the error was reported`,
    ],
  ),
  same('finalize() behind calls', 'Comes after them, so its callback says that all are done.', [
    `${finalize}comes after the calls before it`,
    'compatibility/libraries: mbtiles: > the callback of finalize() comes when all runs of the statement are done',
  ]),
  better(
    'calls queued behind finalize()',
    'SQLITE_MISUSE "Statement is already finalized", before the callback of finalize().',
    'The same error, in the order of the calls.',
    [
      `${finalize}lets calls queued behind it fail, in their order and after its own callback`,
      `${finalize}lets a queued each() fail through complete`,
    ],
  ),
  same('calls after finalize()', 'The same error before the method returns.', [
    `${finalize}lets a later …() fail before it returns`,
    `${finalize}lets a later call without a callback emit 'error' on the statement before it returns`,
    'compatibility/objects: a late call > of finalize() on a finalized statement is a misuse',
  ]),
  same(
    'a statement that nobody holds',
    'Is finalized by garbage collection.',
    'life/collect: statements that were dropped > are collected and finalized, so that the database closes',
  ),
  same(
    'prepare() behind close()',
    'SQLITE_MISUSE "Database handle is closed".',
    'compatibility/objects: a late call > of prepare() behind a close hears that the handle is closed',
  ),
  better(
    'calls on a statement prepared behind close()',
    'Are dropped.',
    'Each gets an error.',
    'api/close: calls behind a close that succeeds > a statement prepared behind it answers its own calls as well',
  ),
]);
