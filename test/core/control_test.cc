// What reaches a busy thread out of turn: interrupt, stop, proceed, and a consumer that makes room again.
#include <chrono>
#include <thread>

#include "driver.h"
#include "harness.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

const std::string kEndless = "with recursive n(v) as (select 1 union all select v + 1 from n) ";

struct Opened : Driver {
  explicit Opened(const std::string& name = ":memory:") { send(open(name)); }

  // Takes results until the request has delivered rows: it is running then.
  void wait_for_rows(uint32_t sequence) {
    submit();
    while (look(sequence).rows.empty()) {
      if (!take()) wait_for_results();
    }
  }

  // Interrupts what runs until the request is answered: the first attempt may have come before it began.
  const Answer& interrupt(uint32_t sequence) {
    submit();
    while (!look(sequence).answered) {
      worker().control().cancel_running();
      if (!take()) std::this_thread::yield();
    }
    return look(sequence);
  }
};

}  // namespace

TEST("an interrupt ends the request that runs with SQLITE_INTERRUPT, and none behind it") {
  Opened driver;
  driver.send(prepare(1, kEndless + "select v from n"));
  driver.send(prepare(2, kEndless + "select count(*) from (select v from n limit 100000)"));
  const uint32_t endless = driver.send(each(1));
  const uint32_t next = driver.send(all(2));
  driver.wait_for_rows(endless);
  driver.worker().control().cancel_running();
  CHECK_EQUAL(driver.answer(endless).text(), "error 9: interrupted");
  CHECK_EQUAL(driver.answer(next).text(), "100000");
  CHECK_EQUAL(driver.interrupt(driver.send(exec(kEndless + "select v from n where v < 0"))).code, SQLITE_INTERRUPT);
  CHECK_EQUAL(driver.text(all(2)), "100000");
}

TEST("an interrupt of an idle thread hits nothing that comes later") {
  Opened driver;
  driver.send(prepare(1, kEndless + "select count(*) from (select v from n limit 20000)"));
  for (int i = 0; i < 20; ++i) {
    CHECK_EQUAL(driver.text(wait()), "");
    driver.worker().control().cancel_running();
    CHECK_EQUAL(driver.text(all(1)), "20000");
  }
}

TEST("a statement that waits for a lock gives up after the busy timeout, and not before") {
  const TemporaryFile file;
  Other other(file);
  other.exec("create table t(a); begin immediate");
  Opened driver(file.name());
  driver.send(configure(kOptionBusyTimeout, 60));
  driver.send(prepare(1, "insert into t values(1)"));
  driver.text(wait());
  const Clock::time_point start = Clock::now();
  CHECK_EQUAL(driver.text(run(1)), "error 5: database is locked");
  CHECK(Clock::now() - start >= std::chrono::milliseconds(60));
  driver.send(configure(kOptionBusyTimeout, 0));
  CHECK_EQUAL(driver.ask(run(1)).code, SQLITE_BUSY);
  other.exec("rollback");
  CHECK_EQUAL(driver.text(run(1)), "");
}

TEST("a statement that waits for a lock is not at work meanwhile") {
  const TemporaryFile file;
  Other other(file);
  other.exec("create table t(a); begin immediate");
  Opened driver(file.name());
  driver.send(configure(kOptionBusyTimeout, 600000));
  driver.send(prepare(1, "insert into t values(1)"));
  driver.text(wait());
  const Stopwatch& stopwatch = driver.worker().stopwatch();
  const int64_t before = stopwatch.busy();
  const uint32_t waiting = driver.send(run(1));
  driver.submit();
  while (stopwatch.busy() == before) std::this_thread::yield();
  // It cannot end: it rests because it waits. The answer before may have left a moment of work behind it.
  const Clock::time_point patience = Clock::now() + std::chrono::seconds(60);
  const auto waits = [&] { return stopwatch.started() == 0 && Stopwatch::working() == 0; };
  while (!waits() && Clock::now() < patience) std::this_thread::yield();
  CHECK(waits() || Clock::now() < patience);
  other.exec("rollback");
  CHECK_EQUAL(driver.answer(waiting).text(), "");
}

TEST("a statement that waits for a lock goes on when the lock is given back") {
  const TemporaryFile file;
  Other other(file);
  other.exec("create table t(a)");
  Opened driver(file.name());
  driver.send(configure(kOptionBusyTimeout, 600000));
  driver.send(prepare(1, "insert into t values(1)"));
  driver.text(wait());
  for (int i = 0; i < 10; ++i) {
    other.exec("begin immediate");
    const uint32_t waiting = driver.send(run(1));
    driver.submit();
    for (int j = 0; j < i * 100; ++j) std::this_thread::yield();
    // Not a commit, which needs that nobody reads: the one who waits does so in between.
    other.exec("rollback");
    CHECK_EQUAL(driver.answer(waiting).text(), "");
  }
}

