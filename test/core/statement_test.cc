// Requests to statements: preparing, binding, run, and the cursor of get with its look ahead.
#include "driver.h"
#include "harness.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

const std::string kEndless = "with recursive n(v) as (select 1 union all select v + 1 from n) ";

// Opens a database with a table t(a).
struct Opened : Driver {
  explicit Opened(const std::string& rows = "") {
    send(open());
    send(exec("create table t(a unique)"));
    if (!rows.empty()) send(exec("insert into t values " + rows));
  }
};

}  // namespace

TEST("a failed preparation gives its error to every later request of the statement") {
  Opened driver;
  const std::string expected = "error 1: near \"selec\": syntax error";
  const Answer& failed = driver.ask(prepare(1, "  selec 1"));
  CHECK_EQUAL(failed.text(), expected);
  CHECK_EQUAL(failed.offset, 2);
  CHECK((failed.flags & kResultPrepareFailed) != 0);
  for (const Message& each : {bind(1), run(1), get(1), all(1), each(1), reset(1), finalize(1)}) {
    CHECK_EQUAL(driver.text(each), expected);
  }
  driver.send(prepare(1, "select 5"));
  CHECK_EQUAL(driver.text(get(1)), "5");
}

TEST("a text without a statement is prepared, and misuse when it is executed") {
  Opened driver;
  for (const char* sql : {"", "  ", "-- nothing"}) {
    driver.send(prepare(1, sql));
    for (const Message& each : {run(1), get(1), all(1)}) CHECK_EQUAL(driver.text(each), "error 21: not an error");
    CHECK_EQUAL(driver.text(finalize(1)), "");
  }
}

TEST("SQL with NUL is refused") {
  Opened driver;
  CHECK_EQUAL(driver.text(prepare(1, std::string("select 1\0 as a", 14))),
              "error 21: SQL text contains a NUL character");
}

TEST("run counts changes, gives the last id, and steps to the end") {
  Opened driver;
  driver.send(prepare(1, "insert into t values(?), (?) returning a"));
  const Answer& ran = driver.ask(run(1).bind(1, int64_t{5}).bind(2, int64_t{6}));
  CHECK_EQUAL(ran.changes, 2.0);
  CHECK_EQUAL(ran.last_id, 2.0);
  CHECK(ran.rows.empty());
  driver.send(prepare(2, "select a from t"));
  CHECK_EQUAL(driver.text(all(2)), "5;6");
}

TEST("values of every type are bound by position and by name") {
  Opened driver;
  driver.send(prepare(1, "select ?1, ?2, ?3, ?4, ?5, ?6, ?7"));
  Message get_all = get(1);
  get_all.bind(1, -(int64_t{1} << 40)).bind(2, 0.5).bind(3, std::string("t\0t", 3)).bind_blob(4, "\xFF");
  get_all.bind_blob(5, "").bind(6, std::string()).bind_null(7);
  CHECK_EQUAL(driver.text(get_all), std::string("-1099511627776|0.5|'t\0t'|x'ff'|x''|''|null", 42));
  driver.send(prepare(2, "select $a, :b, @c"));
  CHECK_EQUAL(driver.text(get(2).bind_named("@c", 3).bind_named("$a", 1).bind_named(":b", 2)), "1|2|3");
}

TEST("parameters that do not fit are out of range, and the statement stays usable") {
  Opened driver;
  driver.send(prepare(1, "select ?1, $a"));
  const std::string expected = "error 25: column index out of range";
  CHECK_EQUAL(driver.text(get(1).bind(3, int64_t{1})), expected);
  CHECK_EQUAL(driver.text(get(1).bind(0, int64_t{1})), expected);
  CHECK_EQUAL(driver.text(get(1).bind(0xFFFFFFFF, int64_t{1})), expected);
  CHECK_EQUAL(driver.text(get(1).bind_named("$b", 1)), expected);
  CHECK_EQUAL(driver.text(get(1).bind_named(std::string("$a\0", 3), 1)), expected);
  CHECK_EQUAL(driver.text(get(1).bind(1, int64_t{1}).bind_named("$a", 2)), "1|2");
}

