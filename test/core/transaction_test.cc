// What the promise API relies on: requests that are executed in a transaction only, and a get that begins anew.
#include "driver.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

struct Opened : Driver {
  Opened() { send(open()); }
};

constexpr char kGone[] = "error 516: the transaction has been rolled back or committed already";

}  // namespace

TEST("a request that belongs to a transaction is not executed without one") {
  Opened driver;
  driver.send(exec("create table t(a unique)"));
  driver.send(prepare(1, "insert into t values(1)"));
  CHECK_EQUAL(driver.text(run(1, kRequestInTransaction)), kGone);
  CHECK_EQUAL(driver.text(exec("insert into t values(2)", kRequestInTransaction)), kGone);
  driver.send(exec("begin"));
  CHECK_EQUAL(driver.text(exec("insert into t values(3)", kRequestInTransaction)), "");
  driver.send(exec("insert or rollback into t values(3)"));
  CHECK_EQUAL(driver.text(run(1, kRequestInTransaction)), kGone);
  driver.send(finalize(1));
  driver.send(prepare(2, "select count(*) from t"));
  CHECK_EQUAL(driver.text(get(2, kRequestOneShot)), "0");
  driver.send(finalize(2));
  CHECK_EQUAL(driver.text(close()), "");
}

TEST("a request that belongs to a transaction does not end it") {
  Opened driver;
  driver.send(exec("create table t(a); begin"));
  const std::string refused = "error 21: COMMIT, END and ROLLBACK would end the transaction";
  const auto starts = [&](const std::string& text) { return text.substr(0, refused.size()); };
  driver.send(prepare(1, "-- as prepared\nCOMMIT"));
  CHECK_EQUAL(starts(driver.text(run(1, kRequestInTransaction))), refused);
  CHECK_EQUAL(starts(driver.text(get(1, kRequestInTransaction | kRequestOneShot))), refused);
  driver.send(finalize(1));
  CHECK_EQUAL(starts(driver.text(once(kOperationRun, "end", kRequestInTransaction))), refused);
  CHECK_EQUAL(driver.text(once(kOperationRun, "", kRequestInTransaction)), "error 21: not an error");
  CHECK_EQUAL(driver.text(once(kOperationGet, "select 1", kRequestInTransaction)), "1");
  CHECK_EQUAL(starts(driver.text(exec("rollback", kRequestInTransaction))), refused);
  CHECK_EQUAL(starts(driver.text(exec("insert into t values(1);; End; begin", kRequestInTransaction))), refused);
  CHECK_EQUAL(driver.text(exec("savepoint a; rollback to a; release a", kRequestInTransaction)), "");
  CHECK_EQUAL(driver.text(exec("rollback")), "");
  driver.send(prepare(2, "select count(*) from t"));
  CHECK_EQUAL(driver.text(get(2, kRequestOneShot)), "0");
  driver.send(finalize(2));
  CHECK_EQUAL(driver.text(close()), "");
}

TEST("a one-shot get begins anew, and leaves the statement at rest") {
  Opened driver;
  driver.send(prepare(1, "select 1 union all select 2"));
  CHECK_EQUAL(driver.text(get(1, kRequestOneShot)), "1");
  CHECK_EQUAL(driver.text(get(1, kRequestOneShot)), "1");
  CHECK_EQUAL(driver.text(all(1)), "1;2");
  CHECK_EQUAL(driver.text(get(1, kRequestOneShot)), "1");
  driver.send(finalize(1));
  CHECK_EQUAL(driver.text(close()), "");
}
