// Memory that runs out at any point: each request is answered exactly once all the same, and nothing is lost or leaked.
#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

#include "driver.h"
#include "exhaust.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

// One of everything, with results of many sizes. Answers may be errors, but each request must have one.
void play() {
  Driver driver(4096);
  driver.send(open());
  driver.send(exec("create table t(a, b); insert into t values(1, 'one'), (2, zeroblob(3000)), (3, 'drei ü')"));
  driver.submit();
  for (const Option each : {kOptionTrace, kOptionProfile, kOptionChange}) driver.send(configure(each, 1));
  driver.send(prepare(1, "select a, b, 'long text' || printf('%.*c', 2000, 'x') from t", kRequestQuiet));
  for (int i = 0; i < 4; ++i) driver.send(get(1));
  driver.answer(driver.send(all(1)));
  driver.send(prepare(2, "insert into t values(?, ?)"));
  driver.send(run(2).bind(1, int64_t{4}).bind(2, std::string(500, 'y')));
  driver.send(run(2, kRequestQuiet).bind(1, 0.5).bind_blob(2, ""));
  driver.send(run(2).bind(3, int64_t{0}));
  driver.answer(
      driver.send(exec("a syntax error in a long text that makes a long message too: " + std::string(300, 'z'))));
  driver.send(prepare(3, "no statement", kRequestQuiet));
  driver.send(run(3));
  driver.send(finalize(3));
  driver.send(prepare(4,
                      "with recursive n(v) as (select 1 union all select v + 1 from n where v < 3000) "
                      "select v, 'text of the row ' || v from n"));
  driver.send(each(4));
  driver.send(fetch(4).word(100).word(4096));
  driver.send(fetch(4).word(100).word(4096));
  driver.send(describe(4));
  driver.send(prepare(5, "select value from carray(?)", kRequestQuiet));
  driver.send(all(5).bind_array(1, kArrayText, 2).text("eins").text(std::string(300, 'y')));
  driver.send(expanded_sql(5, kRequestQuiet));
  for (uint32_t id = 20; id < 60; ++id) driver.send(prepare(id, "select 1 as c" + std::to_string(id), kRequestQuiet));
  std::vector<uint32_t> sent;
  for (uint32_t id = 20; id < 60; ++id) sent.push_back(driver.send(all(id)));
  driver.submit();
  // Without memory to remember a cancellation there is none.
  for (size_t i = 0; i < sent.size(); i += 3) driver.cancel(sent[i]);
  for (uint32_t id = 20; id < 60; ++id) driver.send(finalize(id, kRequestQuiet));
  for (const uint32_t id : {1U, 2U, 4U, 5U}) driver.send(finalize(id));
  driver.answer(driver.send(wait()));
  driver.answer(driver.send(close()));
  driver.answer_all();
}

// Lets the allocation number `first`, then every `step`th later one fail, until a whole play passes without.
void play_until_it_passes(Whose memory, bool persistently, long first, long step) {
  long plays = 0;
  long failed = 0;
  for (long after = first;; after += step) {
    exhaust(memory, after, persistently);
    play();
    const long count = plenty();
    if (count == 0) break;
    failed += count;
    ++plays;
  }
  std::printf("# %ld plays, %ld allocations of %s failed\n", plays, failed,
              memory == Whose::kOurs ? "ours" : "SQLite's");
  // Less would mean that the failures do not reach the code.
  CHECK(plays > 20);
}

}  // namespace

TEST("each request is answered once when any one of our allocations fails") {
  play_until_it_passes(Whose::kOurs, false, 1, 1);
}

TEST("each request is answered once when our memory runs out for good") {
  play_until_it_passes(Whose::kOurs, true, 1, 1);
}

TEST("each request is answered once when one of SQLite's allocations fails") {
  play_until_it_passes(Whose::kSqlites, false, 1, std::min(7L, stride(7)));
}

TEST("each request is answered once when SQLite's memory runs out for good") {
  play_until_it_passes(Whose::kSqlites, true, 2, std::min(11L, stride(11)));
}

TEST("thousands of answers come although there is no memory, and the connection recovers") {
  Driver driver;
  driver.send(open());
  driver.send(prepare(1, "select 'some text'"));
  CHECK_EQUAL(driver.text(wait()), "");
  const Spared spared;
  for (int round = 0; round < 3; ++round) {
    exhaust(Whose::kOurs, 1, true);
    uint32_t last = 0;
    for (int i = 0; i < 3000; ++i) last = driver.send(i % 2 == 0 ? all(1) : exec("no statement"));
    // Each answer in a reserve needs one before it to have been taken.
    driver.answer(last);
    CHECK_EQUAL(driver.unanswered(), size_t{0});
    CHECK(plenty() > 1000);
    CHECK_EQUAL(driver.text(all(1)), "'some text'");
  }
}

TEST("a thread that waits for a reserve can be stopped") {
  for (int i = 0; i < 20; ++i) {
    Driver driver;
    driver.send(open());
    CHECK_EQUAL(driver.text(wait()), "");
    const Spared spared;
    exhaust(Whose::kOurs, 1, true);
    // Far more than the last piece of memory and the reserves can hold.
    for (int j = 0; j < 5000; ++j) driver.send(exec("no statement"));
    driver.submit();
    for (int j = 0; j < i * 50; ++j) std::this_thread::yield();
    driver.stop();
    plenty();
  }
}

TEST("a worker without memory for its results does not start") {
  for (long after = 1; after < 7; ++after) {
    exhaust(Whose::kOurs, after, true);
    const Driver driver;
    plenty();
    // Three pieces of two allocations each.
    CHECK_EQUAL(driver.started(), false);
  }
}
