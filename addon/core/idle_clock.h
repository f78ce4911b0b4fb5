// The clock that runs while the event loop has nothing to do.
#ifndef SQLITE_TANDEM_CORE_IDLE_CLOCK_H_
#define SQLITE_TANDEM_CORE_IDLE_CLOCK_H_

#include <cstdint>

namespace tandem {

// Without `read` the clock is not known, and stands still.
struct IdleClock {
  // Any thread: nanoseconds for which `loop` has waited for events, up to now.
  uint64_t (*read)(void* loop) = nullptr;
  void* loop = nullptr;

  bool known() const { return read != nullptr; }
  int64_t now() const { return known() ? static_cast<int64_t>(read(loop)) : 0; }
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_IDLE_CLOCK_H_
