// Gives way to other threads of the process while SQLite's threads occupy its processors.
#ifndef SQLITE_TANDEM_CORE_YIELDER_H_
#define SQLITE_TANDEM_CORE_YIELDER_H_

#include <algorithm>
#include <cstdint>

#include "stopwatch.h"
#include "thread.h"

namespace tandem {

// Beside busy databases, the event loop and the threads that read files for it wait for a whole time slice of the
// kernel whenever they wake, several times for a single file. A SQLite thread that often offers its processor makes
// that a fraction of a millisecond.
//
// A kernel may count as used what a thread gives away, so beside other programs, which never yield, databases would be
// left with little. Therefore a thread that had to wait for such a program works as long as that before it yields
// again.
class Yielder {
 public:
  // `processors` is how many this process may use; one of them at least is left to others without yielding.
  explicit Yielder(const Stopwatch& stopwatch, unsigned processors = processor_count())
      : stopwatch_(stopwatch), most_working_(std::max(static_cast<int>(processors) - 1, 1)) {}

  // SQLite thread, while it works and as often as it can: yields from time to time.
  void look() {
    if (Stopwatch::working() >= most_working_) give_way();
  }

  // Any thread. How long a thread works until it yields again that had no processor for `away`, while other SQLite
  // threads worked for `peers` on each processor. All in nanoseconds.
  static int64_t next_turn(int64_t away, int64_t peers);

  // How long that is where nobody took the processor for longer, in nanoseconds.
  static constexpr int64_t kTurn = 100'000;

 private:
  void give_way();

  const Stopwatch& stopwatch_;
  const int most_working_;
  // When this thread got its processor back last, and how long it works from then on; in nanoseconds.
  int64_t since_ = 0;
  int64_t turn_ = kTurn;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_YIELDER_H_
