// Waiting awake for a moment for what another thread is about to bring, while that has paid lately.
#ifndef SQLITE_TANDEM_CORE_SPIN_H_
#define SQLITE_TANDEM_CORE_SPIN_H_

#include <chrono>
#include <thread>

#include "thread.h"

namespace tandem {

// For one waiting thread, who alone uses it.
class Spin {
 public:
  // A program that awaits each query sends the next one within this time, and one that closes a database opens the
  // next; sleeping in between would cost it two switches of threads. A thread that waited in vain sleeps at once the
  // next time, so that an idle program burns nothing.
  static constexpr auto kSpin = std::chrono::microseconds(80);

  // Before going to sleep: returns once ready() is true, or when it is time to sleep.
  template <typename Ready>
  void begin(Ready ready) {
    start_ = Clock::now();
    if (!pays_) return;
    do {
      for (int i = 0; i < 32; ++i) {
        if (ready()) return;
        relax_processor();
      }
      // Where both threads share a processor, the other one can only bring work if it is let in.
      std::this_thread::yield();
    } while (Clock::now() - start_ < kSpin);
  }

  // When the wait is over, awake or asleep.
  void end() { pays_ = Clock::now() - start_ < 2 * kSpin; }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point start_;
  bool pays_ = true;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_SPIN_H_
