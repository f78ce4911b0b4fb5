// A VFS in front of the system's: a test sees each operation of SQLite on a file, and may have it fail.
#ifndef SQLITE_TANDEM_TEST_CORE_DISK_H_
#define SQLITE_TANDEM_TEST_CORE_DISK_H_

#include <cstdint>

#include "core/sqlite.h"

namespace test {

enum class Access { kOpen, kDelete, kExists, kRead, kWrite, kTruncate, kSync, kSize, kLock, kSharedMemory };
constexpr unsigned kAccesses = 10;

// What SQLite wants to do. Copy nothing out of it but the numbers: the pointers are SQLite's.
struct DiskAccess {
  Access access;
  // Of the file; null for a temporary file, which has no name.
  const char* path;
  // Of a read or write, in bytes; the new size of a truncation.
  int64_t offset;
  // What a write writes; null otherwise.
  const void* bytes;
  // How many bytes are read or written.
  int size;
  // Of an open: SQLITE_OPEN_*. Of a deletion: 1 if it has to be on the disk when it returns.
  int flags;
};

// What becomes of an operation.
struct Verdict {
  // SQLITE_OK to carry it out; else what SQLite gets in its place.
  int code;
  // Of a write that fails: how many bytes are written all the same.
  int written;
};

constexpr Verdict kCarryOut = {SQLITE_OK, 0};

// All connections that are opened while this lives go through it. It has to outlive them. Nothing is ever synced for
// real: no power cut of this machine is part of a test, and it would take most of the time.
class Disk {
 public:
  Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  virtual ~Disk();

  // SQLite's code that belongs to a failure of such an operation.
  static int failure_of(Access access);

  // Asked before each operation, except that locks are never kept from being released. Thread of the connection.
  virtual Verdict before(const DiskAccess& access) = 0;
  // Told of each operation that was carried out and succeeded. Thread of the connection.
  virtual void after(const DiskAccess& access);

 private:
  sqlite3_vfs vfs_;
};

}  // namespace test

#endif  // SQLITE_TANDEM_TEST_CORE_DISK_H_
