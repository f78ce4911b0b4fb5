// Counts the operations on the disk and lets those fail that a test has chosen.
#include "faulty_disk.h"

namespace test {

void FaultyDisk::arm(const Fault& fault, long after, bool persistently) {
  for (std::atomic<long>& each : failed_) each.store(0);
  left_.store(after);
  persistently_.store(persistently);
  fault_.store(&fault);
}

void FaultyDisk::disarm() { fault_.store(nullptr); }

long FaultyDisk::failed() const {
  long sum = 0;
  for (const std::atomic<long>& each : failed_) sum += each.load();
  return sum;
}

Verdict FaultyDisk::before(const DiskAccess& access) {
  const Fault* fault = fault_.load();
  if (fault == nullptr || (fault->accesses & bit(access.access)) == 0) return kCarryOut;
  const long count = left_.fetch_sub(1);
  if (count > 1 || (count < 1 && !persistently_.load())) return kCarryOut;
  failed_[static_cast<unsigned>(access.access)].fetch_add(1);
  const int code = fault->code == SQLITE_OK ? failure_of(access.access) : fault->code;
  return {code, fault->half_written ? access.size / 2 : 0};
}

}  // namespace test
