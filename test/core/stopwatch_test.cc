// The time at work, and how much of it the event loop was idle.
#include "core/stopwatch.h"

#include "harness.h"

using namespace tandem;

namespace {

uint64_t idle_time = 0;

uint64_t read(void* loop) { return *static_cast<uint64_t*>(loop); }

}  // namespace

TEST("idle time of the event loop counts while the thread is at work, and only then") {
  idle_time = 1'000;
  Stopwatch stopwatch({read, &idle_time});
  CHECK_EQUAL(stopwatch.idle(), int64_t{0});
  idle_time += 50;
  stopwatch.start();
  CHECK_EQUAL(stopwatch.idle(), int64_t{0});
  idle_time += 7;
  CHECK_EQUAL(stopwatch.idle(), int64_t{7});
  stopwatch.stop();
  idle_time += 500;
  CHECK_EQUAL(stopwatch.idle(), int64_t{7});
  stopwatch.start();
  idle_time += 3;
  stopwatch.stop();
  CHECK_EQUAL(stopwatch.idle(), int64_t{10});
}

TEST("a lap of a recording takes nothing from the idle time") {
  idle_time = 0;
  Stopwatch stopwatch({read, &idle_time});
  stopwatch.record(true);
  stopwatch.start();
  idle_time += 4;
  stopwatch.lap();
  idle_time += 5;
  stopwatch.stop();
  CHECK_EQUAL(stopwatch.idle(), int64_t{9});
}

TEST("without a clock the idle time is not known, and the time at work is") {
  Stopwatch stopwatch;
  stopwatch.start();
  const int64_t before = Stopwatch::now();
  while (Stopwatch::now() == before) {
  }
  CHECK(stopwatch.busy() > 0);
  stopwatch.stop();
  CHECK(stopwatch.busy() > 0);
  CHECK_EQUAL(stopwatch.idle(), int64_t{-1});
}

TEST("a pause leaves out its time, and a watch that rests goes on resting after one") {
  idle_time = 0;
  Stopwatch stopwatch({read, &idle_time});
  {
    const Stopwatch::Pause pause(stopwatch);
    CHECK_EQUAL(Stopwatch::working(), 0);
  }
  CHECK_EQUAL(stopwatch.started(), int64_t{0});
  CHECK_EQUAL(stopwatch.busy(), int64_t{0});
  stopwatch.start();
  idle_time += 2;
  {
    const Stopwatch::Pause pause(stopwatch);
    CHECK_EQUAL(Stopwatch::working(), 0);
    idle_time += 30;
    const int64_t busy = stopwatch.busy();
    CHECK_EQUAL(stopwatch.busy(), busy);
  }
  CHECK_EQUAL(Stopwatch::working(), 1);
  idle_time += 5;
  stopwatch.stop();
  CHECK_EQUAL(stopwatch.idle(), int64_t{7});
}
