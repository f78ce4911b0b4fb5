// Rows about what node-sqlite3 does not have.
import { beyond, section } from './row.mjs';

const names = (text) => text.split(' ').map((name) => `sqlite3.${name}`);
const constants = [
  'api/constants: constants > include the flags, codes and limits that sqlite3 leaves out',
  'api/constants: constants > are those of the sqlite3.h that is built in, none missing and none more',
];
const next = 'api/configure: the next request > ';

export default section('Beyond node-sqlite3', [
  beyond('overlap', 'SQLite executes the next call while JavaScript decodes the last result and runs its callback.', [
    `${next}runs while the callback before it runs`,
    'api/timeline: a timeline > shows that both were busy at the same time',
  ]),
  beyond("configure('eager', value)", 'False: SQLite waits for each callback, as in node-sqlite3, for comparison.', [
    `${next}waits for the callback before it with eager off`,
    `${next}keeps its order and its answers with eager off`,
  ]),
  beyond("configure('integers', mode)", 'Reads 64-bit integers exactly: `number`, `bigint` or `mixed`.', [
    'api/integers: an integer reads as > a bigint with integers set to bigint',
    'api/integers: an integer reads as > refuses a setting that does not exist',
  ]),
  beyond("configure('highWaterMark', bytes)", 'How much may be undelivered before SQLite waits.', [
    'life/event-loop: memory > stays bounded when large results are queued and nobody takes them',
  ]),
  beyond("configure('statementCacheSize', statements)", 'How many statements of calls with SQL text are kept.', [
    'api/statement-cache: a cached statement > is one of at most statementCacheSize',
    'api/statement-cache: statementCacheSize must be an integer from 0 to 1024',
  ]),
  beyond(
    "configure('untrusted', true)",
    'For files that may be hostile: what their schema and their pages can do is limited.',
    [
      'api/untrusted: a schema that is not trusted > calls no function in a view that is not known to be harmless',
      'api/untrusted: the internals of the file > cannot be written by SQL: schema, shadow tables, pages',
      'api/untrusted: the limits > stop values that would fill the memory',
      'api/untrusted: the option > keeps extensions out, for good',
      'api/untrusted: the option > cannot be taken back, and wants to be true',
    ],
  ),
  beyond('Database#stats', 'How long SQLite was busy, and what is undelivered.', [
    'api/timeline: a timeline > agrees with stats() and with the profile event',
    'request/connection: a connection that ends > knows its last statistics',
  ]),
  beyond('timeline', '`record(database)` of `sqlite-tandem/timeline` tells when SQLite and JavaScript were busy.', [
    'api/timeline: a timeline > shows when SQLite was busy, on the clock of performance.now()',
    'api/timeline: a recording > ends once: stop() gives the same timeline again',
  ]),
  beyond('the event loop', 'Gets its turns while a large result is decoded.', [
    'life/event-loop: the event loop > gets its turns during an all() of many rows',
    'life/event-loop: the event loop > gets its turns while each() delivers many rows',
    'life/event-loop: the event loop > gets its turns between row callbacks of each() that take long',
  ]),
  beyond(
    'a lock of a shared cache',
    'Is waited for like any other lock, for the busy timeout at most; `sqlite3` fails at once. Calls queued behind wait too.',
    [
      'api/connections: two connections that share a cache > wait for the lock of the other, for the busy timeout at most',
    ],
  ),
  beyond("libuv's threads", 'Are left to files, DNS and cryptography.', [
    "life/pool: libuv's thread pool > serves files and cryptography while more databases than it has threads are busy",
  ]),
  beyond('errors', 'extendedErrno, extendedCode, sql and offset.', [
    'api/errors: an error > has extended codes, SQL and offset as own properties that are not enumerable',
  ]),
  beyond('ES modules', 'Named imports, and one class however the package is loaded.', [
    'package/exports: import and require > give one class to a CommonJS program that requires first and imports later',
  ]),
  beyond('workers', 'The package can be loaded in any number of them, and they may be terminated.', [
    'life/worker: a worker > can be loaded again and again, one after the other and at the same time',
    'life/worker: a worker > works beside the main thread on the same file',
  ]),
  beyond('another SQLite', '`--sqlite=<prefix>` builds against it.', [
    "package/system-sqlite: a build with --sqlite=/usr opens databases with the system's SQLite",
  ]),
  beyond(
    names('OPEN_MEMORY OPEN_NOMUTEX OPEN_NOFOLLOW OPEN_EXRESCODE'),
    'Flags for the mode of a database.',
    constants,
  ),
  beyond(names('NOTICE WARNING ROW DONE'), 'Primary result codes.', constants),
  beyond(
    names(
      'ERROR_MISSING_COLLSEQ ERROR_RETRY ERROR_SNAPSHOT ERROR_RESERVESIZE ERROR_KEY ERROR_UNABLE IOERR_READ ' +
        'IOERR_SHORT_READ IOERR_WRITE IOERR_FSYNC IOERR_DIR_FSYNC IOERR_TRUNCATE IOERR_FSTAT IOERR_UNLOCK ' +
        'IOERR_RDLOCK IOERR_DELETE IOERR_BLOCKED IOERR_NOMEM IOERR_ACCESS IOERR_CHECKRESERVEDLOCK IOERR_LOCK ' +
        'IOERR_CLOSE IOERR_DIR_CLOSE IOERR_SHMOPEN IOERR_SHMSIZE IOERR_SHMLOCK IOERR_SHMMAP IOERR_SEEK ' +
        'IOERR_DELETE_NOENT IOERR_MMAP IOERR_GETTEMPPATH IOERR_CONVPATH IOERR_VNODE IOERR_AUTH ' +
        'IOERR_BEGIN_ATOMIC IOERR_COMMIT_ATOMIC IOERR_ROLLBACK_ATOMIC IOERR_DATA IOERR_CORRUPTFS ' +
        'IOERR_IN_PAGE IOERR_BADKEY IOERR_CODEC LOCKED_SHAREDCACHE LOCKED_VTAB BUSY_RECOVERY BUSY_SNAPSHOT ' +
        'BUSY_TIMEOUT CANTOPEN_NOTEMPDIR CANTOPEN_ISDIR CANTOPEN_FULLPATH CANTOPEN_CONVPATH CANTOPEN_DIRTYWAL ' +
        'CANTOPEN_SYMLINK CORRUPT_VTAB CORRUPT_SEQUENCE CORRUPT_INDEX READONLY_RECOVERY READONLY_CANTLOCK ' +
        'READONLY_ROLLBACK READONLY_DBMOVED READONLY_CANTINIT READONLY_DIRECTORY ABORT_ROLLBACK ' +
        'CONSTRAINT_CHECK CONSTRAINT_COMMITHOOK CONSTRAINT_FOREIGNKEY CONSTRAINT_FUNCTION CONSTRAINT_NOTNULL ' +
        'CONSTRAINT_PRIMARYKEY CONSTRAINT_TRIGGER CONSTRAINT_UNIQUE CONSTRAINT_VTAB CONSTRAINT_ROWID ' +
        'CONSTRAINT_PINNED CONSTRAINT_DATATYPE NOTICE_RECOVER_WAL NOTICE_RECOVER_ROLLBACK NOTICE_RBU ' +
        'WARNING_AUTOINDEX AUTH_USER OK_LOAD_PERMANENTLY OK_SYMLINK',
    ),
    'Extended result codes.',
    constants,
  ),
  beyond(names('LIMIT_PARSER_DEPTH LIMIT_SCHEMA LIMIT_TRIGGER_STEPS'), 'Limits.', constants),
]);
