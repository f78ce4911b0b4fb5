// Arrays as parameters of carray(): numbers and texts, none at all, and those that are damaged.
#include "driver.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

struct Opened : Driver {
  Opened() {
    send(open());
    send(prepare(1, "select value, typeof(value) from carray(?1)"));
  }
};

}  // namespace

TEST("an array of integers, doubles or texts is bound by position and gives its elements in order") {
  Opened driver;
  CHECK_EQUAL(driver.text(all(1).bind_array(1, kArrayInteger, 3).integer(7).integer(-1).integer(int64_t{1} << 40)),
              "7|'integer';-1|'integer';1099511627776|'integer'");
  CHECK_EQUAL(driver.text(all(1).bind_array(1, kArrayDouble, 2).number(0.5).number(-2)), "0.5|'real';-2|'real'");
  CHECK_EQUAL(driver.text(all(1).bind_array(1, kArrayText, 3).text("a").text("").text("a longer text, ü")),
              "'a'|'text';''|'text';'a longer text, ü'|'text'");
  // It stays bound, as a copy.
  CHECK_EQUAL(driver.ask(all(1)).rows.size(), size_t{3});
}

TEST("an array without elements gives no row, whatever their kind") {
  Opened driver;
  for (const ArrayKind kind : {kArrayInteger, kArrayDouble, kArrayText}) {
    CHECK_EQUAL(driver.text(all(1).bind_array(1, kind, 0)), "");
  }
}

TEST("an array stands between other parameters") {
  Opened driver;
  driver.send(prepare(2, "select ?1, sum(value), ?3 from carray(?2)"));
  CHECK_EQUAL(
      driver.text(
          all(2).bind(1, int64_t{1}).bind_array(2, kArrayInteger, 2).integer(20).integer(30).bind(3, std::string("x"))),
      "1|50|'x'");
  CHECK_EQUAL(driver.ask(all(2).bind_array(9, kArrayInteger, 1).integer(1)).code, SQLITE_RANGE);
}

TEST("a text with NUL in an array is refused, and an array that is cut short is an error of ours") {
  Opened driver;
  CHECK_EQUAL(driver.text(all(1).bind_array(1, kArrayText, 1).text(std::string("a\0b", 3))),
              "error 21: a text of an array contains a NUL character");
  CHECK_EQUAL(driver.ask(all(1).bind_array(1, kArrayInteger, 3).integer(1)).code, SQLITE_INTERNAL);
  CHECK_EQUAL(driver.ask(all(1).bind_array(1, kArrayText, 2).text("a")).code, SQLITE_INTERNAL);
  CHECK_EQUAL(driver.ask(all(1).bind_array(1, kArrayInteger, UINT32_MAX)).code, SQLITE_INTERNAL);
  CHECK_EQUAL(driver.text(all(1).bind_array(1, kArrayInteger, 1).integer(1)), "1|'integer'");
}
