// SQLite threads that give way to others: for how long they work before, and that all of them get on.
#include <memory>
#include <thread>
#include <vector>

#include "core/yielder.h"
#include "driver.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

constexpr int64_t kMicrosecond = 1'000;
constexpr int64_t kMillisecond = 1'000'000;

const std::string kCount =
    "with recursive n(v) as (select 1 union all select v + 1 from n limit ?) select count(*) from n";

}  // namespace

TEST("a thread that got its processor back soon yields again after a short turn") {
  CHECK_EQUAL(Yielder::next_turn(0, 0), Yielder::kTurn);
  CHECK_EQUAL(Yielder::next_turn(900 * kMicrosecond, 0), Yielder::kTurn);
}

TEST("a thread that had to wait for its peers only yields again after a short turn") {
  CHECK_EQUAL(Yielder::next_turn(30 * kMillisecond, 30 * kMillisecond), Yielder::kTurn);
  CHECK_EQUAL(Yielder::next_turn(3 * kMillisecond, 5 * kMillisecond), Yielder::kTurn);
}

TEST("a thread that others kept waiting works as long as they did, within limits") {
  CHECK_EQUAL(Yielder::next_turn(3 * kMillisecond, 0), 3 * kMillisecond);
  CHECK_EQUAL(Yielder::next_turn(7 * kMillisecond, 2 * kMillisecond), 5 * kMillisecond);
  CHECK_EQUAL(Yielder::next_turn(1000 * kMillisecond, 0), 8 * kMillisecond);
}

TEST("more busy databases than processors are counted, and all of them come to an end") {
  const unsigned count = processor_count() + 2;
  std::vector<std::unique_ptr<Driver>> drivers;
  std::vector<uint32_t> endless;
  for (unsigned i = 0; i < count; ++i) {
    drivers.push_back(std::make_unique<Driver>());
    Driver& driver = *drivers.back();
    driver.send(open(":memory:"));
    driver.send(prepare(1, kCount));
    endless.push_back(driver.send(all(1).bind(1, int64_t{-1})));
    driver.submit();
  }
  while (Stopwatch::working() < static_cast<int>(count)) std::this_thread::yield();
  for (unsigned i = 0; i < count; ++i) {
    Driver& driver = *drivers[i];
    while (!driver.look(endless[i]).answered) {
      driver.worker().control().cancel_running();
      if (!driver.take()) std::this_thread::yield();
    }
    CHECK_EQUAL(driver.look(endless[i]).code, SQLITE_INTERRUPT);
    CHECK_EQUAL(driver.text(all(1).bind(1, int64_t{100000})), "100000");
  }
  drivers.clear();
  CHECK_EQUAL(Stopwatch::working(), 0);
}
