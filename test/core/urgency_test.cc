// How soon the worker wants its results taken: a wake-up costs it time, so it asks for one only when it is needed.
#include <thread>

#include "driver.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

using Heard = std::vector<Urgency>;

// A blob of that many bytes, in one row.
std::string blob(size_t size) { return "select zeroblob(" + std::to_string(size) + ")"; }

const std::string kEndless = "with recursive n(v) as (select 1 union all select v + 1 from n) ";

}  // namespace

TEST("of several requests, only the last one's results are to be taken now") {
  Driver driver;
  driver.send(open());
  for (int i = 0; i < 5; ++i) driver.send(wait());
  driver.submit();
  driver.wait_for(Urgency::kNow);
  CHECK(driver.heard() == (Heard{Urgency::kSoon, Urgency::kNow}));
  driver.answer_all();
}

TEST("the results of a single request are to be taken now") {
  Driver driver;
  driver.ask(open());
  for (int times = 1; times <= 5; ++times) {
    // A result can be taken just before the worker says so.
    driver.wait_for(Urgency::kNow, times);
    driver.ask(wait());
  }
  driver.wait_for(Urgency::kNow, 6);
  CHECK(driver.heard() == Heard(6, Urgency::kNow));
}

TEST("a last request without an answer does not hold up those before it") {
  Driver driver;
  driver.send(open());
  const uint32_t answered = driver.send(wait());
  driver.send(wait(kRequestQuiet));
  driver.submit();
  driver.wait_for(Urgency::kNow);
  CHECK(driver.heard() == (Heard{Urgency::kSoon, Urgency::kNow}));
  CHECK_EQUAL(driver.answer(answered).text(), "");
}

TEST("much that is undelivered is to be taken now, whatever waits behind it") {
  Driver driver;
  driver.send(open());
  driver.send(prepare(1, blob(ResultQueue::kMuchUndelivered)));
  driver.send(prepare(2, kEndless + "select count(*) from n"));
  driver.send(all(1));
  const uint32_t endless = driver.send(all(2));
  driver.submit();
  // The endless one runs: nothing but the size can have been the reason.
  driver.wait_for(Urgency::kNow);
  CHECK(driver.heard() == (Heard{Urgency::kSoon, Urgency::kNow}));
  while (!driver.look(endless).answered) {
    driver.worker().control().cancel_running();
    if (!driver.take()) std::this_thread::yield();
  }
}

TEST("a thread that waits for room, or for leave to go on, wants its results taken now") {
  Driver driver;
  driver.send(open());
  driver.send(configure(kOptionHighWaterMark, 1));
  driver.send(wait());
  driver.send(wait());
  driver.submit();
  driver.wait_for(Urgency::kNow);
  driver.answer_all();

  Driver held;
  held.send(open());
  held.send(configure(kOptionEager, 0));
  held.send(wait());
  held.send(wait());
  held.submit();
  held.wait_for(Urgency::kNow);
  held.stop();
}

TEST("what was announced and taken is announced anew") {
  Driver driver;
  driver.send(open());
  driver.send(prepare(1, kEndless + "select v from n limit 10"));
  driver.submit();
  driver.answer_all();
  for (int times = 2; times <= 100; ++times) {
    driver.send(all(1));
    driver.send(all(1));
    driver.submit();
    driver.answer_all();
    driver.wait_for(Urgency::kNow, times);
  }
}

TEST("the names of columns are heard of with the first rows, and not before") {
  Driver driver;
  driver.ask(open());
  driver.wait_for(Urgency::kNow);
  driver.ask(prepare(1, "select 1 as one, 2 as two"));
  driver.wait_for(Urgency::kNow, 2);
  driver.ask(all(1));
  driver.wait_for(Urgency::kNow, 3);
  CHECK(driver.heard() == Heard(3, Urgency::kNow));
}

TEST("names of columns that fill all room are heard of before the rows that wait for it") {
  Driver driver;
  driver.send(open());
  driver.ask(configure(kOptionHighWaterMark, 1));
  driver.ask(prepare(1, "select 1 as \"" + std::string(10'000, 'n') + "\""));
  CHECK_EQUAL(driver.text(all(1)), "1");
}
