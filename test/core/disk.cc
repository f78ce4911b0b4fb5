// Passes what SQLite does with files on to the system's VFS, if the test lets it.
#include "disk.h"

#include <new>

#include "harness.h"

namespace test {

namespace {

// All functions below run on the thread of the connection.

// The file of the system lies behind this in the same memory, which SQLite provides.
struct File {
  sqlite3_file base;
  Disk* disk;
  const char* path;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

File* file_of(sqlite3_file* base) { return reinterpret_cast<File*>(base); }

Disk& disk_of(sqlite3_vfs* vfs) { return *static_cast<Disk*>(vfs->pAppData); }

sqlite3_vfs* system_vfs() { return sqlite3_vfs_find("unix"); }

// Asks, carries out and tells.
template <typename Operation>
int pass_on(Disk& disk, const DiskAccess& access, Operation operation) {
  const Verdict verdict = disk.before(access);
  if (verdict.code != SQLITE_OK) return verdict.code;
  const int code = operation();
  if (code == SQLITE_OK) disk.after(access);
  return code;
}

DiskAccess on_file(sqlite3_file* base, Access access) { return {access, file_of(base)->path, 0, nullptr, 0, 0}; }

int close_file(sqlite3_file* base) {
  sqlite3_file* real = file_of(base)->real();
  return real->pMethods->xClose(real);
}

int read(sqlite3_file* base, void* bytes, int size, sqlite3_int64 offset) {
  sqlite3_file* real = file_of(base)->real();
  const DiskAccess access = {Access::kRead, file_of(base)->path, offset, nullptr, size, 0};
  return pass_on(*file_of(base)->disk, access, [&] { return real->pMethods->xRead(real, bytes, size, offset); });
}

int write(sqlite3_file* base, const void* bytes, int size, sqlite3_int64 offset) {
  File* file = file_of(base);
  sqlite3_file* real = file->real();
  const DiskAccess access = {Access::kWrite, file->path, offset, bytes, size, 0};
  const Verdict verdict = file->disk->before(access);
  const int part = verdict.code == SQLITE_OK ? size : verdict.written;
  const int code = part == 0 ? SQLITE_OK : real->pMethods->xWrite(real, bytes, part, offset);
  if (verdict.code != SQLITE_OK) return verdict.code;
  if (code == SQLITE_OK) file->disk->after(access);
  return code;
}

int truncate(sqlite3_file* base, sqlite3_int64 size) {
  sqlite3_file* real = file_of(base)->real();
  const DiskAccess access = {Access::kTruncate, file_of(base)->path, size, nullptr, 0, 0};
  return pass_on(*file_of(base)->disk, access, [&] { return real->pMethods->xTruncate(real, size); });
}

int sync(sqlite3_file* base, int) {
  return pass_on(*file_of(base)->disk, on_file(base, Access::kSync), [] { return SQLITE_OK; });
}

int file_size(sqlite3_file* base, sqlite3_int64* size) {
  sqlite3_file* real = file_of(base)->real();
  return pass_on(*file_of(base)->disk, on_file(base, Access::kSize),
                 [&] { return real->pMethods->xFileSize(real, size); });
}

int lock(sqlite3_file* base, int level) {
  sqlite3_file* real = file_of(base)->real();
  return pass_on(*file_of(base)->disk, on_file(base, Access::kLock),
                 [&] { return real->pMethods->xLock(real, level); });
}

int unlock(sqlite3_file* base, int level) {
  sqlite3_file* real = file_of(base)->real();
  return real->pMethods->xUnlock(real, level);
}

int check_reserved_lock(sqlite3_file* base, int* reserved) {
  sqlite3_file* real = file_of(base)->real();
  return pass_on(*file_of(base)->disk, on_file(base, Access::kLock),
                 [&] { return real->pMethods->xCheckReservedLock(real, reserved); });
}

int file_control(sqlite3_file* base, int operation, void* argument) {
  sqlite3_file* real = file_of(base)->real();
  return real->pMethods->xFileControl(real, operation, argument);
}

int sector_size(sqlite3_file* base) {
  sqlite3_file* real = file_of(base)->real();
  return real->pMethods->xSectorSize(real);
}

int device_characteristics(sqlite3_file* base) {
  sqlite3_file* real = file_of(base)->real();
  return real->pMethods->xDeviceCharacteristics(real);
}

int map_shared_memory(sqlite3_file* base, int page, int size, int extend, void volatile** memory) {
  sqlite3_file* real = file_of(base)->real();
  *memory = nullptr;
  return pass_on(*file_of(base)->disk, on_file(base, Access::kSharedMemory),
                 [&] { return real->pMethods->xShmMap(real, page, size, extend, memory); });
}

int lock_shared_memory(sqlite3_file* base, int offset, int count, int flags) {
  sqlite3_file* real = file_of(base)->real();
  const auto carry_out = [&] { return real->pMethods->xShmLock(real, offset, count, flags); };
  if ((flags & SQLITE_SHM_UNLOCK) != 0) return carry_out();
  return pass_on(*file_of(base)->disk, on_file(base, Access::kSharedMemory), carry_out);
}

void shared_memory_barrier(sqlite3_file* base) {
  sqlite3_file* real = file_of(base)->real();
  real->pMethods->xShmBarrier(real);
}

int unmap_shared_memory(sqlite3_file* base, int remove) {
  sqlite3_file* real = file_of(base)->real();
  return real->pMethods->xShmUnmap(real, remove);
}

// Version 2: without the functions that map a file into memory, so that every read is seen.
constexpr sqlite3_io_methods kMethods = {
    2,
    close_file,
    read,
    write,
    truncate,
    sync,
    file_size,
    lock,
    unlock,
    check_reserved_lock,
    file_control,
    sector_size,
    device_characteristics,
    map_shared_memory,
    lock_shared_memory,
    shared_memory_barrier,
    unmap_shared_memory,
    nullptr,
    nullptr,
};

int open_file(sqlite3_vfs* vfs, const char* path, sqlite3_file* base, int flags, int* flags_out) {
  File* file = new (base) File{{nullptr}, &disk_of(vfs), path};
  file->real()->pMethods = nullptr;
  const DiskAccess access = {Access::kOpen, path, 0, nullptr, 0, flags};
  const int code = pass_on(disk_of(vfs), access,
                           [&] { return system_vfs()->xOpen(system_vfs(), path, file->real(), flags, flags_out); });
  // SQLite closes a file that has methods, even when it could not be opened.
  if (file->real()->pMethods != nullptr) file->base.pMethods = &kMethods;
  return code;
}

int delete_file(sqlite3_vfs* vfs, const char* path, int synced) {
  const DiskAccess access = {Access::kDelete, path, 0, nullptr, 0, synced};
  // The folder is never synced for real, either.
  return pass_on(disk_of(vfs), access, [&] { return system_vfs()->xDelete(system_vfs(), path, 0); });
}

int exists(sqlite3_vfs* vfs, const char* path, int flags, int* result) {
  const DiskAccess access = {Access::kExists, path, 0, nullptr, 0, 0};
  return pass_on(disk_of(vfs), access, [&] { return system_vfs()->xAccess(system_vfs(), path, flags, result); });
}

int full_path(sqlite3_vfs*, const char* path, int size, char* result) {
  return system_vfs()->xFullPathname(system_vfs(), path, size, result);
}

}  // namespace

Disk::Disk() : vfs_(*system_vfs()) {
  vfs_.szOsFile = static_cast<int>(sizeof(File)) + system_vfs()->szOsFile;
  vfs_.zName = "test disk";
  vfs_.pNext = nullptr;
  vfs_.pAppData = this;
  vfs_.xOpen = open_file;
  vfs_.xDelete = delete_file;
  vfs_.xAccess = exists;
  vfs_.xFullPathname = full_path;
  CHECK_EQUAL(sqlite3_vfs_register(&vfs_, 1), SQLITE_OK);
}

Disk::~Disk() {
  sqlite3_vfs_unregister(&vfs_);
  // Unregistering leaves the choice of a default to chance.
  sqlite3_vfs_register(system_vfs(), 1);
}

int Disk::failure_of(Access access) {
  switch (access) {
    case Access::kOpen:
      return SQLITE_CANTOPEN;
    case Access::kDelete:
      return SQLITE_IOERR_DELETE;
    case Access::kExists:
      return SQLITE_IOERR_ACCESS;
    case Access::kRead:
      return SQLITE_IOERR_READ;
    case Access::kWrite:
      return SQLITE_IOERR_WRITE;
    case Access::kTruncate:
      return SQLITE_IOERR_TRUNCATE;
    case Access::kSync:
      return SQLITE_IOERR_FSYNC;
    case Access::kSize:
      return SQLITE_IOERR_FSTAT;
    case Access::kLock:
      return SQLITE_IOERR_LOCK;
    case Access::kSharedMemory:
      return SQLITE_IOERR_SHMMAP;
  }
  return SQLITE_IOERR;
}

void Disk::after(const DiskAccess&) {}

}  // namespace test
