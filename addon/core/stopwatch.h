// Measures when the SQLite thread was at work, and how much of that the event loop was idle; on demand it also keeps
// the single spans for a timeline.
#ifndef SQLITE_TANDEM_CORE_STOPWATCH_H_
#define SQLITE_TANDEM_CORE_STOPWATCH_H_

#include <atomic>
#include <cstdint>
#include <mutex>

#include "bytes.h"
#include "control.h"
#include "idle_clock.h"

namespace tandem {

// Nanoseconds of the monotonic clock, the one behind process.hrtime() and performance.now().
struct Span {
  int64_t start;
  int64_t end;
};

// How far a clock has moved within all spans, those that are over and the one that is running.
class SpanSum {
 public:
  // SQLite thread. start() and stop() come in pairs.
  void start(int64_t time) { twice_.store(twice_.load() - 2 * time + 1); }
  void stop(int64_t time) { twice_.store(twice_.load() + 2 * time - 1); }

  // Any thread. `now` is asked for the present time of that clock while a span is running.
  template <typename Now>
  int64_t sum(Now now) const {
    const int64_t twice = twice_.load();
    return twice % 2 == 0 ? twice / 2 : (twice - 1) / 2 + now();
  }

 private:
  // Twice the sum of all spans. While one is running, its start has been subtracted and one added: a single number
  // tells a reader on another thread both the sum and whether to add the present time.
  std::atomic<int64_t> twice_{0};
};

class Stopwatch {
 public:
  // JavaScript thread. The event loop must outlive it.
  explicit Stopwatch(const IdleClock& idle_clock = {}) : idle_clock_(idle_clock) {}

  // Any thread. The present time, in nanoseconds of the monotonic clock.
  static int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  }

  // SQLite thread. start() and stop() come in pairs.
  void start() {
    working_.fetch_add(1, std::memory_order_relaxed);
    const int64_t start = now();
    started_.store(start);
    busy_.start(start);
    idle_.start(idle_clock_.now());
  }

  void stop() {
    working_.fetch_sub(1, std::memory_order_relaxed);
    // Read within the span, as at its start: the loop cannot have been idle for longer than the span.
    idle_.stop(idle_clock_.now());
    const int64_t end = now();
    busy_.stop(end);
    // Kept before the watch rests: who looks in between finds the span twice, but never not at all.
    if (recording_.load(std::memory_order_relaxed)) keep({started_.load(), end});
    started_.store(0);
  }

  // SQLite thread, between two requests: one reading of the clock ends the one and starts the other. Read only when a
  // timeline is recorded, since the sum needs no reading in between.
  void lap() {
    if (!recording_.load(std::memory_order_relaxed)) return;
    stop();
    start();
  }

  // SQLite thread. As long as it exists, the watch rests, if it was running: whoever waits is not at work.
  class Pause {
   public:
    explicit Pause(Stopwatch& stopwatch) : stopwatch_(stopwatch), running_(stopwatch.started() != 0) {
      if (running_) stopwatch_.stop();
    }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause() {
      if (running_) stopwatch_.start();
    }

   private:
    Stopwatch& stopwatch_;
    const bool running_;
  };

  // Any thread. How many SQLite threads of the process are at work.
  static int working() { return working_.load(std::memory_order_relaxed); }

  // Any thread. When the span began that has not ended yet, in nanoseconds of the clock; 0 while at rest.
  int64_t started() const { return started_.load(std::memory_order_relaxed); }

  // Any thread. Includes the span that has not ended yet.
  int64_t busy() const { return busy_.sum(now); }

  // JavaScript thread. For how long of that, in nanoseconds, the event loop was idle; -1 when its clock is not known.
  int64_t idle() const {
    return idle_clock_.known() ? idle_.sum([this] { return idle_clock_.now(); }) : -1;
  }

  // Any thread. The span that has not ended yet, up to now; false while at rest.
  bool running(Span* span) const {
    *span = {started_.load(), now()};
    return span->start != 0;
  }

  // JavaScript thread.
  void record(bool on) { recording_.store(on, std::memory_order_relaxed); }

  // JavaScript thread. Moves up to `count` of the oldest spans to `destination`, which need not be aligned; returns how
  // many.
  size_t take(uint8_t* destination, size_t count) {
    std::lock_guard<std::mutex> lock(mutex_);
    const size_t kept = spans_.size() / sizeof(Span);
    const size_t taken = kept < count ? kept : count;
    if (taken == 0) return 0;
    std::memcpy(destination, spans_.data(), taken * sizeof(Span));
    std::memmove(spans_.data(), spans_.data() + taken * sizeof(Span), (kept - taken) * sizeof(Span));
    spans_.truncate((kept - taken) * sizeof(Span));
    return taken;
  }

 private:
  // A forgotten recording ends here instead of filling the memory.
  static constexpr size_t kMostSpans = size_t{1} << 20;

  void keep(const Span& span) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (spans_.size() < kMostSpans * sizeof(Span)) spans_.append(&span, sizeof(span));
  }

  static inline std::atomic<int> working_{0};

  // Zero while at rest.
  std::atomic<int64_t> started_{0};
  SpanSum busy_;
  SpanSum idle_;
  const IdleClock idle_clock_;
  std::atomic<bool> recording_{false};
  std::mutex mutex_;
  Bytes spans_;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_STOPWATCH_H_
