// What other threads may tell the SQLite thread out of turn: stop, cancel one request, proceed.
//
// None of these travels through the request queue: a queue that waits for a lock could not deliver them.
#ifndef SQLITE_TANDEM_CORE_CONTROL_H_
#define SQLITE_TANDEM_CORE_CONTROL_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "cancelled.h"

namespace tandem {

using Clock = std::chrono::steady_clock;

// Everything the SQLite thread may sleep on shares this mutex and condition, so that one notification always reaches
// it.
class Control {
 public:
  std::mutex mutex;
  std::condition_variable changed;

  // Any thread. From here on the SQLite thread ends as soon as it can; requests that wait are not answered any more.
  void stop() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stopped_.store(true, std::memory_order_release);
    }
    changed.notify_all();
  }
  bool stopped() const { return stopped_.load(std::memory_order_acquire); }

  // Any thread. Aborts the request that runs now, if any, with SQLITE_INTERRUPT; the next one is never hit, since the
  // cancelled number is compared with that of the running request.
  void cancel_running() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      // One that has ended meanwhile keeps its number to itself.
      cancelled_.store(begun_.load(std::memory_order_acquire), std::memory_order_release);
    }
    changed.notify_all();
  }

  // Any thread. Cancels that request and no other: one that runs is aborted with SQLITE_INTERRUPT, one that waits is
  // answered with it when its turn comes, and one that has ended stays as it is. `sequence` is that of a request that
  // was submitted less than 2^31 requests ago. Without memory to remember a waiting one nothing is cancelled.
  void cancel(uint32_t sequence) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      uint64_t begun = begun_.load();
      // Sequence numbers wrap around, so the sign of the difference tells which came first.
      const int64_t ahead = static_cast<int32_t>(sequence - static_cast<uint32_t>(begun));
      const uint64_t number = begun + static_cast<uint64_t>(ahead);
      if (ahead > 0) {
        if (!waiting_.add(number)) return;
        // Set before the last look: a request that does not see it has begun by then, and this look sees that.
        some_wait_.store(true);
        begun = begun_.load();
      }
      if (begun != number) return;
      cancelled_.store(number, std::memory_order_release);
    }
    changed.notify_all();
  }

  // SQLite thread: brackets each request. begin() is false for one that was cancelled while it waited.
  bool begin(uint32_t sequence) {
    // The sequence number, made so wide that it does not wrap around.
    const uint64_t last = begun_.load(std::memory_order_relaxed);
    running_ = last + static_cast<uint32_t>(sequence - static_cast<uint32_t>(last));
    begun_.store(running_);
    return !some_wait_.load() || !was_cancelled();
  }
  void end() { running_ = 0; }

  // SQLite thread, also from inside SQLite's callbacks: takes no lock.
  bool should_abort() const { return stopped() || cancelled_.load(std::memory_order_acquire) == running_; }

  // JavaScript thread: allows one more held request (configure('eager', false)).
  void proceed() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      ++allowed_;
    }
    changed.notify_all();
  }

  // SQLite thread: waits for one proceed().
  void wait_to_proceed() {
    std::unique_lock<std::mutex> lock(mutex);
    while (allowed_ == 0 && !stopped()) changed.wait(lock);
    if (allowed_ != 0) --allowed_;
  }

  // SQLite thread: sleeps until `until`, or shorter when the request is cancelled or the thread stopped; then false.
  bool sleep_until(Clock::time_point until) {
    std::unique_lock<std::mutex> lock(mutex);
    while (!should_abort()) {
      if (changed.wait_until(lock, until) == std::cv_status::timeout) return !should_abort();
    }
    return false;
  }

 private:
  // SQLite thread.
  bool was_cancelled() {
    const std::lock_guard<std::mutex> lock(mutex);
    const bool found = waiting_.take(running_);
    if (found) cancelled_.store(running_, std::memory_order_release);
    some_wait_.store(waiting_.size() != 0);
    return found;
  }

  std::atomic<bool> stopped_{false};
  // Number of the request that runs; 0 while idle. SQLite thread only.
  uint64_t running_ = 0;
  // Number of the request that runs or ran last. Beginning here, no number is ever 0.
  std::atomic<uint64_t> begun_{uint64_t{1} << 32};
  // Written with the mutex held, so that a late look at begun_ cannot overwrite the number of a later request. Never
  // equal to running_ unless cancelled: an idle thread has 0, so this starts elsewhere.
  std::atomic<uint64_t> cancelled_{UINT64_MAX};
  // Those that were cancelled before they began, guarded by the mutex, and whether there are any.
  CancelledRequests waiting_;
  std::atomic<bool> some_wait_{false};
  uint64_t allowed_ = 0;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_CONTROL_H_
