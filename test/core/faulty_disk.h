// A disk on which the operation with a given number fails, alone or with all that follow.
#ifndef SQLITE_TANDEM_TEST_CORE_FAULTY_DISK_H_
#define SQLITE_TANDEM_TEST_CORE_FAULTY_DISK_H_

#include <atomic>
#include <string>

#include "disk.h"

namespace test {

// Which operations are counted and fail, and how.
struct Fault {
  const char* name;
  // One bit for each Access.
  unsigned accesses;
  // What SQLite gets; SQLITE_OK for the code that belongs to the operation.
  int code;
  // A write that fails has written half of its bytes.
  bool half_written;
};

constexpr unsigned bit(Access access) { return 1U << static_cast<unsigned>(access); }

class FaultyDisk : public Disk {
 public:
  // The operation number `after` of the fault's kind (from 1) fails, and all later ones if `persistently`. Any thread.
  void arm(const Fault& fault, long after, bool persistently);
  // All operations succeed from now on. Any thread.
  void disarm();

  // How many operations have failed since arm(). Any thread.
  long failed() const;
  // The same of one kind.
  long failed(Access access) const { return failed_[static_cast<unsigned>(access)].load(); }

  Verdict before(const DiskAccess& access) override;

 private:
  std::atomic<const Fault*> fault_{nullptr};
  std::atomic<long> left_{0};
  std::atomic<long> failed_[kAccesses] = {};
  std::atomic<bool> persistently_{false};
};

}  // namespace test

#endif  // SQLITE_TANDEM_TEST_CORE_FAULTY_DISK_H_
