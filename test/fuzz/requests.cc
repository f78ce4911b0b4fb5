// Fuzz target: request records. Each that is whole gets a number and must be answered once and in its turn, whatever
// its body holds; what is left over is given to the worker as it is, and must do no harm.
#include "core/bytes.h"
#include "support.h"

namespace {

using namespace tandem;
using namespace test;

constexpr int kMostRecords = 64;

// The records as far as they are whole; *rest is where they end.
std::vector<std::string> records_of(const uint8_t* data, size_t size, size_t* rest) {
  std::vector<std::string> records;
  *rest = 0;
  while (records.size() < kMostRecords) {
    Request request{kOperationWait, 0, 0, 0, Reader(nullptr, 0)};
    size_t length = 0;
    if (!parse_request(data + *rest, size - *rest, &request, &length)) break;
    records.emplace_back(reinterpret_cast<const char*>(data) + *rest, length);
    *rest += length;
  }
  return records;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  limit_memory();
  replace_file_system();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  size_t rest = 0;
  const std::vector<std::string> records = records_of(data, size, &rest);
  Patient driver;
  if (!driver.started()) return 0;
  // Answers may be held back until JavaScript proceeds: here it always has.
  for (size_t i = 0; i <= records.size(); ++i) driver.worker().control().proceed();
  for (const std::string& record : records) driver.send_record(record);
  driver.submit();
  if (rest < size) driver.worker().requests().push(data + rest, size - rest);
  // It says that the quiet ones before it have been executed.
  driver.send(wait());
  driver.wait_for_all();
  return 0;
}
