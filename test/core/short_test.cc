// System calls that are interrupted, or read and write only a part: nobody above SQLite learns of it.
#include <atomic>
#include <cerrno>
#include <cstdio>

#include "driver.h"
#include "harness.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

std::atomic<long> interrupted{0};
std::atomic<long> shortened{0};

// One call in three is interrupted by a signal, one does half of its work. SQLite thread.
template <typename Call>
ssize_t sometimes(size_t size, Call call) {
  static std::atomic<unsigned> calls{0};
  const unsigned number = calls.fetch_add(1) % 3;
  if (number == 0) {
    interrupted.fetch_add(1);
    errno = EINTR;
    return -1;
  }
  if (number == 1 && size > 1) {
    shortened.fetch_add(1);
    return call(size / 2);
  }
  return call(size);
}

ssize_t read_part(int file, void* bytes, size_t size) {
  return sometimes(size, [&](size_t part) { return read(file, bytes, part); });
}

ssize_t write_part(int file, const void* bytes, size_t size) {
  return sometimes(size, [&](size_t part) { return write(file, bytes, part); });
}

ssize_t pread_part(int file, void* bytes, size_t size, off_t offset) {
  return sometimes(size, [&](size_t part) { return pread(file, bytes, part, offset); });
}

ssize_t pwrite_part(int file, const void* bytes, size_t size, off_t offset) {
  return sometimes(size, [&](size_t part) { return pwrite(file, bytes, part, offset); });
}

// While this lives, SQLite's calls of the system are as above. It has to begin before its connections and end last.
class UnreliableSystem {
 public:
  UnreliableSystem() {
    set("read", read_part);
    set("write", write_part);
    // Which of the two pairs SQLite uses is decided when it is compiled.
    set("pread", pread_part);
    set("pwrite", pwrite_part);
  }
  UnreliableSystem(const UnreliableSystem&) = delete;
  UnreliableSystem& operator=(const UnreliableSystem&) = delete;
  ~UnreliableSystem() { vfs_->xSetSystemCall(vfs_, nullptr, nullptr); }

 private:
  template <typename Function>
  void set(const char* name, Function* function) {
    if (vfs_->xGetSystemCall(vfs_, name) == nullptr) return;
    CHECK_EQUAL(vfs_->xSetSystemCall(vfs_, name, reinterpret_cast<sqlite3_syscall_ptr>(function)), SQLITE_OK);
  }

  sqlite3_vfs* vfs_ = sqlite3_vfs_find("unix");
};

void work(const std::string& mode) {
  const UnreliableSystem system;
  const TemporaryFile file;
  {
    Driver driver;
    driver.send(open(file.name()));
    CHECK_EQUAL(driver.text(exec("pragma cache_size = 4; pragma synchronous = off; pragma journal_mode = " + mode)),
                "");
    CHECK_EQUAL(driver.text(exec("create table t(i, v); create index t_v on t(v)")), "");
    driver.send(prepare(1, "insert into t values(?, ?)"));
    for (int64_t i = 0; i < 200; ++i) {
      if (i % 50 == 0) CHECK_EQUAL(driver.text(exec("begin")), "");
      CHECK_EQUAL(driver.text(run(1).bind(1, i).bind(2, std::string(600, 'a'))), "");
      if (i % 50 == 49) CHECK_EQUAL(driver.text(exec(i == 99 ? "rollback" : "commit")), "");
    }
    driver.send(finalize(1));
    CHECK_EQUAL(driver.text(exec("vacuum")), "");
    CHECK_EQUAL(driver.text(close()), "");
  }
  Driver driver;
  driver.send(open(file.name()));
  driver.send(prepare(1, "pragma integrity_check"));
  CHECK_EQUAL(driver.text(all(1)), "'ok'");
  driver.send(prepare(2, "select count(*), sum(i), sum(length(v)) from t"));
  // 0 to 49 and 100 to 199.
  CHECK_EQUAL(driver.text(all(2)), "150|16175|90000");
}

}  // namespace

TEST("system calls that are interrupted or do a part are no failures") {
  interrupted.store(0);
  shortened.store(0);
  for (const char* mode : {"delete", "wal"}) work(mode);
  std::printf("# %ld system calls were interrupted, %ld did half of their work\n", interrupted.load(),
              shortened.load());
  CHECK(interrupted.load() > 200);
  CHECK(shortened.load() > 200);
}
