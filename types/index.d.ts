// The public module: what `require('sqlite-tandem')` gives, and the types that go with it.

import { Backup, BackupEvents } from './backup.js';
import { Cached, CachedDatabase } from './cached.js';
import { Database, DatabaseEvents, DatabaseStats } from './database.js';
import { SqliteError } from './errors.js';
import { RunResult, Statement, StatementEvents } from './statement.js';

type Module = typeof sqlite3;

/**
 * Asynchronous SQLite in which SQLite and the event loop work at the same time.
 *
 * Each {@link sqlite3.Database} has a thread of its own, on which its requests run strictly in the order of the calls;
 * callbacks are called in that order on the event loop's thread.
 */
declare namespace sqlite3 {
  export {
    Backup,
    BackupEvents,
    Cached,
    CachedDatabase,
    Database,
    DatabaseEvents,
    DatabaseStats,
    RunResult,
    SqliteError,
    Statement,
    StatementEvents,
  };

  /** The type of the module itself, for a variable that holds it. */
  export interface sqlite3 extends Module {}

  /** Databases shared by file name, see {@link Cached}. */
  export const cached: Cached;

  /**
   * Adds the place of the call to the stack of every error that a callback gets. It makes each call slower and holds
   * for the whole process from then on; it may be called unbound.
   * @returns the module.
   */
  export function verbose(): typeof sqlite3;

  /** Absolute path of the native library that was loaded. */
  export const path: string;

  /** Version of the SQLite in use, such as '3.54.1'. SQLite documentation: "Run-Time Library Version Numbers". */
  export const VERSION: string;
  /** The same as one number, such as 3054001. */
  export const VERSION_NUMBER: number;
  /** Check-in of SQLite's source that the SQLite in use was built from: date, time and hash. */
  export const SOURCE_ID: string;

  // Open flags: the `mode` of `new Database`, combined with `|` (SQLite documentation: "Opening A New Database
  // Connection").

  /** Open for reading only; the file must exist. */
  export const OPEN_READONLY: number;
  /** Open for reading and writing where the file permits it. */
  export const OPEN_READWRITE: number;
  /** With OPEN_READWRITE: create the file when it is missing. */
  export const OPEN_CREATE: number;
  /** Read the file name as a URI when it starts with `file:` ("Uniform Resource Identifiers"). */
  export const OPEN_URI: number;
  /** Keep the database in memory; the file name only tells shared caches apart. */
  export const OPEN_MEMORY: number;
  /** Ask for a connection without its own mutex; changes nothing here, since one thread serves each connection. */
  export const OPEN_NOMUTEX: number;
  /** Ask for a connection with its own mutex; part of the default mode. */
  export const OPEN_FULLMUTEX: number;
  /** Share the page cache with other connections to the same database ("SQLite Shared-Cache Mode"). */
  export const OPEN_SHAREDCACHE: number;
  /** Never share the page cache. */
  export const OPEN_PRIVATECACHE: number;
  /** Refuse a file name that holds a symbolic link. */
  export const OPEN_NOFOLLOW: number;
  /** Turn extended result codes on inside SQLite; changes nothing here, errors carry both codes anyway. */
  export const OPEN_EXRESCODE: number;

  // Primary result codes: `errno` of an error (SQLite documentation: "Result and Error Codes").

  /** No error. */
  export const OK: number;
  /** An error without a code of its own, such as wrong SQL. */
  export const ERROR: number;
  /** SQLite found itself in an impossible state. */
  export const INTERNAL: number;
  /** A new file could not get the access it asked for. */
  export const PERM: number;
  /** The statement was ended early, by a rollback for instance. */
  export const ABORT: number;
  /** Another connection holds the lock this one needs. */
  export const BUSY: number;
  /** The conflict is inside this connection or its shared cache. */
  export const LOCKED: number;
  /** Memory ran out. */
  export const NOMEM: number;
  /** A write to something that may only be read. */
  export const READONLY: number;
  /** `interrupt()` ended the statement. */
  export const INTERRUPT: number;
  /** The operating system reported an input or output error. */
  export const IOERR: number;
  /** The database file is damaged. */
  export const CORRUPT: number;
  /** An operation, table or key that SQLite does not know. */
  export const NOTFOUND: number;
  /** The disk, or the largest permitted database, is full. */
  export const FULL: number;
  /** The file could not be opened. */
  export const CANTOPEN: number;
  /** The locking protocol of WAL files failed. */
  export const PROTOCOL: number;
  /** Used inside SQLite; never an error. */
  export const EMPTY: number;
  /** The schema changed under a prepared statement. */
  export const SCHEMA: number;
  /** A string, blob or row is over LIMIT_LENGTH. */
  export const TOOBIG: number;
  /** A constraint refused the change. */
  export const CONSTRAINT: number;
  /** A value has the wrong type, such as text for a rowid. */
  export const MISMATCH: number;
  /** A call that is not permitted in this state, such as one on a closed database. */
  export const MISUSE: number;
  /** The system cannot hold files this large. */
  export const NOLFS: number;
  /** The authorizer refused the statement. */
  export const AUTH: number;
  /** Not used by SQLite. */
  export const FORMAT: number;
  /** A parameter number or name that the statement does not have. */
  export const RANGE: number;
  /** The file is not a database, or is encrypted. */
  export const NOTADB: number;
  /** Marks a message of the error log as information. */
  export const NOTICE: number;
  /** Marks a message of the error log as a warning. */
  export const WARNING: number;
  /** A step produced a row; never an error. */
  export const ROW: number;
  /** A step reached the end; never an error. */
  export const DONE: number;

