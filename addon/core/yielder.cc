// When a SQLite thread yields, and when it has reason not to.
#include "yielder.h"

#include <atomic>
#include <thread>

namespace tandem {

namespace {

// For how long all SQLite threads of the process have worked before they yielded, in nanoseconds.
std::atomic<int64_t> all_worked{0};

// A kernel lets a thread that never yields work for more than this at once; the event loop rarely does.
constexpr int64_t kLong = 1'000'000;
constexpr int64_t kLongestTurn = 8'000'000;

}  // namespace

int64_t Yielder::next_turn(int64_t away, int64_t peers) {
  // What other SQLite threads worked meanwhile was no loss: they yield, too.
  const int64_t lost = away - peers;
  return lost < kLong ? kTurn : std::min(lost, kLongestTurn);
}

void Yielder::give_way() {
  const int64_t start = Stopwatch::now();
  const int64_t worked = start - std::max(since_, stopwatch_.started());
  if (worked < turn_) return;
  const int64_t before = all_worked.fetch_add(worked, std::memory_order_relaxed) + worked;
  std::this_thread::yield();
  since_ = Stopwatch::now();
  const int64_t peers = all_worked.load(std::memory_order_relaxed) - before;
  turn_ = next_turn(since_ - start, peers / (most_working_ + 1));
}

}  // namespace tandem
