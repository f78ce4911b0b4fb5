// Owners of SQLite's handles, so that no way out of a function leaves one behind.
#ifndef SQLITE_TANDEM_CORE_HANDLE_H_
#define SQLITE_TANDEM_CORE_HANDLE_H_

#include "sqlite.h"

namespace tandem {

// A statement that lives as long as its block. SQLite thread.
class StatementHandle {
 public:
  StatementHandle() = default;
  StatementHandle(const StatementHandle&) = delete;
  StatementHandle& operator=(const StatementHandle&) = delete;
  ~StatementHandle() { sqlite3_finalize(handle_); }

  sqlite3_stmt* get() const { return handle_; }
  sqlite3_stmt** out() { return &handle_; }

 private:
  sqlite3_stmt* handle_ = nullptr;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_HANDLE_H_
