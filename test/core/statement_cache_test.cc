// The cache of statements that are used once: what is kept, what is found again, and that nothing shows of it.
#include "driver.h"
#include "harness.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

// As JavaScript does for a call with SQL text.
const Answer& once(Driver& driver, const std::string& sql) { return driver.ask(test::once(kOperationGet, sql)); }

// Prepares, calls and finalizes in one batch, as JavaScript does where it needs the statement for longer.
const Answer& in_three(Driver& driver, const std::string& sql, const Message& call = get(1, kRequestOneShot)) {
  driver.send(prepare(1, sql, kRequestOneShot | kRequestQuiet));
  const uint32_t asked = driver.send(call);
  driver.send(finalize(1, kRequestQuiet));
  return driver.answer(asked);
}

uint64_t hits(Driver& driver) { return driver.worker().statement_cache().hits(); }

}  // namespace

TEST("a text is kept when it is met the second time, and found from the third time on") {
  Driver driver;
  driver.send(open());
  for (uint64_t times = 1; times <= 5; ++times) {
    CHECK_EQUAL(once(driver, "select 5").text(), "5");
    CHECK_EQUAL(hits(driver), times < 3 ? 0 : times - 2);
  }
}

TEST("the least recently used statement goes when the cache is full, and none is left at close") {
  Driver driver;
  driver.send(open());
  for (int round = 0; round < 3; ++round) {
    for (uint32_t i = 0; i < 3 * StatementCache::kDefaultSize; ++i) {
      const std::string sql = "select " + std::to_string(i);
      once(driver, sql);
      CHECK_EQUAL(once(driver, sql).text(), std::to_string(i));
    }
  }
  CHECK_EQUAL(driver.text(close()), "");
}

TEST("parameters of the call before are gone") {
  Driver driver;
  driver.send(open());
  for (int times = 0; times < 4; ++times) {
    CHECK_EQUAL(driver.text(test::once(kOperationGet, "select ?").bind(1, std::string("x"))), "'x'");
    CHECK_EQUAL(once(driver, "select ?").text(), "null");
  }
  CHECK(hits(driver) > 0);
}

TEST("a statement that was left in the middle of its rows begins again") {
  Driver driver;
  driver.send(open());
  for (int times = 0; times < 4; ++times) {
    CHECK_EQUAL(in_three(driver, "values(1), (2)", get(1)).text(), "1");
    CHECK_EQUAL(in_three(driver, "values(1), (2)", all(1, kRequestOneShot)).text(), "1;2");
    CHECK_EQUAL(once(driver, "values(1), (2)").text(), "1");
    CHECK_EQUAL(driver.text(test::once(kOperationAll, "values(1), (2)")), "1;2");
  }
}

TEST("a kept statement whose table is gone fails as its preparation would") {
  Driver driver;
  driver.send(open());
  driver.send(exec("create table t(a)"));
  for (int times = 0; times < 4; ++times) CHECK_EQUAL(once(driver, "select a from t").text(), "");
  driver.send(exec("drop table t"));
  for (int times = 0; times < 4; ++times) {
    const Answer& failed = once(driver, "select a from t");
    CHECK_EQUAL(failed.text(), "error 1: no such table: t");
    CHECK((failed.flags & kResultPrepareFailed) != 0);
  }
  driver.send(exec("create table t(a); insert into t values(3)"));
  CHECK_EQUAL(once(driver, "select a from t").text(), "3");
}

TEST("texts with more than one statement, pragmas, comments and long texts are not kept") {
  Driver driver;
  driver.send(open());
  const std::string rest(StatementCache::kMostTextBytes, ' ');
  for (const std::string& sql : {std::string("select 1; select 2"), std::string("pragma user_version"),
                                 std::string("-- c\nselect 1"), "select 1" + rest, std::string()}) {
    for (int times = 0; times < 4; ++times) once(driver, sql);
  }
  CHECK_EQUAL(hits(driver), uint64_t{0});
}

TEST("a size of 0 switches the cache off, a smaller one empties it") {
  Driver driver;
  driver.send(open());
  for (int times = 0; times < 4; ++times) once(driver, "select 1");
  CHECK_EQUAL(hits(driver), uint64_t{2});
  driver.send(configure(kOptionStatementCacheSize, 0));
  for (int times = 0; times < 4; ++times) once(driver, "select 1");
  CHECK_EQUAL(hits(driver), uint64_t{2});
  driver.send(configure(kOptionStatementCacheSize, 1));
  for (int times = 0; times < 4; ++times) once(driver, "select 1");
  CHECK(hits(driver) > uint64_t{2});
}
