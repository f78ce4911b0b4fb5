// Requests that bring their SQL text: executed as with a statement of their own, of which nothing is left.
#include "driver.h"
#include "harness.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

struct Opened : Driver {
  Opened() { send(open()); }
};

}  // namespace

TEST("a request with text is executed with its parameters, whatever its kind, kept statement or not") {
  Opened driver;
  driver.send(exec("create table t(a integer primary key, b)"));
  for (int64_t times = 1; times <= 4; ++times) {
    const Answer& inserted = driver.ask(once(kOperationRun, "insert into t(b) values(?)").bind(1, std::string("x")));
    CHECK_EQUAL(inserted.text(), "");
    CHECK_EQUAL(inserted.changes, 1.0);
    CHECK_EQUAL(inserted.last_id, static_cast<double>(times));
    CHECK_EQUAL(driver.text(once(kOperationGet, "select b from t where a = ?").bind(1, times)), "'x'");
    CHECK_EQUAL(driver.text(once(kOperationGet, "select b from t where a = :a").bind_named(":a", times)), "'x'");
    CHECK_EQUAL(driver.ask(once(kOperationAll, "select a from t")).rows.size(), static_cast<size_t>(times));
    CHECK_EQUAL(driver.ask(once(kOperationEach, "select a from t")).rows.size(), static_cast<size_t>(times));
  }
  CHECK_EQUAL(driver.text(close()), "");
}

TEST("a quiet one has no answer unless it fails") {
  Opened driver;
  driver.send(exec("create table t(a unique)"));
  driver.send(once(kOperationRun, "insert into t values(1)", kRequestQuiet));
  const uint32_t failing = driver.send(once(kOperationRun, "insert into t values(1)", kRequestQuiet));
  CHECK_EQUAL(driver.text(once(kOperationGet, "select count(*) from t")), "1");
  CHECK_EQUAL(driver.look(failing).text(), "error 2067: UNIQUE constraint failed: t.a");
}

TEST("a text that cannot be prepared is reported as that, and nothing of it stays") {
  Opened driver;
  for (const Operation operation : {kOperationRun, kOperationGet, kOperationAll, kOperationEach}) {
    const Answer& failed = driver.ask(once(operation, "select nope"));
    CHECK_EQUAL(failed.text(), "error 1: no such column: nope");
    CHECK((failed.flags & kResultPrepareFailed) != 0);
    CHECK_EQUAL(failed.offset, 7);
    CHECK_EQUAL(driver.text(once(operation, std::string("select 1\0", 9))),
                "error 21: SQL text contains a NUL character");
  }
  CHECK_EQUAL(driver.text(close()), "");
  CHECK_EQUAL(driver.text(once(kOperationGet, "select 1")), "error 21: Database handle is closed");
}

TEST("errors of parameters and of the execution leave the connection as it was") {
  Opened driver;
  for (int times = 0; times < 4; ++times) {
    CHECK_EQUAL(driver.text(once(kOperationGet, "select ?").bind(2, int64_t{1})),
                "error 25: column index out of range");
    CHECK_EQUAL(driver.text(once(kOperationGet, "")), "error 21: not an error");
    CHECK_EQUAL(driver.text(once(kOperationAll, "select abs(-9223372036854775808)")), "error 1: integer overflow");
    CHECK_EQUAL(driver.text(once(kOperationGet, "select 1")), "1");
  }
  CHECK_EQUAL(driver.text(close()), "");
}

TEST("whoever has the answer meets no lock of it") {
  const TemporaryFile file;
  Driver reader;
  Driver writer;
  reader.send(open(file.name()));
  writer.send(open(file.name()));
  writer.send(configure(kOptionBusyTimeout, 0));
  CHECK_EQUAL(writer.text(exec("create table t(a); insert into t values(1), (2), (1)")), "");
  for (int times = 0; times < 4; ++times) {
    CHECK_EQUAL(reader.text(once(kOperationGet, "select a from t")), "1");
    CHECK_EQUAL(writer.text(exec("update t set a = a")), "");
    CHECK_EQUAL(reader.text(once(kOperationAll, "select json(a || '}') from t")), "error 1: malformed JSON");
    CHECK_EQUAL(writer.text(exec("update t set a = a")), "");
  }
}

TEST("the end of the execution is an event of the request, before its answer") {
  Opened driver;
  driver.send(configure(kOptionProfile, 1));
  for (int times = 0; times < 4; ++times) {
    CHECK_EQUAL(driver.ask(once(kOperationGet, "values(1), (2)")).events.size(), size_t{1});
    CHECK_EQUAL(driver.ask(once(kOperationRun, "values(1), (2)")).events.size(), size_t{1});
    CHECK_EQUAL(driver.ask(once(kOperationEach, "values(1), (2)")).events.size(), size_t{1});
  }
}

TEST("one whose text is damaged is an error") {
  Opened driver;
  std::string record = once(kOperationGet, "select 1").record(0);
  record[kRequestBodyAt] = 100;
  CHECK_EQUAL(driver.answer(driver.send_record(record)).text(), "error 2: damaged request");
  record[kRequestBodyAt] = 8;
  CHECK_EQUAL(driver.answer(driver.send_record(record)).text(), "error 2: damaged request");
}

TEST("a waiting one can be cancelled, and nothing of it is executed") {
  Opened driver;
  driver.send(exec("create table t(a)"));
  const uint32_t endless = driver.send(
      once(kOperationAll, "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"));
  const uint32_t cancelled = driver.send(once(kOperationRun, "insert into t values(1)"));
  driver.submit();
  driver.cancel(cancelled);
  driver.cancel(endless);
  CHECK_EQUAL(driver.answer(endless).text(), "error 9: interrupted");
  CHECK_EQUAL(driver.answer(cancelled).text(), "error 9: interrupted");
  CHECK_EQUAL(driver.text(once(kOperationGet, "select count(*) from t")), "0");
}
