// What a statement says of itself without being executed: its description, and its text with the parameters in it.
#include "driver.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

struct Opened : Driver {
  Opened() {
    send(open());
    send(exec("create table t(a integer, \"b c\" text); create view v as select a as x, 1 from t"));
  }

  std::string description(const std::string& sql) {
    send(finalize(1, kRequestQuiet));
    send(prepare(1, sql));
    return ask(describe(1)).description;
  }
};

}  // namespace

TEST("a description has the columns with their origin, the parameters, and what the statement does") {
  Opened driver;
  CHECK_EQUAL(driver.description("select a, \"b c\" as ü, a + 1, x from t join v where a = ? and x = :n and a > ?5"),
              "1 0 (,:n,,,?5) a:INTEGER:main.t.a ü:TEXT:main.t.b c a + 1:-:-.-.- x:INTEGER:main.t.a");
  CHECK_EQUAL(driver.description("insert into t values($a, @b)"), "0 0 ($a,@b)");
  CHECK_EQUAL(driver.description("insert into t values(1, 2) returning a"), "0 0 () a:INTEGER:main.t.a");
  CHECK(driver.description("explain select 1").rfind("1 1 () addr:", 0) == 0);
  CHECK(driver.description("explain query plan select ?").rfind("1 2 () id:", 0) == 0);
  CHECK_EQUAL(driver.description("-- nothing"), "1 0 ()");
}

TEST("a description leaves the statement where it is, and one of a failed preparation is its error") {
  Opened driver;
  driver.send(exec("insert into t values(1, 2), (3, 4)"));
  driver.send(prepare(2, "select a from t"));
  CHECK_EQUAL(driver.text(get(2)), "1");
  CHECK_EQUAL(driver.ask(describe(2)).description, "1 0 () a:INTEGER:main.t.a");
  CHECK_EQUAL(driver.text(get(2)), "3");
  driver.send(prepare(3, "selec"));
  CHECK_EQUAL(driver.text(describe(3)), "error 1: near \"selec\": syntax error");
  CHECK((driver.ask(describe(3)).flags & kResultPrepareFailed) != 0);
}

TEST("a description of thousands of columns comes whole") {
  Opened driver;
  std::string sql = "select 1 as c0";
  for (int i = 1; i < 2000; ++i) sql += ", ? as c" + std::to_string(i);
  const std::string described = driver.description(sql);
  CHECK(described.find(" c1999:-:-.-.-") != std::string::npos);
}

TEST("the expanded text has the parameters in it, and they stay bound") {
  Opened driver;
  driver.send(prepare(1, "select ?1 as a, :n, ?1"));
  CHECK_EQUAL(driver.text(expanded_sql(1)), "'select NULL as a, NULL, NULL'");
  const Answer& answer = driver.ask(expanded_sql(1).bind(1, int64_t{7}).bind(2, std::string("it's")));
  CHECK_EQUAL(answer.text(), "'select 7 as a, 'it''s', 7'");
  CHECK_EQUAL(answer.columns.size(), size_t{1});
  CHECK_EQUAL(answer.columns[0], "sql");
  CHECK_EQUAL(driver.text(expanded_sql(1)), "'select 7 as a, 'it''s', 7'");
  CHECK_EQUAL(driver.text(all(1)), "7|'it's'|7");
  CHECK_EQUAL(driver.ask(expanded_sql(1).bind(3, int64_t{1})).code, SQLITE_RANGE);
}

TEST("an expanded text that is too long, or of nothing, is an error, and a very long one comes whole") {
  Opened driver;
  driver.send(prepare(1, "select ?"));
  const std::string large(100000, 'x');
  CHECK_EQUAL(driver.text(expanded_sql(1).bind(1, large)), "'select '" + large + "''");
  driver.send(configure(kOptionLimit, 1000, SQLITE_LIMIT_LENGTH));
  CHECK_EQUAL(driver.ask(expanded_sql(1)).code, SQLITE_TOOBIG);
  driver.send(prepare(2, ""));
  CHECK_EQUAL(driver.ask(expanded_sql(2)).code, SQLITE_MISUSE);
}
