// Rows as bytes: many in pieces, texts at the edges of blocks, integers in three modes, and the shapes of columns.
#include "core/rows.h"

#include <thread>

#include "driver.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

struct Opened : Driver {
  explicit Opened(size_t room = size_t{256} << 10) : Driver(room) { send(open()); }
};

std::string numbers(int count) {
  return "with recursive n(v) as (select 1 union all select v + 1 from n where v < " + std::to_string(count) + ") ";
}

std::string repeat(const std::string& text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace

TEST("many rows come in records of about 64 KiB, in order, and the last one ends the request") {
  Opened driver;
  driver.send(prepare(1, numbers(50000) + "select v, 'text ' || v from n"));
  for (const Message& message : {all(1), each(1)}) {
    const Answer& answer = driver.ask(message);
    CHECK_EQUAL(answer.rows.size(), size_t{50000});
    for (size_t i = 0; i < answer.rows.size(); ++i) {
      const std::string v = std::to_string(i + 1);
      if (answer.rows[i] != v + "|'text " + v + "'") CHECK_EQUAL(answer.rows[i], v);
    }
    // 30 bytes a row.
    CHECK(answer.records > 15 && answer.records < 40);
  }
}

TEST("a record larger than the room says what it needs and comes whole") {
  Opened driver(1000);
  driver.send(prepare(1, "select 'before', zeroblob(100000), 'behind'"));
  const std::string row = driver.text(all(1));
  CHECK_EQUAL(row.size(), std::string("'before'|x''|'behind'").size() + 200000);
  CHECK(driver.most_needed() > 100000);
  CHECK_EQUAL(driver.text(prepare(2, "selec")), "error 1: near \"selec\": syntax error");
}

TEST("a record that is cut off keeps its head, and the next one comes whole") {
  Opened driver;
  driver.send(prepare(1, "select zeroblob(100000)"));
  driver.text(wait());
  const uint32_t large = driver.send(all(1));
  const uint32_t next = driver.send(wait());
  driver.submit();
  // A record is counted a moment before it can be taken, so this waits for what is behind the large one.
  constexpr size_t kLarge = kShapeNamesAt + kRowsCellsAt + 100000;
  while (driver.worker().results().undelivered() < kLarge + 2 * kDoneLength) std::this_thread::yield();
  std::vector<uint8_t> room(64);
  size_t needed = 0;
  bool more = false;
  ResultQueue& results = driver.worker().results();
  size_t size = results.take(room.data(), room.size(), false, &needed, &more);
  // The shape comes first.
  CHECK(size != 0 && more);
  CHECK_EQUAL(int{room[kRecordKindAt]}, int{kResultShape});
  size = results.take(room.data(), room.size(), false, &needed, &more);
  CHECK_EQUAL(size, size_t{0});
  CHECK(needed > 100000 && more);
  size = results.take(room.data(), room.size(), true, &needed, &more);
  CHECK_EQUAL(size, room.size());
  CHECK_EQUAL(read_at<uint32_t>(room.data(), kRecordSequenceAt), large);
  CHECK(read_at<uint32_t>(room.data(), kRecordLengthAt) > 100000);
  // The end of the large result, and the answer of the next request.
  for (const uint32_t sequence : {large, next}) {
    room.resize(kDoneLength);
    while ((size = results.take(room.data(), room.size(), false, &needed, &more)) == 0) std::this_thread::yield();
    CHECK_EQUAL(size, size_t{kDoneLength});
    CHECK_EQUAL(read_at<uint32_t>(room.data(), kRecordSequenceAt), sequence);
  }
  CHECK_EQUAL(results.undelivered(), size_t{0});
}

TEST("integers in the three modes") {
  struct Case {
    const char* value;
    const char* number;
    const char* bigint;
    const char* mixed;
  };
  const Case cases[] = {
      {"0", "0", "0n", "0"},
      {"-1", "-1", "-1n", "-1"},
      {"2147483647", "2147483647", "2147483647n", "2147483647"},
      {"2147483648", "2147483648", "2147483648n", "2147483648"},
      {"-2147483648", "-2147483648", "-2147483648n", "-2147483648"},
      {"-2147483649", "-2147483649", "-2147483649n", "-2147483649"},
      {"9007199254740991", "9007199254740991", "9007199254740991n", "9007199254740991"},
      {"9007199254740992", "9007199254740992", "9007199254740992n", "9007199254740992n"},
      {"-9007199254740991", "-9007199254740991", "-9007199254740991n", "-9007199254740991"},
      {"-9007199254740992", "-9007199254740992", "-9007199254740992n", "-9007199254740992n"},
      {"9223372036854775807", "9.2233720368547758e+18", "9223372036854775807n", "9223372036854775807n"},
      {"-9223372036854775808", "-9.2233720368547758e+18", "-9223372036854775808n", "-9223372036854775808n"},
  };
  Opened driver;
  for (const Case& each : cases) {
    driver.send(prepare(1, std::string("select ") + each.value));
    driver.send(configure(kOptionIntegers, kIntegersNumber));
    CHECK_EQUAL(driver.text(all(1)), each.number);
    driver.send(configure(kOptionIntegers, kIntegersBigint));
    CHECK_EQUAL(driver.text(all(1)), each.bigint);
    driver.send(configure(kOptionIntegers, kIntegersMixed));
    CHECK_EQUAL(driver.text(all(1)), each.mixed);
  }
}

TEST("a request may have a mode of integers of its own, whatever is configured, and the next one has not") {
  Opened driver;
  for (const IntegerMode configured : {kIntegersNumber, kIntegersBigint, kIntegersMixed}) {
    driver.send(configure(kOptionIntegers, configured));
    driver.send(prepare(1, "select 1 union all select 9007199254740993"));
    const std::string expected[] = {"1;9007199254740992", "1n;9007199254740993n", "1;9007199254740993n"};
    for (const IntegerMode mode : {kIntegersNumber, kIntegersBigint, kIntegersMixed}) {
      CHECK_EQUAL(driver.text(all(1).integers(mode)), expected[mode]);
      CHECK_EQUAL(driver.text(all(1)), expected[configured]);
    }
    driver.text(reset(1));
    // Each row of a cursor has the mode of the request that delivers it, also when it was fetched ahead.
    CHECK_EQUAL(driver.text(get(1).integers(kIntegersNumber)), "1");
    CHECK_EQUAL(driver.text(get(1).integers(kIntegersMixed)), "9007199254740993n");
    driver.text(finalize(1));
  }
}

TEST("texts of all lengths around the limits keep their bytes, in blocks and by themselves") {
  Opened driver;
  driver.send(prepare(1, "select ?, ?, ?"));
  for (const char* unit : {"a", "\xC3\xA9", "\xE8\xAA\x9E", "\xF0\x9F\x98\x80"}) {
    const std::string one = unit;
    for (const size_t edge : {size_t{1}, size_t{512}, size_t{1024}, size_t{2048}, size_t{4096}}) {
      for (size_t bytes = edge - 1; bytes <= edge + 1; ++bytes) {
        const std::string text = repeat(one, bytes / one.size()) + repeat("z", bytes % one.size());
        const std::string row = driver.text(get(1).bind(1, text).bind(2, std::string("-")).bind(3, text));
        CHECK(row == "'" + text + "'|'-'|'" + text + "'");
      }
    }
  }
}

TEST("long texts of every kind keep their bytes behind blobs of even and odd length") {
  Opened driver;
  driver.send(prepare(1, "select ?, ?, ?, ?, ?"));
  const std::string texts[] = {repeat("a", 2001), repeat("\xC3\xA9", 2001), repeat("\xE8\xAA\x9E", 2001),
                               repeat("\xFF", 2001)};
  for (const std::string& first : texts) {
    for (const std::string& second : texts) {
      for (size_t size = 0; size < 3; ++size) {
        const std::string blob(size, 'b');
        const std::string hex = "x'" + repeat("62", size) + "'";
        const Message message =
            get(1).bind_blob(1, blob).bind(2, first).bind_blob(3, blob).bind(4, second).bind_blob(5, blob);
        const std::string row = hex + "|'" + first + "'|" + hex + "|'" + second + "'|" + hex;
        CHECK(driver.text(message) == row);
      }
    }
  }
}

TEST("texts fill blocks to the last byte and no further") {
  // The driver checks the size of each block, and that a text never crosses from one to the next.
  Opened driver;
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    std::string sql = "values ";
    std::vector<std::string> texts;
    for (uint32_t i = 0; i < 40; ++i) {
      const uint32_t length = random.below(3) == 0 ? 1020 + random.below(8) : random.below(600);
      const char* units[] = {"a", "\xC3\xA9", "\xE8\xAA\x9E", "\xF0\x9F\x98\x80"};
      const std::string unit = units[random.below(2) == 0 ? 0 : random.below(4)];
      texts.push_back(repeat(unit, length / unit.size()));
      sql += i == 0 ? "(?)" : ", (?)";
    }
    driver.send(prepare(1, sql));
    Message message = all(1);
    for (size_t i = 0; i < texts.size(); ++i) message.bind(static_cast<uint32_t>(i + 1), texts[i]);
    const Answer& answer = driver.ask(message);
    CHECK_EQUAL(answer.rows.size(), texts.size());
    for (size_t i = 0; i < texts.size(); ++i) CHECK(answer.rows[i] == "'" + texts[i] + "'");
  }
}

