// What SECURITY.md promises for configure('untrusted', true).
#include "untrusted.h"

namespace tandem {

namespace {

struct Limit {
  int id;
  int most;
};

// Above what programs need of a file they got from somebody, far below what makes a process run out of memory or stack.
// Parameters and attached databases come from the program alone, so their limits stay.
constexpr Limit kLimits[] = {
    {SQLITE_LIMIT_LENGTH, 64 << 20},  {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},       {SQLITE_LIMIT_COLUMN, 500},
    {SQLITE_LIMIT_EXPR_DEPTH, 100},   {SQLITE_LIMIT_COMPOUND_SELECT, 50},       {SQLITE_LIMIT_VDBE_OP, 250000},
    {SQLITE_LIMIT_FUNCTION_ARG, 100}, {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000}, {SQLITE_LIMIT_TRIGGER_DEPTH, 20},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

}  // namespace

int distrust(sqlite3* database) {
  int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (code != SQLITE_OK) return code;
  for (const Limit& limit : kLimits) {
    // A program that asked for less keeps it.
    if (sqlite3_limit(database, limit.id, -1) > limit.most) sqlite3_limit(database, limit.id, limit.most);
  }
  // A mapped file that another process shortens ends this one with a signal.
  return sqlite3_exec(database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", nullptr, nullptr, nullptr);
}

}  // namespace tandem