TEST("parameters that are cut short are an error of ours") {
  Opened driver;
  driver.send(prepare(1, "select ?1"));
  CHECK_EQUAL(driver.ask(Message(kOperationGet, 1).word(1).word(1)).code, SQLITE_INTERNAL);
  CHECK_EQUAL(driver.ask(get(1).bind(1, std::string("text")).word(1)).code, 0);
  Message too_long = Message(kOperationGet, 1);
  CHECK_EQUAL(driver.ask(too_long.word(1).word(1).word(kParameterText).word(1).integer(1000)).code, SQLITE_INTERNAL);
  Message endless = Message(kOperationGet, 1);
  CHECK_EQUAL(driver.ask(endless.word(1).word(1).word(kParameterBlob).word(1).integer(-1)).code, SQLITE_INTERNAL);
}

TEST("bindings stay until a request brings parameters, which replace all of them") {
  Opened driver;
  driver.send(prepare(1, "select ?1, ?2"));
  driver.send(bind(1).bind(1, int64_t{1}).bind(2, int64_t{2}));
  CHECK_EQUAL(driver.text(all(1)), "1|2");
  CHECK_EQUAL(driver.text(all(1)), "1|2");
  CHECK_EQUAL(driver.text(all(1).bind(2, int64_t{3})), "null|3");
  CHECK_EQUAL(driver.text(reset(1)), "");
  CHECK_EQUAL(driver.text(all(1)), "null|3");
}

TEST("get walks the rows, stays behind the last one, and starts again after a reset or with parameters") {
  Opened driver("(1), (2), (3)");
  driver.send(prepare(1, "select a from t where a >= ifnull(?, 0)"));
  for (const char* row : {"1", "2", "3", "", ""}) CHECK_EQUAL(driver.text(get(1)), row);
  driver.send(reset(1));
  CHECK_EQUAL(driver.text(get(1)), "1");
  CHECK_EQUAL(driver.text(get(1).bind(1, int64_t{2})), "2");
  CHECK_EQUAL(driver.text(get(1)), "3");
  CHECK_EQUAL(driver.text(all(1)), "2;3");
  CHECK_EQUAL(driver.text(get(1)), "");
}

TEST("get of the only row gives its locks back, get of one of many keeps them") {
  const TemporaryFile file;
  Other other(file);
  other.exec("create table t(a); insert into t values(1), (2)");
  Driver driver;
  driver.send(open(file.name()));
  driver.send(prepare(1, "select a from t where a = 1"));
  CHECK_EQUAL(driver.text(get(1)), "1");
  other.exec("insert into t values(3)");
  driver.send(prepare(2, "select a from t"));
  CHECK_EQUAL(driver.text(get(2)), "1");
  driver.send(prepare(3, "select count(*) from t"));
  driver.send(get(3, kRequestOneShot));
  driver.send(reset(2));
  CHECK_EQUAL(driver.text(wait()), "");
  other.exec("insert into t values(4)");
  CHECK_EQUAL(driver.text(get(3)), "4");
}

TEST("get of a statement that is used once reads no second row") {
  Opened driver("(1), (2)");
  // The second row would be an error.
  driver.send(prepare(1, "select case a when 1 then 'x' else abs(-9223372036854775808) end from t"));
  CHECK_EQUAL(driver.text(get(1, kRequestOneShot)), "'x'");
  CHECK_EQUAL(driver.text(finalize(1)), "");
}

TEST("get of a statement that writes makes all its changes and commits them before its row is reported") {
  Opened driver("(1), (2)");
  driver.send(prepare(1, "insert into t select a + 10 from t returning a"));
  CHECK_EQUAL(driver.text(get(1)), "11");
  driver.send(prepare(2, "select sum(a) from t"));
  CHECK_EQUAL(driver.text(get(2)), "26");
  driver.send(
      exec("pragma foreign_keys = on; create table parent(a integer primary key);"
           "create table child(a references parent deferrable initially deferred)"));
  driver.send(prepare(3, "insert into child values(5) returning a"));
  CHECK_EQUAL(driver.text(get(3)), "error 787: FOREIGN KEY constraint failed");
  driver.send(prepare(4, "select count(*) from child"));
  CHECK_EQUAL(driver.text(get(4)), "0");
}

TEST("an error that was met while looking ahead is that of the next get, then it starts again") {
  Opened driver("(1), (2)");
  driver.send(prepare(1, "select case a when 1 then 'x' else abs(-9223372036854775808) end from t"));
  CHECK_EQUAL(driver.text(get(1)), "'x'");
  CHECK_EQUAL(driver.text(get(1)), "error 1: integer overflow");
  CHECK_EQUAL(driver.text(get(1)), "'x'");
  CHECK_EQUAL(driver.text(reset(1)), "");
  CHECK_EQUAL(driver.text(get(1)), "'x'");
}

