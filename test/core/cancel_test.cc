// A request that is cancelled: waiting, running, held or ended, it alone is hit, and each request is answered once.
#include <functional>
#include <thread>

#include "core/cancelled.h"
#include "driver.h"
#include "exhaust.h"
#include "harness.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

const std::string kEndless = "with recursive n(v) as (select 1 union all select v + 1 from n) ";
const std::string kInterrupted = "error 9: interrupted";

struct Opened : Driver {
  explicit Opened(const std::string& name = ":memory:") {
    send(open(name));
    send(exec("create table if not exists t(a)"));
    send(prepare(1, "insert into t values(?)"));
    send(prepare(2, "select count(*) from t"));
    send(prepare(3, kEndless + "select v from n"));
    CHECK_EQUAL(text(wait()), "");
  }

  // Sends something that does not end by itself, and waits until it runs.
  uint32_t occupy() {
    const uint32_t endless = send(each(3));
    submit();
    while (look(endless).rows.empty()) {
      if (!take()) wait_for_results();
    }
    return endless;
  }
};

// What the SQL function cancelled() cancels: the request that it is called by, in the middle of it.
Control* cancelled_by_sql = nullptr;

void cancel_from_sql(sqlite3_context* context, int, sqlite3_value**) {
  if (cancelled_by_sql != nullptr) cancelled_by_sql->cancel_running();
  sqlite3_result_int(context, 1);
}

int add_function(sqlite3* database, const char**, const sqlite3_api_routines*) {
  return sqlite3_create_function(database, "cancelled", 0, SQLITE_UTF8, nullptr, cancel_from_sql, nullptr, nullptr);
}

// Every connection that is opened while this lives has the function.
class CancellingSql {
 public:
  CancellingSql() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(add_function)); }
  CancellingSql(const CancellingSql&) = delete;
  CancellingSql& operator=(const CancellingSql&) = delete;
  ~CancellingSql() {
    sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(add_function));
    cancelled_by_sql = nullptr;
  }
};

// Asks `request` again and again, which adds a row and cancels itself; checks that it either did that or failed.
// Returns how often it failed.
int cancel_writes(const std::string& sql, const std::function<Message(uint32_t)>& request) {
  const CancellingSql function;
  Opened driver;
  cancelled_by_sql = &driver.worker().control();
  driver.send(prepare(4, sql));
  int rows = 0;
  int failed = 0;
  for (int i = 0; i < 100; ++i) {
    const Answer& answer = driver.ask(request(4));
    if (answer.code == SQLITE_OK) {
      rows += 1;
    } else {
      CHECK_EQUAL(answer.text(), kInterrupted);
      failed += 1;
    }
    CHECK_EQUAL(driver.text(all(2)), std::to_string(rows));
  }
  return failed;
}

// An insert in which SQLite asks for a cancellation at its end and never before: that happens after 1000 of SQLite's
// instructions, but only where they jump.
std::string long_insert() {
  std::string sql = "insert into t values(cancelled()";
  for (int i = 0; i < 600; ++i) sql += " + random()";
  return sql + ")";
}

}  // namespace

TEST("a set of cancelled numbers gives each of them once, in order, and forgets those that were passed") {
  CancelledRequests set;
  for (const uint64_t each : {9, 3, 7, 3, 1, 9}) CHECK(set.add(each));
  CHECK_EQUAL(set.size(), size_t{4});
  CHECK(!set.take(0));
  CHECK(set.take(1));
  CHECK(!set.take(2));
  CHECK(set.take(7));
  CHECK_EQUAL(set.size(), size_t{1});
  CHECK(!set.take(10));
  CHECK_EQUAL(set.size(), size_t{0});
}

TEST("a set of cancelled numbers holds as many as are added, in any order") {
  Random random(7);
  CancelledRequests set;
  bool inside[4000] = {};
  uint64_t passed = 0;
  for (int i = 0; i < 20000; ++i) {
    const uint32_t ahead = random.below(60);
    if (passed + ahead >= 4000) break;
    if (random.below(3) != 0) {
      CHECK(set.add(passed + ahead));
      inside[passed + ahead] = true;
    } else {
      CHECK_EQUAL(set.take(passed), inside[passed]);
      ++passed;
    }
  }
  CHECK(passed > 3000);
}

TEST("a set of cancelled numbers without memory refuses the next number and keeps the others") {
  CancelledRequests set;
  for (uint64_t each = 1; each <= 16; ++each) CHECK(set.add(each));
  exhaust(Whose::kOurs, 1, true);
  const bool added = set.add(17);
  CHECK(plenty() > 0);
  CHECK(!added);
  CHECK(set.take(16));
}

TEST("a cancelled request that runs ends with SQLITE_INTERRUPT, and its neighbours are executed") {
  Opened driver;
  const uint32_t before = driver.send(run(1).bind(1, int64_t{1}));
  const uint32_t endless = driver.occupy();
  const uint32_t behind = driver.send(run(1).bind(1, int64_t{2}));
  driver.submit();
  driver.cancel(before);
  driver.cancel(endless);
  CHECK_EQUAL(driver.answer(before).text(), "");
  CHECK_EQUAL(driver.answer(endless).code, SQLITE_INTERRUPT);
  CHECK_EQUAL(driver.answer(behind).text(), "");
  CHECK_EQUAL(driver.text(all(2)), "2");
}

