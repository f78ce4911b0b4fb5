// What other threads may tell the SQLite thread out of turn: stop, cancel the running request, proceed.
//
// None of these travels through the request queue: a queue that waits for a lock could not deliver them.
#ifndef SQLITE_TANDEM_CORE_CONTROL_H_
#define SQLITE_TANDEM_CORE_CONTROL_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

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
    const uint64_t running = running_.load(std::memory_order_acquire);
    if (running == 0) return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      cancelled_.store(running, std::memory_order_release);
    }
    changed.notify_all();
  }

  // SQLite thread: brackets each request.
  void begin() { running_.store(++count_, std::memory_order_release); }
  void end() { running_.store(0, std::memory_order_release); }

  // SQLite thread, also from inside SQLite's callbacks: only atomics are read.
  bool should_abort() const {
    return stopped() || cancelled_.load(std::memory_order_acquire) == running_.load(std::memory_order_relaxed);
  }

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
  std::atomic<bool> stopped_{false};
  std::atomic<uint64_t> running_{0};
  // Never equal to running_ unless cancelled: an idle thread has 0, so this starts elsewhere.
  std::atomic<uint64_t> cancelled_{UINT64_MAX};
  uint64_t count_ = 0;
  uint64_t allowed_ = 0;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_CONTROL_H_
