// fetch: rows in portions, a statement that is parked in between, and all that can end it.
#include <thread>

#include "driver.h"
#include "harness.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

constexpr uint32_t kNoLimit = UINT32_MAX;
const std::string kCount = "with recursive n(v) as (select 1 union all select v + 1 from n) ";

Message some(uint32_t statement, uint32_t most_rows, uint32_t most_bytes = kNoLimit) {
  return fetch(statement).word(most_rows).word(most_bytes);
}

struct Opened : Driver {
  explicit Opened(const std::string& name = ":memory:") {
    send(open(name));
    send(exec("create table if not exists t(a); insert into t values(1), (2), (3), (4), (5)"));
    send(prepare(1, "select a from t order by rowid"));
  }

  // The answer's text, followed by " ..." if the statement is parked.
  std::string portion(const Message& message) {
    const Answer& answer = ask(message);
    return answer.text() + ((answer.flags & kResultParked) != 0 ? " ..." : "");
  }
};

}  // namespace

TEST("fetch goes through the rows in portions and says when there are no more") {
  Opened driver;
  CHECK_EQUAL(driver.portion(some(1, 2)), "1;2 ...");
  CHECK_EQUAL(driver.portion(some(1, 2)), "3;4 ...");
  CHECK_EQUAL(driver.portion(some(1, 2)), "5");
  // Then it begins anew.
  CHECK_EQUAL(driver.portion(some(1, 1)), "1 ...");
  CHECK_EQUAL(driver.portion(some(1, 0)), "2 ...");
  CHECK_EQUAL(driver.portion(some(1, 100)), "3;4;5");
  CHECK_EQUAL(driver.portion(some(1, 5)), "1;2;3;4;5 ...");
  CHECK_EQUAL(driver.portion(some(1, 5)), "");
  CHECK_EQUAL(driver.portion(some(1, kNoLimit)), "1;2;3;4;5");
}

TEST("fetch ends a portion with the row that passes the limit of bytes") {
  Opened driver;
  driver.send(prepare(2, kCount + "select v, zeroblob(1000) from n limit 300"));
  size_t rows = 0;
  for (;;) {
    const Answer& answer = driver.ask(some(2, kNoLimit, 10000));
    CHECK(answer.rows.size() <= 10);
    rows += answer.rows.size();
    if ((answer.flags & kResultParked) == 0) break;
    CHECK(answer.rows.size() >= 9);
  }
  CHECK_EQUAL(rows, size_t{300});
  CHECK_EQUAL(driver.ask(some(2, kNoLimit, 0)).rows.size(), size_t{1});
  driver.text(reset(2));
  // More than one record in a portion: the limit counts all of them.
  const Answer& large = driver.ask(some(2, kNoLimit, 150000));
  CHECK_EQUAL(large.records, 3);
  CHECK((large.flags & kResultParked) != 0);
  CHECK(large.rows.size() >= 145 && large.rows.size() <= 150);
}

TEST("a parked statement keeps its place while the connection executes other requests") {
  Opened driver;
  driver.send(prepare(2, "select a from t order by rowid desc"));
  driver.send(prepare(3, "insert into u values(?)"));
  CHECK_EQUAL(driver.portion(some(1, 2)), "1;2 ...");
  CHECK_EQUAL(driver.portion(some(2, 1)), "5 ...");
  CHECK_EQUAL(driver.text(exec("create table u(b); insert into u values(1); begin; insert into u values(2); commit")),
              "");
  CHECK_EQUAL(driver.portion(some(1, 1)), "3 ...");
  CHECK_EQUAL(driver.portion(some(2, 100)), "4;3;2;1");
  CHECK_EQUAL(driver.portion(some(1, 100)), "4;5");
}

TEST("parameters begin a cursor anew, and a reset ends it") {
  Opened driver;
  driver.send(prepare(2, "select a + ? from t order by rowid"));
  CHECK_EQUAL(driver.portion(fetch(2).bind(1, int64_t{10}).word(2).word(kNoLimit)), "11;12 ...");
  CHECK_EQUAL(driver.portion(fetch(2).bind(1, int64_t{20}).word(2).word(kNoLimit)), "21;22 ...");
  CHECK_EQUAL(driver.portion(some(2, 2)), "23;24 ...");
  CHECK_EQUAL(driver.text(reset(2)), "");
  CHECK_EQUAL(driver.portion(some(2, 1)), "21 ...");
  CHECK_EQUAL(driver.portion(fetch(2).bind(2, int64_t{1}).word(1).word(1)), "error 25: column index out of range");
}

TEST("a parked statement keeps others from writing until it is reset, or finalized") {
  const TemporaryFile file;
  Opened driver(file.name());
  CHECK_EQUAL(driver.text(exec("pragma journal_mode = delete")), "");
  for (const bool finalized : {false, true}) {
    CHECK_EQUAL(driver.portion(some(1, 1)), "1 ...");
    Other other(file);
    CHECK_EQUAL(other.code("begin exclusive"), SQLITE_BUSY);
    CHECK_EQUAL(driver.text(finalized ? finalize(1) : reset(1)), "");
    CHECK_EQUAL(other.code("begin exclusive"), SQLITE_OK);
    other.exec("rollback");
  }
}

TEST("the last row of a cursor gives its locks back before the answer") {
  const TemporaryFile file;
  Opened driver(file.name());
  for (int i = 0; i < 20; ++i) {
    CHECK_EQUAL(driver.portion(some(1, 3)), "1;2;3 ...");
    CHECK_EQUAL(driver.portion(some(1, 3)), "4;5");
    Other other(file);
    CHECK_EQUAL(other.code("begin exclusive"), SQLITE_OK);
    other.exec("rollback");
  }
}

