// A request record, taken apart.
#ifndef SQLITE_TANDEM_CORE_REQUEST_H_
#define SQLITE_TANDEM_CORE_REQUEST_H_

#include <cstdint>

#include "bytes.h"

namespace tandem {

struct Request {
  Operation operation;
  uint8_t flags;
  uint32_t sequence;
  uint32_t statement;  // number of the statement or backup, 0 for requests to the connection
  Reader body;

  bool quiet() const { return (flags & kRequestQuiet) != 0; }
  bool one_shot() const { return (flags & kRequestOneShot) != 0; }
};

// The record at `bytes`, of which `size` bytes are left in the batch; *length becomes its own size. False for a damaged
// record: nothing of the batch behind it can be trusted then. Any thread.
inline bool parse_request(const uint8_t* bytes, size_t size, Request* request, size_t* length) {
  if (size < kRequestBodyAt) return false;
  *length = read_at<uint32_t>(bytes, kRecordLengthAt);
  if (*length < kRequestBodyAt || *length > size || *length % kRecordAlignment != 0) return false;
  *request = {static_cast<Operation>(bytes[kRecordKindAt]), bytes[kRecordFlagsAt],
              read_at<uint32_t>(bytes, kRecordSequenceAt), read_at<uint32_t>(bytes, kRequestStatementAt),
              Reader(bytes + kRequestBodyAt, *length - kRequestBodyAt)};
  return true;
}

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_REQUEST_H_
