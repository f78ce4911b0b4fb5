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
  uint8_t integers = 0;  // or 1 more than the IntegerMode of this request's rows

  // The mode of this request, when that of the connection is `configured`.
  IntegerMode integer_mode(IntegerMode configured) const {
    return integers == 0 ? configured : static_cast<IntegerMode>(integers - 1);
  }
  bool quiet() const { return (flags & kRequestQuiet) != 0; }
  bool one_shot() const { return (flags & (kRequestOneShot | kRequestWithText)) != 0; }
  bool with_text() const { return (flags & kRequestWithText) != 0; }
  bool strict() const { return (flags & kRequestStrict) != 0; }
  bool in_transaction() const { return (flags & kRequestInTransaction) != 0; }
};

// The record at `bytes`, of which `size` bytes are left in the batch; *length becomes its own size. False for a damaged
// record: nothing of the batch behind it can be trusted then. Any thread.
inline bool parse_request(const uint8_t* bytes, size_t size, Request* request, size_t* length) {
  if (size < kRequestBodyAt) return false;
  *length = read_at<uint32_t>(bytes, kRecordLengthAt);
  if (*length < kRequestBodyAt || *length > size || *length % kRecordAlignment != 0) return false;
  *request = {static_cast<Operation>(bytes[kRecordKindAt]),
              bytes[kRecordFlagsAt],
              read_at<uint32_t>(bytes, kRecordSequenceAt),
              read_at<uint32_t>(bytes, kRequestStatementAt),
              Reader(bytes + kRequestBodyAt, *length - kRequestBodyAt),
              bytes[kRequestIntegersAt]};
  return true;
}

// A text of a request, which ends with a NUL; its bytes are borrowed from the request.
struct RequestText {
  const char* bytes;  // null for a damaged request: one without the NUL, or that ends before it
  uint32_t length;    // with the NUL at the end
  bool has_nul;       // another one within it: SQLite would cut the text there
};

// The next text in the body of the request. SQLite thread.
inline RequestText read_text(Request& request) {
  const uint32_t length = request.body.read<uint32_t>();
  const uint8_t* text = length == 0 ? nullptr : request.body.bytes(length);
  if (text == nullptr || text[length - 1] != 0) return {nullptr, 0, false};
  return {reinterpret_cast<const char*>(text), length, std::memchr(text, 0, length - 1) != nullptr};
}

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_REQUEST_H_
