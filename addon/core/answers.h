// Writes the answers to requests, so that each request gets exactly one, even when memory is exhausted.
#ifndef SQLITE_TANDEM_CORE_ANSWERS_H_
#define SQLITE_TANDEM_CORE_ANSWERS_H_

#include <cstdint>

#include "bytes.h"
#include "result_queue.h"

namespace tandem {

// An SQLite error as it is reported: captured before any further call on the connection could change it.
struct Failure {
  int code;             // extended result code
  int offset;           // byte offset into the SQL text, or -1
  const char* message;  // borrowed until the next call on the connection
};

// All members: SQLite thread.
class Answers {
 public:
  explicit Answers(ResultQueue& results) : results_(results) {}

  // Names the request that the following answers belong to. `flags` are added to its last record.
  void begin(uint32_t sequence, bool quiet, uint8_t flags) {
    sequence_ = sequence;
    quiet_ = quiet;
    flags_ = flags;
  }

  uint32_t sequence() const { return sequence_; }

  // Flags for the last record of the current request.
  uint8_t final_flags() const { return static_cast<uint8_t>(kResultFinal | flags_); }

  // Whether the current request left the SQLite thread with something JavaScript has not been told.
  bool owes() const { return owes_; }

  // The request succeeded. A quiet request is only remembered: settle() reports it with the last of its kind.
  void done(int64_t changes = 0, int64_t last_id = 0);

  void error(const Failure& failure, uint8_t flags = 0);

  // The request was answered by another record, which had final_flags().
  void answered() { owes_ = false; }

  // Reports quiet requests that nothing later has reported. Called when the queue has run empty.
  void settle();

  ResultQueue& results() { return results_; }

 private:
  void publish_done(int64_t changes, int64_t last_id, uint8_t flags);

  ResultQueue& results_;
  Bytes record_;
  uint32_t sequence_ = 0;
  bool quiet_ = false;
  uint8_t flags_ = 0;
  bool owes_ = false;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_ANSWERS_H_
