# Every compile option of the bundled SQLite, each with its reason; the one file to read or change for them.
#
# Rule: whatever a user of node-sqlite3 can see stays as it was there. So these keep their defaults on purpose:
# double-quoted strings (DQS), LIKE on blobs, foreign_keys off, synchronous=FULL, shared cache, the deprecated
# functions, the progress handler, URI names only where OPEN_URI asks, the limits (SQLITE_MAX_*) and the cache sizes.
{
  'variables': {
    'sqlite_defines': [
      # --- What node-sqlite3 6.0.1 has -------------------------------------------------------------------------------
      'SQLITE_ENABLE_FTS3',              # full-text search, first generation: existing files use it
      'SQLITE_ENABLE_FTS4',              # its successor; same reason
      'SQLITE_ENABLE_FTS5',              # full-text search of today
      'SQLITE_ENABLE_RTREE',             # range queries on boxes
      'SQLITE_ENABLE_DBSTAT_VTAB=1',     # dbstat: how the pages of a file are used
      'SQLITE_ENABLE_MATH_FUNCTIONS',    # sin(), log(), pow() and the rest in SQL
      'HAVE_USLEEP=1',                   # waits shorter than a second where nanosleep is missing
      'NDEBUG',                          # SQLite's assertions cost a multiple of its run time
      '_REENTRANT=1',                    # the thread-safe forms of libc on the systems that still ask for it

      # --- Threads ---------------------------------------------------------------------------------------------------
      # Multi-thread mode: only the thread of a connection touches it, so the mutex of each connection (which
      # node-sqlite3 pays for with THREADSAFE=1) would guard nothing. What connections share stays guarded.
      'SQLITE_THREADSAFE=2',

      # --- What users asked for and node-sqlite3 lacks ---------------------------------------------------------------
      'SQLITE_ENABLE_COLUMN_METADATA',   # which table and column a result column comes from
      'SQLITE_ENABLE_PREUPDATE_HOOK',    # old and new values of a change; sessions are built on it
      'SQLITE_ENABLE_SESSION',           # changesets: record, invert and apply changes
      'SQLITE_ENABLE_STAT4',             # ANALYZE samples the indexes, plans get better
      'SQLITE_ENABLE_GEOPOLY',           # polygons on top of RTREE
      'SQLITE_SOUNDEX',                  # soundex()
      'SQLITE_ENABLE_PERCENTILE',        # median(), percentile()
      'SQLITE_ENABLE_STMTVTAB',          # sqlite_stmt: the open statements and what they cost
      'SQLITE_ENABLE_DBPAGE_VTAB',       # sqlite_dbpage: raw pages, needed by sqlite3_recover-like tools
      'SQLITE_ENABLE_BYTECODE_VTAB',     # bytecode(), tables_used(): what a statement does, as rows
      'SQLITE_ENABLE_CARRAY',            # carray(): one bound array in place of many parameters
      # UPDATE and DELETE with ORDER BY and LIMIT. Works only when the parser of the amalgamation was generated for
      # it: the pinned one says so itself, by defining SQLITE_UDL_CAPABLE_PARSER, and scripts/prepare-sqlite.mjs
      # refuses an amalgamation without that line.
      'SQLITE_ENABLE_UPDATE_DELETE_LIMIT',

      # --- Speed that changes no result ------------------------------------------------------------------------------
      # No global counter and mutex around each malloc. Price: PRAGMA soft_heap_limit and hard_heap_limit limit
      # nothing, and the memory counters of sqlite3_status(), which node-sqlite3 did not offer, stay 0.
      'SQLITE_DEFAULT_MEMSTATUS=0',
      # Scratch space of the planner and of page balancing from the stack instead of malloc: at most seven pages
      # (458,752 bytes with pages of 64 KiB) in a frame that does not recurse, and our threads have megabytes.
      'SQLITE_USE_ALLOCA',
      # The first 20 pages of a cache are not allocated in one piece at the first read, which touches all of them: a
      # connection that reads little holds some 60 KB less. The size that a cache may reach stays as it is.
      'SQLITE_DEFAULT_PCACHE_INITSZ=0',
    ],
    'conditions': [
      ['OS != "win"', {
        'sqlite_defines': [
          # Date functions without a mutex, and without the one static struct tm that every other user of
          # localtime() in the process would overwrite. Node calls tzset() when TZ changes, so nothing goes stale.
          'HAVE_LOCALTIME_R=1',
          'HAVE_GMTIME_R=1',
        ],
      }],
      ['OS == "linux"', {
        'sqlite_defines': [
          # fdatasync() writes all data and the size of the file, and leaves out only the time stamps: one journal
          # write of the file system less for each commit, with the same durability. SQLite's own configure sets it.
          'HAVE_FDATASYNC=1',
          # printf inside SQLite finds the next % with one call (glibc and musl both have it).
          'HAVE_STRCHRNUL=1',
        ],
      }],
    ],
  },
}
