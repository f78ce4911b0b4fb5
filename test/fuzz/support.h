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

// Takes results until nothing is unanswered. A request that runs on and on, as SQL may, is cancelled; when not even
// that ends it the program stays here, which the fuzzer reports.
void answer_all(Driver& driver);

// Asks and waits in the same way.
const Answer& ask(Driver& driver, const Message& message);

}  // namespace test

#endif  // SQLITE_TANDEM_TEST_FUZZ_SUPPORT_H_
