// Records of success and of failure.
#include "answers.h"

#include <cstring>

#include "sqlite.h"

namespace tandem {

void Answers::publish_done(int64_t changes, int64_t last_id, uint8_t flags) {
  uint8_t record[kDoneLength] = {};
  write_head(record, kDoneLength, kResultDone, flags, sequence_);
  write_at<double>(record, kDoneChangesAt, static_cast<double>(changes));
  write_at<double>(record, kDoneLastIdAt, static_cast<double>(last_id));
  if (!results_.publish(record, sizeof(record))) results_.publish_reserved(record, sizeof(record));
}

void Answers::done(int64_t changes, int64_t last_id) {
  if (quiet_) {
    owes_ = true;
    return;
  }
  owes_ = false;
  publish_done(changes, last_id, final_flags());
}

void Answers::settle() {
  if (!owes_) return;
  owes_ = false;
  publish_done(0, 0, kResultFinal);
}

void Answers::error(const Failure& failure, uint8_t flags) {
  owes_ = false;
  const auto write = [&](uint8_t* record, size_t size, const char* message, size_t length) {
    std::memset(record, 0, kErrorMessageAt);
    write_head(record, size, kResultError, static_cast<uint8_t>(final_flags() | flags), sequence_);
    write_at<int32_t>(record, kErrorCodeAt, failure.code);
    write_at<int32_t>(record, kErrorOffsetAt, failure.offset);
    write_at<uint32_t>(record, kErrorMessageLengthAt, static_cast<uint32_t>(length));
    std::memcpy(record + kErrorMessageAt, message, length);
  };
  const size_t length = std::strlen(failure.message);
  const size_t size = aligned(kErrorMessageAt + length);
  record_.clear();
  uint8_t* record = record_.extend(size);
  if (record != nullptr) {
    write(record, size, failure.message, length);
    if (results_.publish(record, size)) return;
  }
  uint8_t reserved[ResultQueue::kReserveBytes] = {};
  const char* text = sqlite3_errstr(failure.code);
  const size_t most = ResultQueue::kReserveBytes - kErrorMessageAt;
  const size_t kept = std::strlen(text) < most ? std::strlen(text) : most;
  write(reserved, aligned(kErrorMessageAt + kept), text, kept);
  results_.publish_reserved(reserved, aligned(kErrorMessageAt + kept));
}

}  // namespace tandem
