// Requests that were cancelled before their turn: which ones, and how they are answered.
#include "cancelled.h"

#include <algorithm>
#include <cstring>

#include "connection.h"
#include "memory.h"

namespace tandem {

CancelledRequests::~CancelledRequests() { release(numbers_); }

bool CancelledRequests::make_room() {
  if (end_ < capacity_) return true;
  const size_t count = size();
  // Half of the memory or more lies before the first number.
  if (count <= capacity_ / 2 && start_ != 0) {
    std::memmove(numbers_, numbers_ + start_, count * sizeof(uint64_t));
  } else {
    const size_t larger = count < 8 ? 16 : 2 * count;
    uint64_t* numbers = static_cast<uint64_t*>(allocate(larger * sizeof(uint64_t)));
    if (numbers == nullptr) return false;
    if (count != 0) std::memcpy(numbers, numbers_ + start_, count * sizeof(uint64_t));
    release(numbers_);
    numbers_ = numbers;
    capacity_ = larger;
  }
  start_ = 0;
  end_ = count;
  return true;
}

bool CancelledRequests::add(uint64_t number) {
  if (!make_room()) return false;
  uint64_t* end = numbers_ + end_;
  uint64_t* at = std::lower_bound(numbers_ + start_, end, number);
  if (at != end && *at == number) return true;
  std::memmove(at + 1, at, static_cast<size_t>(end - at) * sizeof(uint64_t));
  *at = number;
  ++end_;
  return true;
}

bool CancelledRequests::take(uint64_t number) {
  while (start_ != end_ && numbers_[start_] < number) ++start_;
  if (start_ == end_ || numbers_[start_] != number) return false;
  ++start_;
  return true;
}

// Answers a request that is not to be executed, and leaves what others rely on as a failure would leave it.
void Connection::answer_cancelled(Request& request) {
  const Failure failure = {SQLITE_INTERRUPT, -1, sqlite3_errstr(SQLITE_INTERRUPT)};
  switch (request.operation) {
    case kOperationOpen:
      open_failed_.keep(failure);
      state_ = State::kFailed;
      return answers_.error(failure);
    case kOperationPrepare: {
      // Later requests for the statement get this error, not one about memory.
      Statement* statement = statements_.add(request.statement);
      if (statement != nullptr) statement->failed.keep(failure);
      return answers_.error(failure, kResultPrepareFailed);
    }
    case kOperationFetch: {
      // As any other error of a fetch, it ends the cursor: nobody is to come for the rest.
      Statement* statement = statements_.find(request.statement);
      if (statement != nullptr) rewind(*statement);
      return answers_.error(failure);
    }
    case kOperationFinalize:
    case kOperationBackupFinish:
      // JavaScript may have given the number to something else already, and nobody could end this one any more.
      return dispatch(request);
    default:
      return answers_.error(failure);
  }
}

}  // namespace tandem