TEST("an interrupt and a stop wake a statement that waits for a lock") {
  const TemporaryFile file;
  Other other(file);
  other.exec("create table t(a); begin immediate");
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < 20; ++i) {
    Opened driver(file.name());
    // Ten minutes: longer than any patience.
    driver.send(configure(kOptionBusyTimeout, 600000));
    driver.send(prepare(1, "insert into t values(1)"));
    CHECK_EQUAL(driver.text(wait()), "");
    const int code = driver.interrupt(driver.send(run(1))).code & 0xFF;
    CHECK(code == SQLITE_BUSY || code == SQLITE_INTERRUPT);
    driver.send(run(1));
    driver.submit();
    for (int j = 0; j < i * 50; ++j) std::this_thread::yield();
    driver.stop();
    CHECK(driver.ended());
  }
  CHECK(Clock::now() - start < std::chrono::minutes(3));
}

TEST("a shared cache makes a reader wait for a writer, and a stop wakes it") {
  // Named memory that connections of this process share.
  const std::string name = "file:core-test?mode=memory&cache=shared";
  const uint32_t flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
  Driver writer;
  writer.send(open(name, flags));
  writer.send(exec("create table t(a); begin immediate; insert into t values(1)"));
  CHECK_EQUAL(writer.text(wait()), "");
  {
    Driver reader;
    reader.send(open(name, flags));
    reader.send(configure(kOptionBusyTimeout, 600000));
    reader.send(exec("select a from t"));
    reader.submit();
    reader.stop();
  }
  Driver reader;
  reader.send(open(name, flags));
  reader.send(configure(kOptionBusyTimeout, 20));
  CHECK_EQUAL(reader.ask(exec("select a from t")).code & 0xFF, SQLITE_LOCKED);
  reader.send(configure(kOptionBusyTimeout, 600000));
  const uint32_t waiting = reader.send(exec("select a from t"));
  reader.submit();
  CHECK_EQUAL(writer.text(exec("commit")), "");
  CHECK_EQUAL(reader.answer(waiting).text(), "");
}

TEST("a large result never has more undelivered than the high-water mark and one record, and comes whole") {
  for (const size_t mark : {size_t{0}, size_t{1000}, size_t{200000}}) {
    Opened driver;
    driver.send(configure(kOptionHighWaterMark, static_cast<double>(mark)));
    driver.send(prepare(1, kEndless + "select v, zeroblob(1000) from n limit 4000"));
    CHECK_EQUAL(driver.text(wait()), "");
    const uint32_t large = driver.send(all(1));
    driver.submit();
    ResultQueue& results = driver.worker().results();
    // A record has 64 KiB and the row that passed them.
    constexpr size_t kRecord = 70000;
    while (!driver.look(large).answered) {
      // Until the mark is passed nothing is taken: the thread is then paused, or has come to the end.
      driver.wait_for_results();
      for (int i = 0; i < 1000 && results.undelivered() <= mark; ++i) std::this_thread::yield();
      CHECK(results.undelivered() <= mark + kRecord);
      while (driver.take()) CHECK(results.undelivered() <= mark + kRecord);
    }
    CHECK_EQUAL(driver.look(large).rows.size(), size_t{4000});
    CHECK_EQUAL(results.undelivered(), size_t{0});
  }
}

TEST("many small answers stop at the high-water mark, too, and none is lost") {
  Opened driver;
  driver.send(configure(kOptionHighWaterMark, 1000));
  CHECK_EQUAL(driver.text(wait()), "");
  uint32_t last = 0;
  for (int i = 0; i < 5000; ++i) last = driver.send(wait());
  driver.submit();
  while (driver.worker().results().undelivered() <= 1000) std::this_thread::yield();
  CHECK(driver.worker().results().undelivered() <= 1000 + kDoneLength);
  CHECK_EQUAL(driver.answer(last).text(), "");
  CHECK_EQUAL(driver.unanswered(), size_t{0});
}