  // Extended result codes: `extendedErrno` of an error; the low eight bits are the primary code.

  /** The collating sequence does not exist. */
  export const ERROR_MISSING_COLLSEQ: number;
  /** The statement must be prepared again; SQLite handles this itself. */
  export const ERROR_RETRY: number;
  /** The snapshot asked for is no longer there. */
  export const ERROR_SNAPSHOT: number;
  /** Reserved for extensions. */
  export const ERROR_RESERVESIZE: number;
  /** Reserved for extensions. */
  export const ERROR_KEY: number;
  /** This system cannot do what was asked. */
  export const ERROR_UNABLE: number;
  /** Reading the file failed. */
  export const IOERR_READ: number;
  /** The file ended before the bytes that were asked for. */
  export const IOERR_SHORT_READ: number;
  /** Writing the file failed. */
  export const IOERR_WRITE: number;
  /** Flushing the file to disk failed. */
  export const IOERR_FSYNC: number;
  /** Flushing the directory to disk failed. */
  export const IOERR_DIR_FSYNC: number;
  /** Changing the length of the file failed. */
  export const IOERR_TRUNCATE: number;
  /** Reading the state of the file failed. */
  export const IOERR_FSTAT: number;
  /** Releasing a lock failed. */
  export const IOERR_UNLOCK: number;
  /** Taking a read lock failed. */
  export const IOERR_RDLOCK: number;
  /** Deleting a file failed. */
  export const IOERR_DELETE: number;
  /** Not used by SQLite any more. */
  export const IOERR_BLOCKED: number;
  /** Memory ran out inside a file operation. */
  export const IOERR_NOMEM: number;
  /** Asking whether a file may be accessed failed. */
  export const IOERR_ACCESS: number;
  /** Asking for the state of a lock failed. */
  export const IOERR_CHECKRESERVEDLOCK: number;
  /** Taking a lock failed. */
  export const IOERR_LOCK: number;
  /** Closing the file failed. */
  export const IOERR_CLOSE: number;
  /** Not used by SQLite any more. */
  export const IOERR_DIR_CLOSE: number;
  /** Opening the shared memory of a WAL failed. */
  export const IOERR_SHMOPEN: number;
  /** Enlarging the shared memory of a WAL failed. */
  export const IOERR_SHMSIZE: number;
  /** Locking the shared memory of a WAL failed. */
  export const IOERR_SHMLOCK: number;
  /** Mapping the shared memory of a WAL failed. */
  export const IOERR_SHMMAP: number;
  /** Moving to a position in the file failed. */
  export const IOERR_SEEK: number;
  /** The file to delete does not exist. */
  export const IOERR_DELETE_NOENT: number;
  /** Mapping the database file into memory failed. */
  export const IOERR_MMAP: number;
  /** No directory for temporary files was found. */
  export const IOERR_GETTEMPPATH: number;
  /** Converting the path failed (Cygwin). */
  export const IOERR_CONVPATH: number;
  /** Reserved for extensions. */
  export const IOERR_VNODE: number;
  /** Reserved for extensions. */
  export const IOERR_AUTH: number;
  /** The file system could not begin an atomic write. */
  export const IOERR_BEGIN_ATOMIC: number;
  /** The file system could not commit an atomic write. */
  export const IOERR_COMMIT_ATOMIC: number;
  /** The file system could not take back an atomic write. */
  export const IOERR_ROLLBACK_ATOMIC: number;
  /** A page did not match its checksum. */
  export const IOERR_DATA: number;
  /** The file system reported that it is damaged. */
  export const IOERR_CORRUPTFS: number;
  /** The operating system failed to read a page of a mapped file. */
  export const IOERR_IN_PAGE: number;
  /** Reserved for extensions. */
  export const IOERR_BADKEY: number;
  /** Reserved for extensions. */
  export const IOERR_CODEC: number;
  /** Another connection of the same shared cache holds the lock. */
  export const LOCKED_SHAREDCACHE: number;
  /** A virtual table is locked. */
  export const LOCKED_VTAB: number;
  /** Another process is recovering the WAL. */
  export const BUSY_RECOVERY: number;
  /** A read transaction cannot become a write: another connection wrote since it began. */
  export const BUSY_SNAPSHOT: number;
  /** A blocking lock of the system ran out of time. */
  export const BUSY_TIMEOUT: number;
  /** Not used by SQLite any more. */
  export const CANTOPEN_NOTEMPDIR: number;
  /** The path is a directory. */
  export const CANTOPEN_ISDIR: number;
  /** The path could not be made absolute. */
  export const CANTOPEN_FULLPATH: number;
  /** The path could not be converted (Cygwin). */
  export const CANTOPEN_CONVPATH: number;
  /** Not used by SQLite. */
  export const CANTOPEN_DIRTYWAL: number;
  /** The path holds a symbolic link although OPEN_NOFOLLOW was given. */
  export const CANTOPEN_SYMLINK: number;
  /** The content of a virtual table is damaged. */
  export const CORRUPT_VTAB: number;
  /** The sqlite_sequence table is damaged. */
  export const CORRUPT_SEQUENCE: number;
  /** An index does not agree with its table. */
  export const CORRUPT_INDEX: number;
  /** The WAL must be recovered, but may only be read. */
  export const READONLY_RECOVERY: number;
  /** The shared memory of the WAL is read-only and cannot be locked. */
  export const READONLY_CANTLOCK: number;
  /** A hot journal must be rolled back, but may only be read. */
  export const READONLY_ROLLBACK: number;
  /** The database file was moved or deleted after it was opened. */
  export const READONLY_DBMOVED: number;
  /** The shared memory of the WAL is read-only and still has to be set up. */
  export const READONLY_CANTINIT: number;
  /** The directory is not writable, so that no journal can be made. */
  export const READONLY_DIRECTORY: number;
  /** The transaction of the running statement was rolled back. */
  export const ABORT_ROLLBACK: number;
  /** A CHECK constraint failed. */
  export const CONSTRAINT_CHECK: number;
  /** A commit hook refused the commit. */
  export const CONSTRAINT_COMMITHOOK: number;
  /** A FOREIGN KEY constraint failed. */
  export const CONSTRAINT_FOREIGNKEY: number;
  /** An extension function refused the change. */
  export const CONSTRAINT_FUNCTION: number;
  /** A NOT NULL constraint failed. */
  export const CONSTRAINT_NOTNULL: number;
  /** A PRIMARY KEY constraint failed. */
  export const CONSTRAINT_PRIMARYKEY: number;
  /** A trigger raised an error with RAISE. */
  export const CONSTRAINT_TRIGGER: number;
  /** A UNIQUE constraint failed. */
  export const CONSTRAINT_UNIQUE: number;
  /** A virtual table refused the change. */
  export const CONSTRAINT_VTAB: number;
  /** A rowid is already in use. */
  export const CONSTRAINT_ROWID: number;
  /** A trigger of an UPDATE tried to delete the row being updated. */
  export const CONSTRAINT_PINNED: number;
  /** A value does not fit its column in a STRICT table. */
  export const CONSTRAINT_DATATYPE: number;
  /** The error log tells that a WAL was recovered. */
  export const NOTICE_RECOVER_WAL: number;
  /** The error log tells that a hot journal was rolled back. */
  export const NOTICE_RECOVER_ROLLBACK: number;
  /** Used inside the RBU extension. */
  export const NOTICE_RBU: number;
  /** The error log tells that SQLite made an index for one statement. */
  export const WARNING_AUTOINDEX: number;
  /** The user is not authorized. */
  export const AUTH_USER: number;
  /** An extension asked to stay loaded; never an error. */
  export const OK_LOAD_PERMANENTLY: number;
  /** Used inside SQLite; never an error. */
  export const OK_SYMLINK: number;

