// A prepared statement as JavaScript sees it: by number, alive until it is finalized, also when its preparation failed.
#ifndef SQLITE_TANDEM_CORE_STATEMENT_H_
#define SQLITE_TANDEM_CORE_STATEMENT_H_

#include <cstdint>

#include "answers.h"
#include "bytes.h"
#include "shapes.h"
#include "sqlite.h"
#include "statement_cache.h"

namespace tandem {

// An error kept for later, since its text would not outlive the next call on the connection.
struct KeptFailure {
  int code = SQLITE_OK;
  int offset = -1;
  Bytes message;

  void keep(const Failure& failure) {
    code = failure.code;
    offset = failure.offset;
    message.clear();
    message.append(failure.message, std::strlen(failure.message) + 1);
  }

  Failure failure() const {
    // Without memory for a text of its own it has SQLite's general one.
    const char* text = reinterpret_cast<const char*>(message.data());
    return {code, offset, message.size() != 0 ? text : sqlite3_errstr(code)};
  }
};

// Plain data; the connection that owns it works on it. SQLite thread.
struct Statement {
  // Null also for SQL without a statement in it (empty, or only a comment).
  sqlite3_stmt* handle = nullptr;
  // Why there is no handle: every later request for the statement gets this error.
  KeptFailure failed;
  Shape shape;
  // The cursor of repeated get(): it stands behind the last row, or on a row that was fetched but not delivered yet, or
  // that look ahead failed.
  bool finished = false;
  bool ahead = false;
  KeptFailure ahead_failed;
  // Whether it has delivered a row since it was rewound, and whether it looks ahead: no more once that took too long.
  bool walked = false;
  bool looks_ahead = true;
  // Of a statement that is used once: whether it came from the cache and goes back there.
  CachedText text;
  // The text mentions busy_timeout, the pragma that would replace our busy handler.
  bool sets_busy_timeout = false;

  // Fails, with the handle finalized, unless the text that was prepared has exactly one statement; `tail` is where
  // SQLite stopped reading. statement.cc
  void refuse_other_than_one(const char* sql, const char* tail);
};

// The statements of one connection, by the numbers that JavaScript gives out. SQLite thread.
class Statements {
 public:
  Statements() = default;
  Statements(const Statements&) = delete;
  Statements& operator=(const Statements&) = delete;
  ~Statements();

  // The statement of that number, or null.
  Statement* find(uint32_t id) const { return id < count_ ? table_[id] : nullptr; }

  // A new, empty statement under that number; null when memory is exhausted, or the number beyond all that make sense.
  Statement* add(uint32_t id);

  // Finalizes and forgets.
  void remove(uint32_t id);
  void remove_all();

 private:
  // The table has room up to the highest number, which a damaged request would otherwise make gigabytes.
  static constexpr uint32_t kMostStatements = 1U << 24;

  bool grow(uint32_t count);

  Statement** table_ = nullptr;
  uint32_t count_ = 0;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_STATEMENT_H_