TEST("a held thread executes nothing until it may proceed, once for each answer") {
  Opened driver;
  driver.send(exec("create table t(a)"));
  driver.send(configure(kOptionEager, 0));
  CHECK_EQUAL(driver.text(wait()), "");
  uint32_t sequences[4];
  for (uint32_t& each : sequences) each = driver.send(exec("insert into t values(1)"));
  driver.submit();
  // The wait above was held as well.
  for (const uint32_t each : sequences) {
    for (int i = 0; i < 200; ++i) {
      std::this_thread::yield();
      CHECK_EQUAL(driver.worker().results().undelivered(), size_t{0});
    }
    driver.worker().control().proceed();
    CHECK((driver.answer(each).flags & kResultHeld) != 0);
  }
  driver.worker().control().proceed();
  driver.worker().control().proceed();
  CHECK_EQUAL(driver.text(configure(kOptionEager, 1)), "");
  CHECK((driver.ask(wait()).flags & kResultHeld) == 0);
}

TEST("quiet requests are never held, and a held thread can be stopped") {
  Opened driver;
  driver.send(configure(kOptionEager, 0, 0, kRequestQuiet));
  for (int i = 0; i < 10; ++i) driver.send(exec("select 1", kRequestQuiet));
  CHECK_EQUAL(driver.text(exec("select 2", kRequestQuiet)), "");
  CHECK((driver.ask(wait()).flags & kResultHeld) != 0);
  driver.send(wait());
  driver.submit();
  driver.stop();
}

TEST("the time at work grows while a request runs, and stands still while nothing does") {
  Opened driver;
  CHECK_EQUAL(driver.text(wait()), "");
  driver.send(prepare(1, kEndless + "select v from n"));
  const uint32_t endless = driver.send(each(1));
  driver.wait_for_rows(endless);
  Stopwatch& stopwatch = driver.worker().stopwatch();
  const int64_t before = stopwatch.busy();
  CHECK(before > 0);
  while (stopwatch.busy() == before) {
    if (!driver.take()) std::this_thread::yield();
  }
  driver.interrupt(endless);
  // The thread has settled when the number does not change any more.
  for (int64_t last = -1; last != stopwatch.busy();) {
    last = stopwatch.busy();
    for (int i = 0; i < 100; ++i) std::this_thread::yield();
  }
  CHECK(stopwatch.busy() > before);
}

TEST("a recording has spans in order, none of which overlap") {
  Opened driver;
  Stopwatch& stopwatch = driver.worker().stopwatch();
  stopwatch.record(true);
  for (int i = 0; i < 50; ++i) driver.text(exec("select 1"));
  stopwatch.record(false);
  CHECK_EQUAL(driver.text(wait()), "");
  uint8_t bytes[2 * sizeof(int64_t)];
  int64_t last = 0;
  int count = 0;
  while (stopwatch.take(bytes, 1) == 1) {
    const int64_t start = read_at<int64_t>(bytes, 0);
    const int64_t end = read_at<int64_t>(bytes, sizeof(int64_t));
    CHECK(start >= last && end >= start);
    last = end;
    ++count;
  }
  CHECK(count >= 49);
}

TEST("a thread can be stopped at any moment, with anything queued and undelivered") {
  const TemporaryFile file;
  for (uint32_t seed = 0; seed < 120; ++seed) {
    Random random(seed);
    Driver driver;
    driver.send(open(seed % 2 == 0 ? ":memory:" : file.name()));
    driver.send(configure(kOptionHighWaterMark, random.below(2) == 0 ? 0 : 100000));
    driver.send(exec("create table if not exists t(a)", kRequestQuiet));
    driver.send(prepare(1, kEndless + "select v, 'text' from n limit 3000"));
    driver.send(prepare(2, "insert into t values(?)", kRequestQuiet));
    const uint32_t count = random.below(20);
    for (uint32_t i = 0; i < count; ++i) {
      switch (random.below(6)) {
        case 0:
          driver.send(all(1));
          break;
        case 1:
          driver.send(get(1));
          break;
        case 2:
          driver.send(run(2, kRequestQuiet).bind(1, std::string("x")));
          break;
        case 3:
          driver.send(exec(kEndless + "select count(*) from n", kRequestQuiet));
          break;
        case 4:
          driver.send(configure(kOptionEager, random.below(2), 0));
          break;
        default:
          driver.submit();
          for (uint32_t j = random.below(100); j > 0; --j) {
            driver.take();
            std::this_thread::yield();
          }
      }
    }
    driver.submit();
    for (uint32_t j = random.below(200); j > 0; --j) std::this_thread::yield();
    driver.stop();
    // What was finished may still be taken.
    while (driver.take()) continue;
  }
}