TEST("get passes a row behind which the search for the next one would not end") {
  Opened driver;
  driver.send(prepare(1, kEndless + "select v from n where v = 1"));
  CHECK_EQUAL(driver.text(get(1)), "1");
  CHECK_EQUAL(driver.text(reset(1)), "");
  CHECK_EQUAL(driver.text(get(1)), "1");
}

TEST("get walks rows that are far apart, each once, and other connections change nothing of that") {
  const TemporaryFile file;
  Other other(file);
  other.exec("pragma journal_mode = wal; create table t(a integer primary key)");
  other.exec(kEndless + "insert into t select v from n limit 200000");
  Driver driver;
  driver.send(open(file.name()));
  driver.send(prepare(1, "select a from t where a + 0 in (1, 2, 3, 90000, 90001, 190000)"));
  for (int times = 0; times < 3; ++times) {
    for (const char* row : {"1", "2", "3", "90000", "90001", "190000"}) {
      CHECK_EQUAL(driver.text(get(1)), row);
      other.exec(std::string("delete from t where a = ") + row);
    }
    CHECK_EQUAL(driver.text(get(1)), "");
    other.exec("insert into t values(1), (2), (3), (90000), (90001), (190000)");
    driver.send(reset(1));
  }
}

TEST("a get that looked ahead in vain is one execution to those who trace") {
  Opened driver;
  driver.send(configure(tandem::kOptionTrace, 1));
  driver.send(prepare(1, kEndless + "select v from n where v = 1"));
  CHECK_EQUAL(driver.ask(get(1)).events.size(), size_t{1});
}

TEST("an error far behind a row is that of the next get, then it starts again") {
  Opened driver;
  driver.send(prepare(1, kEndless + "select case v when 1 then 'x' else abs(-9223372036854775808) end from n " +
                             "where v = 1 or v = 100000"));
  for (int times = 0; times < 3; ++times) {
    CHECK_EQUAL(driver.text(get(1)), "'x'");
    CHECK_EQUAL(driver.text(get(1)), "error 1: integer overflow");
  }
}

TEST("an open transaction outlives a search that was given up") {
  Opened driver("(0)");
  driver.send(exec("begin; insert into t values(7)"));
  driver.send(prepare(1, kEndless + "select v from n where v = 1"));
  CHECK_EQUAL(driver.text(get(1)), "1");
  driver.send(reset(1));
  driver.send(exec("commit"));
  driver.send(prepare(2, "select a from t where a = 7"));
  CHECK_EQUAL(driver.text(get(2)), "7");
}

TEST("a failed execution has its extended code, and leaves no transaction and no lock") {
  const TemporaryFile file;
  Other other(file);
  Driver driver;
  driver.send(open(file.name()));
  driver.send(exec("create table t(a unique)"));
  driver.send(prepare(1, "insert into t values(1)"));
  driver.send(run(1));
  CHECK_EQUAL(driver.text(run(1)), "error 2067: UNIQUE constraint failed: t.a");
  CHECK_EQUAL(driver.text(get(1)), "error 2067: UNIQUE constraint failed: t.a");
  CHECK_EQUAL(driver.text(all(1)), "error 2067: UNIQUE constraint failed: t.a");
  other.exec("delete from t");
  CHECK_EQUAL(driver.text(run(1)), "");
}

TEST("rows in front of an error are delivered, then the error") {
  Opened driver("(1), (2), (3)");
  driver.send(prepare(1, "select case a when 3 then abs(-9223372036854775808) else a end from t"));
  const Answer& failed = driver.ask(each(1));
  CHECK_EQUAL(failed.text(), "error 1: integer overflow");
  CHECK_EQUAL(failed.rows.size(), size_t{2});
}

TEST("requests for a statement that does not exist are answered") {
  Opened driver;
  for (const uint32_t id : {0U, 7U, 1000000U}) {
    CHECK(driver.ask(all(id)).code != 0);
    CHECK_EQUAL(driver.text(finalize(id)), "");
  }
}

TEST("thousands of statements are kept apart by their numbers") {
  Opened driver;
  for (uint32_t id = 5000; id > 0; --id) driver.send(prepare(id, "select " + std::to_string(id), kRequestQuiet));
  for (uint32_t id = 1; id <= 5000; id += 499) CHECK_EQUAL(driver.text(get(id)), std::to_string(id));
  for (uint32_t id = 1; id <= 5000; ++id) driver.send(finalize(id, kRequestQuiet));
  CHECK_EQUAL(driver.text(close()), "");
}
