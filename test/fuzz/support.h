// What both fuzz targets share: a file system of their own, and waiting for answers with a limit.
#ifndef SQLITE_TANDEM_TEST_FUZZ_SUPPORT_H_
#define SQLITE_TANDEM_TEST_FUZZ_SUPPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "../core/driver.h"

// The names are libFuzzer's: each target defines both.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace test {

// Refuses single allocations of SQLite that are so large that an input could only show that memory ends. Once, before
// SQLite is used.
void limit_memory();

// From now on file names of SQLite lead into memory, and no library is loaded: an input may hold any name.
void replace_file_system();

// A driver that does not wait for ever: SQL may run on and on. When not even a cancelled request ends, the program
// stays here, which the fuzzer reports.
class Patient : public Driver {
 public:
  // Takes results until nothing is unanswered.
  void wait_for_all();

  const Answer& ask_patiently(const Message& message);

  // How many requests had to be cancelled.
  int cancelled() const { return cancelled_; }

 private:
  int cancelled_ = 0;
};

}  // namespace test

#endif  // SQLITE_TANDEM_TEST_FUZZ_SUPPORT_H_
