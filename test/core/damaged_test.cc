// Requests that no JavaScript of ours would write: each is answered with an error, and reads nothing but itself.
#include <cmath>
#include <limits>

#include "driver.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

const std::string kDamaged = "error 2: damaged request";

// A body that ends where it likes: a length, then bytes without a NUL of their own.
Message cut(Operation operation, uint32_t length, const std::string& text, uint32_t statement = 0) {
  return Message(operation, statement).word(length).bytes(text);
}

}  // namespace

TEST("a text without a NUL at its end, or that leads beyond its request, is a damaged request") {
  Driver driver;
  driver.ask(open());
  for (const Operation operation : {kOperationExec, kOperationPrepare, kOperationLoadExtension}) {
    CHECK_EQUAL(driver.text(cut(operation, 8, "select 1", 1)), kDamaged);
    CHECK_EQUAL(driver.text(cut(operation, 13, "select 1", 1)), kDamaged);
    CHECK_EQUAL(driver.text(cut(operation, UINT32_MAX, "select 1", 1)), kDamaged);
    CHECK_EQUAL(driver.text(cut(operation, 0, "", 1)), kDamaged);
    CHECK_EQUAL(driver.text(Message(operation, 1)), kDamaged);
  }
  CHECK_EQUAL(driver.text(Message(kOperationBackupInit, 1).word(1).text("x").text("main")), kDamaged);
  CHECK_EQUAL(driver.text(wait()), "");
}

TEST("a file name without a NUL at its end opens nothing") {
  Driver driver;
  CHECK(driver.text(Message(kOperationOpen).word(6).word(8).bytes(":memory:")).find("error 14") == 0);
}

TEST("a statement number that no program reaches is refused instead of taking gigabytes") {
  Driver driver;
  driver.ask(open());
  for (const uint32_t number : {UINT32_MAX, UINT32_MAX - 1, 0xC0000000U, 1U << 24}) {
    CHECK_EQUAL(driver.text(prepare(number, "select 1")), "error 7: out of memory");
    CHECK_EQUAL(driver.text(all(number)), "error 7: out of memory");
    CHECK_EQUAL(driver.text(finalize(number)), "");
  }
  CHECK_EQUAL(driver.text(prepare((1U << 24) - 1, "select 1 as v")), "");
  CHECK_EQUAL(driver.text(all((1U << 24) - 1)), "1");
}

TEST("a statement number in use is given to the new statement") {
  Driver driver;
  driver.ask(open());
  driver.ask(prepare(1, "values (1), (2)"));
  CHECK_EQUAL(driver.text(get(1)), "1");
  driver.ask(prepare(1, "select 3"));
  CHECK_EQUAL(driver.text(all(1)), "3");
}

TEST("a second open is refused, and the first database stays") {
  Driver driver;
  driver.ask(open());
  driver.ask(exec("create table t(v); insert into t values(7)"));
  CHECK_EQUAL(driver.text(open()), "error 21: Database is already open");
  driver.ask(prepare(1, "select v from t"));
  CHECK_EQUAL(driver.text(all(1)), "7");
}

TEST("retry codes that are announced but not there end the step instead of being counted") {
  Driver driver;
  driver.ask(open());
  driver.ask(Message(kOperationBackupInit, 2).word(1).text("").text("main").text("main"));
  // It is done with this step, so its code is looked for among those that are not there.
  const Answer& step = driver.ask(Message(kOperationBackupStep, 2).word(UINT32_MAX).word(UINT32_MAX));
  CHECK_EQUAL(step.text(), "");
  CHECK_EQUAL(step.events.at(0), "backup 1 0 of 0");
  CHECK_EQUAL(driver.text(Message(kOperationBackupFinish, 2)), "");
}

TEST("options have any value: not a number, infinite, or none") {
  Driver driver;
  driver.ask(open());
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300, -1.0, std::numeric_limits<double>::min()}) {
    for (uint32_t option = 0; option < 16; ++option) {
      // It would hold the answers back.
      if (option == kOptionEager) continue;
      driver.ask(configure(static_cast<Option>(option), value, UINT32_MAX));
    }
  }
  driver.ask(configure(kOptionHighWaterMark, 1 << 20));
  CHECK_EQUAL(driver.text(Message(kOperationConfigure).word(kOptionIntegers)), kDamaged);
  driver.ask(prepare(1, "select 1 as v"));
  CHECK_EQUAL(driver.text(all(1)), "1");
}

TEST("parameters that end before their number, or in the middle, bind nothing that is not theirs") {
  Driver driver;
  driver.ask(open());
  driver.ask(prepare(1, "select ?1 as v"));
  const auto with = [](uint32_t type, uint32_t key) {
    return Message(kOperationAll, 1).word(1).word(1).word(type).word(key);
  };
  CHECK_EQUAL(driver.text(Message(kOperationAll, 1).word(UINT32_MAX).word(1)).find("error 2"), size_t{0});
  CHECK_EQUAL(driver.text(with(kParameterText, 1).integer(INT64_MAX)).find("error 2"), size_t{0});
  CHECK_EQUAL(driver.text(with(kParameterBlob, 1).integer(-1)).find("error 2"), size_t{0});
  CHECK_EQUAL(driver.text(with(kParameterBlob, 1).integer(9).bytes("8 bytes.")).find("error 2"), size_t{0});
  CHECK_EQUAL(driver.text(with(kParameterDouble, 1)).find("error 2"), size_t{0});
  CHECK_EQUAL(driver.text(with(256, UINT32_MAX).integer(1)).find("error 2"), size_t{0});
  CHECK_EQUAL(driver.text(Message(kOperationAll, 1)), "null");
}

TEST("bytes that are no record end their batch, and the next batch is executed") {
  Driver driver;
  driver.ask(open());
  for (const uint32_t length : {0U, 8U, 17U, 64U, UINT32_MAX}) {
    std::vector<uint8_t> bytes(32, 0xFF);
    write_at<uint32_t>(bytes.data(), 0, length);
    CHECK(driver.worker().requests().push(bytes.data(), bytes.size()));
    CHECK_EQUAL(driver.text(exec("select 1")), "");
  }
}