  // Limit identifiers: `configure('limit', id, value)` (SQLite documentation: "Run-Time Limit Categories").

  /** Largest string, blob or row, in bytes. */
  export const LIMIT_LENGTH: number;
  /** Longest SQL text, in bytes. */
  export const LIMIT_SQL_LENGTH: number;
  /** Most columns of a table, index, result or clause. */
  export const LIMIT_COLUMN: number;
  /** Deepest expression. */
  export const LIMIT_EXPR_DEPTH: number;
  /** Most terms of a compound SELECT. */
  export const LIMIT_COMPOUND_SELECT: number;
  /** Most instructions of one prepared statement. */
  export const LIMIT_VDBE_OP: number;
  /** Most arguments of a function. */
  export const LIMIT_FUNCTION_ARG: number;
  /** Most attached databases. */
  export const LIMIT_ATTACHED: number;
  /** Longest pattern of LIKE and GLOB, in bytes. */
  export const LIMIT_LIKE_PATTERN_LENGTH: number;
  /** Highest parameter number. */
  export const LIMIT_VARIABLE_NUMBER: number;
  /** Deepest recursion of triggers. */
  export const LIMIT_TRIGGER_DEPTH: number;
  /** Most helper threads of one prepared statement. */
  export const LIMIT_WORKER_THREADS: number;
  /** Deepest stack of the SQL parser. */
  export const LIMIT_PARSER_DEPTH: number;
  /** Most tables, indexes, triggers and views of a schema. */
  export const LIMIT_SCHEMA: number;
  /** Most statements of one trigger. */
  export const LIMIT_TRIGGER_STEPS: number;
}

export = sqlite3;
