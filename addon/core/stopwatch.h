// Measures when the SQLite thread was at work; on demand it also keeps the single spans for a timeline.
#ifndef SQLITE_TANDEM_CORE_STOPWATCH_H_
#define SQLITE_TANDEM_CORE_STOPWATCH_H_

#include <atomic>
#include <cstdint>
#include <mutex>

#include "bytes.h"
#include "control.h"

namespace tandem {

// Nanoseconds of the monotonic clock, the one behind process.hrtime() and performance.now().
struct Span {
  int64_t start;
  int64_t end;
};

class Stopwatch {
 public:
  // SQLite thread. start() and stop() come in pairs.
  void start() { started_.store(now()); }

  void stop() {
    const int64_t start = started_.load();
    const int64_t end = now();
    busy_.fetch_add(end - start);
    started_.store(0);
    if (recording_.load(std::memory_order_relaxed)) keep({start, end});
  }

  // SQLite thread, between two requests: one reading of the clock ends the one and starts the other. Read only when a
  // timeline is recorded, since the sum needs no reading in between.
  void lap() {
    if (!recording_.load(std::memory_order_relaxed)) return;
    stop();
    start();
  }

  // Any thread. Includes the span that has not ended yet.
  int64_t busy() const {
    for (;;) {
      const int64_t before = busy_.load();
      const int64_t start = started_.load();
      // Unchanged: the span has not been added to the sum in between.
      if (busy_.load() == before) return start == 0 ? before : before + now() - start;
    }
  }

  // JavaScript thread.
  void record(bool on) { recording_.store(on, std::memory_order_relaxed); }

  // JavaScript thread. Moves up to `count` of the oldest spans to `spans`; returns how many.
  size_t take(Span* spans, size_t count) {
    std::lock_guard<std::mutex> lock(mutex_);
    const size_t kept = spans_.size() / sizeof(Span);
    const size_t taken = kept < count ? kept : count;
    if (taken == 0) return 0;
    std::memcpy(spans, spans_.data(), taken * sizeof(Span));
    std::memmove(spans_.data(), spans_.data() + taken * sizeof(Span), (kept - taken) * sizeof(Span));
    spans_.truncate((kept - taken) * sizeof(Span));
    return taken;
  }

 private:
  // A forgotten recording ends here instead of filling the memory.
  static constexpr size_t kMostSpans = size_t{1} << 20;

  static int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  }

  void keep(const Span& span) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (spans_.size() < kMostSpans * sizeof(Span)) spans_.append(&span, sizeof(span));
  }

  // Zero while at rest.
  std::atomic<int64_t> started_{0};
  std::atomic<int64_t> busy_{0};
  std::atomic<bool> recording_{false};
  std::mutex mutex_;
  Bytes spans_;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_STOPWATCH_H_
