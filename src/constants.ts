// Names and values of SQLite's open flags, result codes and limits, and the way back from a code to its name.
//
// The numbers are part of SQLite's file and programming interface and never change, so they are written down here;
// test/api/constants.test.ts compares them with the sqlite3.h that is built in. VERSION, VERSION_NUMBER and SOURCE_ID
// are missing on purpose: a SQLite linked from elsewhere answers those for itself.

/** Every numeric constant of the module, by its name without the prefix SQLITE_. */
export const constants = Object.freeze({
  // The flags sqlite3_open_v2() takes from an application; flags meant for a VFS only are left out.
  OPEN_READONLY: 0x00000001,
  OPEN_READWRITE: 0x00000002,
  OPEN_CREATE: 0x00000004,
  OPEN_URI: 0x00000040,
  OPEN_MEMORY: 0x00000080,
  OPEN_NOMUTEX: 0x00008000,
  OPEN_FULLMUTEX: 0x00010000,
  OPEN_SHAREDCACHE: 0x00020000,
  OPEN_PRIVATECACHE: 0x00040000,
  OPEN_NOFOLLOW: 0x01000000,
  OPEN_EXRESCODE: 0x02000000,

  // Primary result codes.
  OK: 0,
  ERROR: 1,
  INTERNAL: 2,
  PERM: 3,
  ABORT: 4,
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  INTERRUPT: 9,
  IOERR: 10,
  CORRUPT: 11,
  NOTFOUND: 12,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  EMPTY: 16,
  SCHEMA: 17,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  MISUSE: 21,
  NOLFS: 22,
  AUTH: 23,
  FORMAT: 24,
  RANGE: 25,
  NOTADB: 26,
  NOTICE: 27,
  WARNING: 28,
  ROW: 100,
  DONE: 101,

  // Extended result codes: each is its primary code plus a detail shifted left by eight bits.
  ERROR_MISSING_COLLSEQ: 257,
  ERROR_RETRY: 513,
  ERROR_SNAPSHOT: 769,
  ERROR_RESERVESIZE: 1025,
  ERROR_KEY: 1281,
  ERROR_UNABLE: 1537,
  IOERR_READ: 266,
  IOERR_SHORT_READ: 522,
  IOERR_WRITE: 778,
  IOERR_FSYNC: 1034,
  IOERR_DIR_FSYNC: 1290,
  IOERR_TRUNCATE: 1546,
  IOERR_FSTAT: 1802,
  IOERR_UNLOCK: 2058,
  IOERR_RDLOCK: 2314,
  IOERR_DELETE: 2570,
  IOERR_BLOCKED: 2826,
  IOERR_NOMEM: 3082,
  IOERR_ACCESS: 3338,
  IOERR_CHECKRESERVEDLOCK: 3594,
  IOERR_LOCK: 3850,
  IOERR_CLOSE: 4106,
  IOERR_DIR_CLOSE: 4362,
  IOERR_SHMOPEN: 4618,
  IOERR_SHMSIZE: 4874,
  IOERR_SHMLOCK: 5130,
  IOERR_SHMMAP: 5386,
  IOERR_SEEK: 5642,
  IOERR_DELETE_NOENT: 5898,
  IOERR_MMAP: 6154,
  IOERR_GETTEMPPATH: 6410,
  IOERR_CONVPATH: 6666,
  IOERR_VNODE: 6922,
  IOERR_AUTH: 7178,
  IOERR_BEGIN_ATOMIC: 7434,
  IOERR_COMMIT_ATOMIC: 7690,
  IOERR_ROLLBACK_ATOMIC: 7946,
  IOERR_DATA: 8202,
  IOERR_CORRUPTFS: 8458,
  IOERR_IN_PAGE: 8714,
  IOERR_BADKEY: 8970,
  IOERR_CODEC: 9226,
  LOCKED_SHAREDCACHE: 262,
  LOCKED_VTAB: 518,
  BUSY_RECOVERY: 261,
  BUSY_SNAPSHOT: 517,
  BUSY_TIMEOUT: 773,
  CANTOPEN_NOTEMPDIR: 270,
  CANTOPEN_ISDIR: 526,
  CANTOPEN_FULLPATH: 782,
  CANTOPEN_CONVPATH: 1038,
  CANTOPEN_DIRTYWAL: 1294,
  CANTOPEN_SYMLINK: 1550,
  CORRUPT_VTAB: 267,
  CORRUPT_SEQUENCE: 523,
  CORRUPT_INDEX: 779,
  READONLY_RECOVERY: 264,
  READONLY_CANTLOCK: 520,
  READONLY_ROLLBACK: 776,
  READONLY_DBMOVED: 1032,
  READONLY_CANTINIT: 1288,
  READONLY_DIRECTORY: 1544,
  ABORT_ROLLBACK: 516,
  CONSTRAINT_CHECK: 275,
  CONSTRAINT_COMMITHOOK: 531,
  CONSTRAINT_FOREIGNKEY: 787,
  CONSTRAINT_FUNCTION: 1043,
  CONSTRAINT_NOTNULL: 1299,
  CONSTRAINT_PRIMARYKEY: 1555,
  CONSTRAINT_TRIGGER: 1811,
  CONSTRAINT_UNIQUE: 2067,
  CONSTRAINT_VTAB: 2323,
  CONSTRAINT_ROWID: 2579,
  CONSTRAINT_PINNED: 2835,
  CONSTRAINT_DATATYPE: 3091,
  NOTICE_RECOVER_WAL: 283,
  NOTICE_RECOVER_ROLLBACK: 539,
  NOTICE_RBU: 795,
  WARNING_AUTOINDEX: 284,
  AUTH_USER: 279,
  OK_LOAD_PERMANENTLY: 256,
  OK_SYMLINK: 512,

  // Limits.
  LIMIT_LENGTH: 0,
  LIMIT_SQL_LENGTH: 1,
  LIMIT_COLUMN: 2,
  LIMIT_EXPR_DEPTH: 3,
  LIMIT_COMPOUND_SELECT: 4,
  LIMIT_VDBE_OP: 5,
  LIMIT_FUNCTION_ARG: 6,
  LIMIT_ATTACHED: 7,
  LIMIT_LIKE_PATTERN_LENGTH: 8,
  LIMIT_VARIABLE_NUMBER: 9,
  LIMIT_TRIGGER_DEPTH: 10,
  LIMIT_WORKER_THREADS: 11,
  LIMIT_PARSER_DEPTH: 12,
  LIMIT_SCHEMA: 13,
  LIMIT_TRIGGER_STEPS: 14,
} as const);

/** Open flags and limits share numbers with result codes, so only the codes are entered. Made when the first is asked for. */
const namesOfCodes = (): ReadonlyMap<number, string> =>
  new Map(
    Object.entries(constants)
      .filter(([name]) => !name.startsWith('LIMIT_') && !name.startsWith('OPEN_'))
      .map(([name, code]) => [code, `SQLITE_${name}`]),
  );

let nameOfCode: ReadonlyMap<number, string> | undefined;

/**
 * The name of a primary or extended result code, such as 'SQLITE_CONSTRAINT_UNIQUE' for 2067.
 * 'UNKNOWN' for a code that SQLite got after this file was written.
 */
export function codeName(code: number): string {
  nameOfCode ??= namesOfCodes();
  return nameOfCode.get(code) ?? 'UNKNOWN';
}
