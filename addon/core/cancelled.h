// The requests that were cancelled before their turn: a set of numbers that is no larger than what is queued.
#ifndef SQLITE_TANDEM_CORE_CANCELLED_H_
#define SQLITE_TANDEM_CORE_CANCELLED_H_

#include <cstddef>
#include <cstdint>

namespace tandem {

// In ascending order. Any thread; whoever shares it guards it (Control::mutex).
class CancelledRequests {
 public:
  CancelledRequests() = default;
  CancelledRequests(const CancelledRequests&) = delete;
  CancelledRequests& operator=(const CancelledRequests&) = delete;
  ~CancelledRequests();

  // Remembers the number, once. False when memory is exhausted.
  bool add(uint64_t number);

  // Whether the number is among them. Forgets it and those below, whose turn has passed.
  bool take(uint64_t number);

  size_t size() const { return end_ - start_; }

 private:
  bool make_room();

  uint64_t* numbers_ = nullptr;
  // Those from start_ to end_ are remembered: they are taken at the front, and mostly added at the end.
  size_t start_ = 0;
  size_t end_ = 0;
  size_t capacity_ = 0;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_CANCELLED_H_