TEST("a cancelled request that waits is answered in its turn with SQLITE_INTERRUPT and never executed") {
  Opened driver;
  const uint32_t endless = driver.occupy();
  uint32_t inserts[100];
  for (uint32_t& each : inserts) each = driver.send(run(1).bind(1, int64_t{1}));
  driver.submit();
  for (int i = 99; i >= 0; i -= 3) driver.cancel(inserts[i]);
  for (int i = 0; i < 100; i += 3) driver.cancel(inserts[i]);
  // Twice is as good as once.
  driver.cancel(inserts[0]);
  driver.cancel(endless);
  for (int i = 0; i < 100; ++i) CHECK_EQUAL(driver.answer(inserts[i]).text(), i % 3 == 0 ? kInterrupted : "");
  CHECK_EQUAL(driver.text(all(2)), "66");
}

TEST("a request that was answered is beyond cancelling, and nothing else is hit in its place") {
  Opened driver;
  for (int i = 0; i < 200; ++i) {
    const uint32_t sequence = driver.send(run(1).bind(1, int64_t{i}));
    CHECK_EQUAL(driver.answer(sequence).text(), "");
    driver.cancel(sequence);
  }
  CHECK_EQUAL(driver.text(all(2)), "200");
}

TEST("a cancelled request behind the point where numbers wrap around is the one that is hit") {
  for (uint32_t before = 0; before < 8; ++before) {
    Opened driver;
    driver.number_behind(UINT32_MAX - before);
    const uint32_t endless = driver.occupy();
    uint32_t inserts[8];
    for (uint32_t& each : inserts) each = driver.send(run(1).bind(1, int64_t{1}));
    driver.submit();
    for (const int i : {1, 3, 6}) driver.cancel(inserts[i]);
    driver.cancel(endless);
    for (int i = 0; i < 8; ++i) {
      CHECK_EQUAL(driver.answer(inserts[i]).text(), i == 1 || i == 3 || i == 6 ? kInterrupted : "");
    }
    CHECK_EQUAL(driver.text(all(2)), "5");
  }
}

TEST("a cancelled request stops waiting for the lock of another connection, and the next one waits anew") {
  const TemporaryFile file;
  Other other(file);
  other.exec("create table t(a)");
  Opened driver(file.name());
  // Ten minutes: longer than any patience.
  driver.send(configure(kOptionBusyTimeout, 600000));
  other.exec("begin immediate");
  for (int i = 0; i < 30; ++i) {
    const uint32_t waits = driver.send(run(1).bind(1, int64_t{1}));
    driver.submit();
    for (int j = 0; j < i * 30; ++j) std::this_thread::yield();
    driver.cancel(waits);
    CHECK_EQUAL(driver.answer(waits).text(), kInterrupted);
  }
  const uint32_t waits = driver.send(run(1).bind(1, int64_t{1}));
  driver.submit();
  other.exec("rollback");
  CHECK_EQUAL(driver.answer(waits).text(), "");
  CHECK_EQUAL(driver.text(all(2)), "1");
}

TEST("a cancelled request stops waiting for room, though nobody takes its results") {
  Opened driver;
  CHECK_EQUAL(driver.text(configure(kOptionHighWaterMark, 1000)), "");
  const uint32_t endless = driver.send(all(3));
  const uint32_t behind = driver.send(wait());
  driver.submit();
  ResultQueue& results = driver.worker().results();
  while (results.undelivered() <= 1000) std::this_thread::yield();
  const size_t before = results.undelivered();
  driver.cancel(endless);
  // It has sent its answer at the least, and that can only be because it waits no more.
  while (results.undelivered() == before) std::this_thread::yield();
  CHECK_EQUAL(driver.answer(endless).code, SQLITE_INTERRUPT);
  CHECK_EQUAL(driver.answer(behind).text(), "");
}

TEST("a held thread answers a cancelled request as it would any other, and holds again") {
  Opened driver;
  CHECK_EQUAL(driver.text(configure(kOptionEager, 0)), "");
  const uint32_t held = driver.send(run(1).bind(1, int64_t{1}));
  const uint32_t cancelled = driver.send(run(1).bind(1, int64_t{2}));
  const uint32_t last = driver.send(all(2));
  CHECK((driver.answer(held).flags & kResultHeld) != 0);
  driver.cancel(held);
  driver.cancel(cancelled);
  driver.worker().control().proceed();
  CHECK_EQUAL(driver.answer(cancelled).text(), kInterrupted);
  CHECK((driver.look(cancelled).flags & kResultHeld) != 0);
  driver.worker().control().proceed();
  CHECK_EQUAL(driver.answer(last).text(), "1");
}