TEST("texts that are no UTF-8 come as their bytes") {
  Opened driver;
  driver.send(prepare(1, "select cast(? as text), 'next'"));
  for (const char* bytes : {"\xFF", "a\x80", "\xC3", "\xE8\xAA", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC0\x80"}) {
    CHECK_EQUAL(driver.text(get(1).bind_blob(1, bytes)), "'" + std::string(bytes) + "'|'next'");
  }
}

TEST("texts of a database in UTF-16 are converted, NUL included") {
  Driver driver;
  driver.send(open());
  driver.send(exec("pragma encoding = 'UTF-16'; create table t(a)"));
  driver.send(prepare(1, "insert into t values(?)"));
  const std::string text("a\0\xC3\xA9\xF0\x9F\x98\x80", 8);
  driver.send(run(1).bind(1, text));
  driver.send(prepare(2, "select a from t"));
  CHECK_EQUAL(driver.text(all(2)), "'" + text + "'");
}

TEST("names of columns come once, and again when the statement is prepared anew with others") {
  Opened driver;
  driver.send(exec("create table t(a, b); insert into t values(1, 2)"));
  driver.send(prepare(1, "select * from t"));
  CHECK_EQUAL(driver.ask(all(1)).columns.size(), size_t{2});
  driver.send(exec("alter table t add column c default 3"));
  const Answer& wider = driver.ask(all(1));
  CHECK_EQUAL(wider.text(), "1|2|3");
  CHECK_EQUAL(wider.columns[2], "c");
  driver.send(reset(1));
  driver.send(exec("alter table t rename column a to first"));
  CHECK_EQUAL(driver.ask(all(1)).columns[0], "first");
}

TEST("more shapes than are remembered: old ones become void, and each row still has its own names") {
  Opened driver;
  driver.send(prepare(1, "select 1 as kept, 2 as too"));
  for (uint32_t i = 0; i < 2000; ++i) {
    const std::string name = "column" + std::to_string(i);
    driver.send(prepare(2, "select " + std::to_string(i) + " as " + name));
    const uint32_t one = driver.send(all(2));
    const uint32_t other = driver.send(get(1, kRequestOneShot));
    driver.send(reset(1));
    if (i % 50 != 0) continue;
    driver.answer(other);
    CHECK_EQUAL(driver.look(one).text(), std::to_string(i));
    CHECK_EQUAL(driver.look(one).columns[0], name);
    CHECK_EQUAL(driver.look(other).text(), "1|2");
    CHECK_EQUAL(driver.look(other).columns[1], "too");
  }
  CHECK_EQUAL(driver.text(wait()), "");
  CHECK(driver.shapes() < 1000);
}

TEST("2000 columns, empty names and equal names are passed on as they are") {
  Opened driver;
  std::string sql = "select 0 as \"\", 1 as a, 2 as a";
  for (int i = 3; i < 2000; ++i) sql += "," + std::to_string(i) + " as c" + std::to_string(i);
  driver.send(prepare(1, sql));
  const Answer& answer = driver.ask(all(1));
  CHECK_EQUAL(answer.columns.size(), size_t{2000});
  CHECK_EQUAL(answer.columns[0], "");
  CHECK_EQUAL(answer.columns[1], answer.columns[2]);
  CHECK_EQUAL(answer.rows[0].substr(0, 6), "0|1|2|");
}
