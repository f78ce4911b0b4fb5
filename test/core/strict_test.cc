// Strict preparation: a text must have exactly one statement, whatever blanks, comments and semicolons are around it.
#include "core/script.h"
#include "driver.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

struct Opened : Driver {
  Opened() { send(open()); }

  const Answer& prepare_strictly(const std::string& sql) {
    send(finalize(1, kRequestQuiet));
    return ask(prepare(1, sql, kRequestStrict));
  }
};

constexpr char kMore[] = "error 21: the SQL text has more than one statement";
constexpr char kNone[] = "error 21: the SQL text has no statement";

}  // namespace

TEST("a strict prepare takes one statement, with blanks, comments and semicolons around it") {
  Opened driver;
  for (const char* sql : {"select 7", "select 7;", " \n;; /* a ; b */ select 7", "select 7 -- the end; select 8",
                          "select 7;\t; /* ; */ -- ;\n;", "select 7; /* unfinished; select 8", "select 7; --",
                          "select 7 where ';' <> 'a;b';"}) {
    CHECK_EQUAL(driver.prepare_strictly(sql).text(), "");
    CHECK_EQUAL(driver.text(all(1)), "7");
  }
}

TEST("a strict prepare refuses a second statement, says where it begins, and later requests are told the same") {
  Opened driver;
  driver.send(exec("create table t(a)"));
  for (const std::string second : {"select 2", "not even SQL", "drop table t", "'", "-", "/"}) {
    const std::string first = "insert into t values(1); /* ; */ ;\n ";
    const Answer& refused = driver.prepare_strictly(first + second);
    CHECK_EQUAL(refused.text(), kMore);
    CHECK((refused.flags & kResultPrepareFailed) != 0);
    CHECK_EQUAL(refused.offset, static_cast<int>(first.size()));
    CHECK_EQUAL(driver.text(run(1)), kMore);
    CHECK((driver.ask(all(1)).flags & kResultPrepareFailed) != 0);
  }
  driver.send(prepare(2, "select count(*) from t"));
  CHECK_EQUAL(driver.text(all(2)), "0");
  driver.send(finalize(1));
  driver.send(finalize(2));
  CHECK_EQUAL(driver.text(close()), "");
}

TEST("a strict prepare refuses a text without a statement") {
  Opened driver;
  for (const char* sql : {"", " \n", ";", "; ; --", "/* only a comment */", "-- select 1"}) {
    const Answer& refused = driver.prepare_strictly(sql);
    CHECK_EQUAL(refused.text(), kNone);
    CHECK((refused.flags & kResultPrepareFailed) != 0);
    CHECK_EQUAL(driver.text(get(1)), kNone);
  }
}

TEST("a strict prepare of a first statement that SQLite refuses has SQLite's error") {
  Opened driver;
  CHECK_EQUAL(driver.prepare_strictly("selec 1; select 2").text(), "error 1: near \"selec\": syntax error");
  CHECK_EQUAL(driver.prepare_strictly("select 2; select 3").text(), kMore);
}

TEST("a prepare that is not strict takes the first of several statements, or none") {
  Opened driver;
  CHECK_EQUAL(driver.text(prepare(1, "select 1; select 2")), "");
  CHECK_EQUAL(driver.text(all(1)), "1");
  CHECK_EQUAL(driver.text(prepare(2, "-- nothing")), "");
}

TEST("the next statement of a text begins behind blanks, comments and semicolons") {
  CHECK_EQUAL(std::string(next_statement(" ;/* ; */;\n--x\n a;b")), "a;b");
  CHECK_EQUAL(std::string(next_statement("-- to the end")), "");
  CHECK_EQUAL(std::string(next_statement("/* unfinished")), "");
  CHECK_EQUAL(std::string(skip_blanks(" ;a")), ";a");
  CHECK_EQUAL(std::string(skip_blanks("- -")), "- -");
}

TEST("the statements that end a transaction are known by their first words") {
  for (const char* sql : {"commit", " COMMIT;", " ;/* a */; commit", "End Transaction", "rollback",
                          "rollback transaction", "/* a */ --b\n commit", "\xEF\xBB\xBF commit", "rollback /* to */",
                          "rollback transaction tom", "commit/**/transaction"}) {
    CHECK_EQUAL(ends_transaction(sql) ? sql : "no", std::string(sql));
  }
  for (const char* sql :
       {"", ";;", "rollback to a", "rollback transaction to savepoint a", "ROLLBACK--\n\xEF\xBB\xBFTO a", "commits",
        "end_", "rollback$", "commit\xC3\xA4", "explain commit", "release a", "select 'commit'"}) {
    CHECK_EQUAL(ends_transaction(sql) ? sql : "no", std::string("no"));
  }
}