TEST("a cancelled preparation is the error of every later request for the statement") {
  Opened driver;
  const uint32_t endless = driver.occupy();
  const uint32_t prepared = driver.send(prepare(9, "select 1"));
  const uint32_t used = driver.send(all(9));
  driver.submit();
  driver.cancel(prepared);
  driver.cancel(endless);
  CHECK_EQUAL(driver.answer(prepared).text(), kInterrupted);
  CHECK((driver.look(prepared).flags & kResultPrepareFailed) != 0);
  CHECK_EQUAL(driver.answer(used).text(), kInterrupted);
  CHECK((driver.look(used).flags & kResultPrepareFailed) != 0);
  driver.send(finalize(9));
  driver.send(prepare(9, "select 2"));
  CHECK_EQUAL(driver.text(all(9)), "2");
}

TEST("an end is executed even if it was cancelled: a finalized statement is gone") {
  Opened driver;
  driver.send(prepare(9, "select 1 union select 2"));
  driver.send(get(9));
  const uint32_t endless = driver.occupy();
  const uint32_t end = driver.send(finalize(9));
  driver.submit();
  driver.cancel(end);
  driver.cancel(endless);
  CHECK_EQUAL(driver.answer(end).text(), "");
  for (const uint32_t id : {1U, 2U, 3U}) driver.send(finalize(id));
  CHECK_EQUAL(driver.text(close()), "");
}

TEST("a cancelled close leaves the database open, and a cancelled open fails what follows") {
  Opened driver;
  const uint32_t endless = driver.occupy();
  const uint32_t closing = driver.send(close());
  driver.submit();
  driver.cancel(closing);
  driver.cancel(endless);
  CHECK_EQUAL(driver.answer(closing).text(), kInterrupted);
  CHECK_EQUAL(driver.text(all(2)), "0");

  Driver other;
  // Before the batch is submitted: nothing can have begun.
  other.cancel(2);
  const uint32_t early = other.send(wait());
  const uint32_t opening = other.send(open());
  const uint32_t later = other.send(exec("select 1"));
  CHECK_EQUAL(other.answer(early).code, SQLITE_MISUSE);
  CHECK_EQUAL(other.answer(opening).text(), kInterrupted);
  CHECK_EQUAL(other.answer(later).text(), kInterrupted);
}

TEST("requests that are cancelled while they are executed hit no neighbour, at any moment") {
  Opened driver;
  driver.send(prepare(4, kEndless + "select count(*) from (select v from n limit 400)"));
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    constexpr uint32_t kCount = 150;
    uint32_t sequences[kCount];
    bool cancelled[kCount] = {};
    const std::string before = driver.text(all(2));
    for (uint32_t i = 0; i < kCount; ++i) {
      sequences[i] = driver.send(i % 2 == 0 ? run(1).bind(1, int64_t{1}) : all(4));
    }
    driver.submit();
    // Before, behind and at the heels of the thread.
    for (uint32_t at = 0; at < kCount; ++at) {
      if (random.below(4) == 0) driver.take();
      for (uint32_t i = random.below(10); i > 0; --i) std::this_thread::yield();
      if (random.below(2) == 0) continue;
      cancelled[at] = true;
      driver.cancel(sequences[at]);
    }
    driver.answer_all();
    int64_t inserted = 0;
    for (uint32_t i = 0; i < kCount; ++i) {
      const Answer& answer = driver.look(sequences[i]);
      CHECK(answer.answered);
      if (cancelled[i] && answer.code != 0) {
        CHECK_EQUAL(answer.text(), kInterrupted);
      } else {
        CHECK_EQUAL(answer.text(), i % 2 == 0 ? "" : "400");
        inserted += i % 2 == 0 ? 1 : 0;
      }
    }
    CHECK_EQUAL(driver.text(all(2)), std::to_string(std::stoll(before) + inserted));
  }
}

TEST("an interrupt at the same time as a cancelled request takes nothing from it") {
  Opened driver;
  for (int round = 0; round < 300; ++round) {
    const uint32_t first = driver.send(wait());
    const uint32_t second = driver.send(each(3));
    driver.submit();
    driver.cancel(second);
    driver.worker().control().cancel_running();
    // Without its end the second would go on for ever.
    CHECK_EQUAL(driver.answer(second).code, SQLITE_INTERRUPT);
    CHECK(driver.look(first).answered);
  }
}

TEST("a write that is cancelled at its end is answered as executed: what is committed did not fail") {
  CHECK_EQUAL(cancel_writes(long_insert(), [](uint32_t id) { return run(id); }), 0);
}

TEST("a write in a script that is cancelled at its end is answered as executed") {
  CHECK_EQUAL(cancel_writes("select 1", [](uint32_t) { return exec(long_insert()); }), 0);
}

TEST("a write that gives rows and is cancelled among them is answered as executed") {
  const std::string sql = "insert into t values(cancelled()) returning a, zeroblob(100000)";
  // Now and then SQLite asks in time, and takes it back.
  CHECK(cancel_writes(sql, [](uint32_t id) { return all(id); }) < 10);
}
