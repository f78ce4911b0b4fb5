// Files and second connections for tests of locks and of what is on the disk.
#ifndef SQLITE_TANDEM_TEST_CORE_TEMPORARY_H_
#define SQLITE_TANDEM_TEST_CORE_TEMPORARY_H_

#include <cstdlib>
#include <string>

#include "core/sqlite.h"
#include "harness.h"

#include <unistd.h>

namespace test {

// A name for a database file that goes away with this, and with it its folder.
class TemporaryFile {
 public:
  TemporaryFile() {
    const char* parent = std::getenv("TMPDIR");
    folder_ = std::string(parent != nullptr ? parent : "/tmp") + "/sqlite-tandem-core-XXXXXX";
    CHECK(mkdtemp(folder_.data()) != nullptr);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    for (const char* ending : {"", "-journal", "-wal", "-shm"}) unlink((name() + ending).c_str());
    rmdir(folder_.c_str());
  }

  std::string name() const { return folder_ + "/test.db"; }

 private:
  std::string folder_;
};

// A connection of the test itself, on the test's thread.
class Other {
 public:
  explicit Other(const TemporaryFile& file) { CHECK(sqlite3_open(file.name().c_str(), &database_) == SQLITE_OK); }
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;
  ~Other() { sqlite3_close(database_); }

  int code(const std::string& sql) { return sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr); }

  void exec(const std::string& sql) {
    if (code(sql) == SQLITE_OK) return;
    fail(__FILE__, __LINE__, sql + ": " + sqlite3_errmsg(database_));
  }

 private:
  sqlite3* database_ = nullptr;
};

}  // namespace test

#endif  // SQLITE_TANDEM_TEST_CORE_TEMPORARY_H_