TEST("an error in the middle comes behind the rows before it, ends the cursor, and the next fetch begins anew") {
  Opened driver;
  driver.send(prepare(2, "select abs(case a when 4 then -9223372036854775807 - 1 else a end) from t order by rowid"));
  for (int i = 0; i < 2; ++i) {
    CHECK_EQUAL(driver.portion(some(2, 2)), "1;2 ...");
    const Answer& failed = driver.ask(some(2, 10));
    CHECK_EQUAL(failed.text(), "error 1: integer overflow");
    CHECK_EQUAL(failed.rows.size(), size_t{1});
    CHECK((failed.flags & kResultParked) == 0);
  }
  CHECK_EQUAL(driver.text(exec("begin immediate; rollback")), "");
}

TEST("a rollback of the transaction under a cursor is the cursor's error") {
  Opened driver;
  driver.send(exec("begin; insert into t values(6)"));
  CHECK_EQUAL(driver.portion(some(1, 1)), "1 ...");
  CHECK_EQUAL(driver.text(exec("create table u(a); rollback")), "");
  CHECK_EQUAL(driver.ask(some(1, 1)).code & 0xFF, SQLITE_ABORT);
  CHECK_EQUAL(driver.portion(some(1, 10)), "1;2;3;4;5");
}

TEST("a statement that writes and returns rows is not parked: its changes are committed with the answer") {
  const TemporaryFile file;
  Opened driver(file.name());
  driver.send(prepare(2, "insert into t select a + 10 from t returning a"));
  CHECK_EQUAL(driver.portion(some(2, 1, 1)), "11;12;13;14;15");
  Other other(file);
  other.exec("begin exclusive; rollback");
}

TEST("get and fetch share one cursor, and run, all and each leave it") {
  Opened driver;
  CHECK_EQUAL(driver.text(get(1)), "1");
  CHECK_EQUAL(driver.portion(some(1, 1)), "2 ...");
  CHECK_EQUAL(driver.text(get(1)), "3");
  CHECK_EQUAL(driver.portion(some(1, 5)), "4;5");
  for (const Message& whole : {all(1), each(1), run(1)}) {
    CHECK_EQUAL(driver.portion(some(1, 2)), "1;2 ...");
    driver.ask(whole);
    CHECK_EQUAL(driver.portion(some(1, 2)), "1;2 ...");
    driver.ask(reset(1));
  }
}

TEST("an error that get met while looking ahead is that of the next fetch, which then begins anew") {
  Opened driver;
  driver.send(prepare(
      2, "select case v when 1 then 'x' else abs(-9223372036854775808) end from (select 1 as v union all select 2)"));
  CHECK_EQUAL(driver.text(get(2)), "'x'");
  CHECK_EQUAL(driver.text(some(2, 1)), "error 1: integer overflow");
  CHECK_EQUAL(driver.portion(some(2, 1)), "'x' ...");
}

TEST("a fetch behind a row for which the search for the next was given up goes on behind that row") {
  Opened driver;
  // A row in a hundred thousand steps: looking ahead is given up.
  driver.send(prepare(2, kCount + "select v from n where v % 100000 = 0 limit 4"));
  CHECK_EQUAL(driver.text(get(2)), "100000");
  CHECK_EQUAL(driver.portion(some(2, 2)), "200000;300000 ...");
  CHECK_EQUAL(driver.text(get(2)), "400000");
  CHECK_EQUAL(driver.portion(some(2, 2)), "");
}

TEST("a cancelled fetch ends the cursor, whether it ran or waited") {
  const TemporaryFile file;
  Opened driver(file.name());
  driver.send(prepare(2, kCount + "select v from n"));
  CHECK_EQUAL(driver.portion(some(1, 1)), "1 ...");
  CHECK_EQUAL(driver.portion(some(2, 3)), "1;2;3 ...");
  const uint32_t runs = driver.send(some(2, kNoLimit));
  const uint32_t waits = driver.send(some(1, 1));
  driver.submit();
  while (driver.look(runs).rows.empty()) {
    if (!driver.take()) driver.wait_for_results();
  }
  driver.cancel(waits);
  driver.cancel(runs);
  CHECK_EQUAL(driver.answer(runs).text(), "error 9: interrupted");
  CHECK_EQUAL(driver.answer(waits).text(), "error 9: interrupted");
  Other other(file);
  CHECK_EQUAL(other.code("begin exclusive"), SQLITE_OK);
  other.exec("rollback");
  CHECK_EQUAL(driver.portion(some(2, 1)), "1 ...");
  CHECK_EQUAL(driver.portion(some(1, 1)), "1 ...");
}

TEST("a fetch that is cut short is an error of ours, and one without a statement is misuse") {
  Opened driver;
  CHECK_EQUAL(driver.ask(fetch(1)).code, SQLITE_INTERNAL);
  CHECK_EQUAL(driver.portion(some(1, 1)), "1 ...");
  driver.send(prepare(2, "-- nothing"));
  CHECK_EQUAL(driver.ask(some(2, 1)).code, SQLITE_MISUSE);
}

TEST("a thread can be stopped, and a close is refused, while a statement is parked") {
  Opened driver;
  CHECK_EQUAL(driver.portion(some(1, 1)), "1 ...");
  CHECK_EQUAL(driver.ask(close()).code, SQLITE_BUSY);
  CHECK_EQUAL(driver.portion(some(1, 1)), "2 ...");
  driver.stop();
}

TEST("each portion has the mode of integers that its fetch asks for") {
  Opened driver;
  CHECK_EQUAL(driver.portion(some(1, 1).integers(kIntegersBigint)), "1n ...");
  CHECK_EQUAL(driver.portion(some(1, 1)), "2 ...");
  CHECK_EQUAL(driver.portion(some(1, 1).integers(kIntegersMixed)), "3 ...");
}
