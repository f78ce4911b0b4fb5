// Requests to the connection: open, exec, configure, close, quiet requests, damaged batches, and events.
#include <cstdio>

#include "driver.h"
#include "harness.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

TEST("open answers, and everything behind it runs") {
  Driver driver;
  const uint32_t opened = driver.send(open());
  const uint32_t created = driver.send(exec("create table t(a); insert into t values(1), (2)"));
  driver.send(prepare(1, "select a from t"));
  CHECK_EQUAL(driver.text(all(1)), "1;2");
  CHECK_EQUAL(driver.look(opened).text(), "");
  CHECK_EQUAL(driver.look(created).text(), "");
}

TEST("a failed open gives its error to everything behind it") {
  Driver driver;
  const std::string expected = "error 14: unable to open database file";
  const uint32_t opened = driver.send(open("/no such folder/file"));
  driver.send(prepare(1, "select 1", kRequestQuiet));
  const uint32_t ran = driver.send(run(1));
  const uint32_t finalized = driver.send(finalize(1));
  const uint32_t executed = driver.send(exec("select 1"));
  CHECK_EQUAL(driver.text(close()), expected);
  CHECK_EQUAL(driver.look(opened).text(), expected);
  for (const uint32_t each : {ran, finalized}) {
    CHECK_EQUAL(driver.look(each).text(), expected);
    CHECK((driver.look(each).flags & kResultPrepareFailed) != 0);
  }
  CHECK_EQUAL(driver.look(executed).text(), expected);
}

TEST("file names with NUL, without a text, and flags that do not fit are refused") {
  CHECK_EQUAL(Driver().text(open(std::string("a\0b", 3))), "error 14: file name contains a NUL character");
  CHECK_EQUAL(Driver().ask(open(":memory:", 4)).code, 21);
  CHECK_EQUAL(Driver().ask(Message(kOperationOpen).word(6).word(0)).code, 14);
  CHECK_EQUAL(Driver().ask(Message(kOperationOpen).word(6).word(1000)).code, 14);
}

TEST("requests before open are refused") {
  Driver driver;
  CHECK_EQUAL(driver.ask(exec("select 1")).code, 21);
  CHECK_EQUAL(driver.ask(prepare(1, "select 1")).code, 21);
  CHECK_EQUAL(driver.ask(all(1)).code, 21);
}

TEST("exec stops at the first error, and what came before it stays") {
  Driver driver;
  driver.send(open());
  const std::string script = "create table t(a); insert into t values(1); insert into u values(2); drop table t";
  const Answer& failed = driver.ask(exec(script));
  CHECK_EQUAL(failed.text(), "error 1: no such table: u");
  driver.send(prepare(1, "select a from t"));
  CHECK_EQUAL(driver.text(all(1)), "1");
}

TEST("the offset of an error in exec counts from the beginning of the whole text") {
  Driver driver;
  driver.send(open());
  const std::string script = "select 1;\n  select 2; selec 3";
  CHECK_EQUAL(driver.ask(exec(script)).offset, static_cast<int>(script.find("selec 3")));
}

TEST("exec takes empty texts, comments, blanks and semicolons, and refuses NUL") {
  Driver driver;
  driver.send(open());
  for (const char* script : {"", " ", ";", ";;\n;", "-- comment", "/* comment */", "select 1;-- end", "select 1"}) {
    CHECK_EQUAL(driver.text(exec(script)), "");
  }
  CHECK_EQUAL(driver.text(exec(std::string("select 1\0;", 10))), "error 21: SQL text contains a NUL character");
}

TEST("close is refused while statements are open, and the connection stays usable") {
  Driver driver;
  driver.send(open());
  driver.send(prepare(1, "select 1"));
  CHECK_EQUAL(driver.ask(close()).code, 5);
  CHECK_EQUAL(driver.text(get(1)), "1");
  driver.send(finalize(1));
  CHECK_EQUAL(driver.text(close()), "");
  CHECK_EQUAL(driver.ask(exec("select 1")).code, 21);
  CHECK_EQUAL(driver.ask(close()).code, 21);
  CHECK_EQUAL(driver.text(finalize(1)), "");
}

TEST("quiet requests are answered by a later one, or when the queue is empty") {
  Driver driver;
  driver.send(open());
  driver.send(exec("create table t(a)", kRequestQuiet));
  const uint32_t between = driver.send(wait());
  driver.answer(between);
  CHECK_EQUAL(driver.unanswered(), size_t{0});
  const uint32_t last = driver.send(exec("insert into t values(1)", kRequestQuiet));
  CHECK_EQUAL(driver.answer(last).text(), "");
  const uint32_t failed = driver.send(exec("insert into u values(1)", kRequestQuiet));
  CHECK_EQUAL(driver.answer(failed).text(), "error 1: no such table: u");
}

TEST("unknown operations and options are errors") {
  Driver driver;
  driver.send(open());
  CHECK_EQUAL(driver.text(Message(static_cast<Operation>(99))), "error 2: unknown operation");
  CHECK_EQUAL(driver.text(configure(static_cast<Option>(99), 1)), "error 2: unknown option");
}

TEST("a damaged record ends its batch, and later batches are executed") {
  for (const uint32_t length : {0U, 8U, 15U, 20U, 4096U, 0xFFFFFFF8U}) {
    Driver driver;
    CHECK_EQUAL(driver.text(open()), "");
    std::string batch = exec("create table t(a)").record(2) + exec("create table u(a)").record(3);
    const size_t second = batch.size() - exec("create table u(a)").record(3).size();
    write_at<uint32_t>(reinterpret_cast<uint8_t*>(batch.data()), second, length);
    CHECK(driver.worker().requests().push(reinterpret_cast<const uint8_t*>(batch.data()), batch.size() - 4));
    // The records above are unknown to the driver, so it must not see them: they were answered by the take below.
    std::vector<uint8_t> room(4096);
    size_t needed = 0;
    bool more = false;
    size_t size = 0;
    while (size == 0) {
      driver.wait_for_results();
      size = driver.worker().results().take(room.data(), room.size(), false, &needed, &more);
    }
    CHECK_EQUAL(size, size_t{kDoneLength});
    driver.send(prepare(1, "select name from sqlite_schema"));
    CHECK_EQUAL(driver.text(all(1)), "'t'");
  }
}

TEST("trace, profile and change belong to the request that causes them, and come before its answer") {
  Driver driver;
  driver.send(open());
  driver.send(exec("create table t(a)"));
  for (const Option each : {kOptionTrace, kOptionProfile, kOptionChange}) driver.send(configure(each, 1));
  driver.send(prepare(1, "insert into t values(?)"));
  const std::vector<std::string> events = driver.ask(run(1).bind(1, std::string("x"))).events;
  CHECK_EQUAL(events.size(), size_t{3});
  CHECK_EQUAL(events[0], "trace insert into t values('x')");
  CHECK_EQUAL(events[1], "change 18 main.t 1");
  CHECK_EQUAL(events[2], "profile insert into t values(?)");
  driver.send(finalize(1));
  for (const Option each : {kOptionTrace, kOptionProfile, kOptionChange}) driver.send(configure(each, 0));
  CHECK(driver.ask(exec("insert into t values(2)")).events.empty());
}

// The driver fails for every record that comes behind the answer of its request.
TEST("no event comes behind the answer, whatever ends a statement in the middle of its rows") {
  Driver driver;
  driver.send(open());
  driver.send(configure(kOptionProfile, 1));
  const std::string sql = "values (1), (2), (3)";
  for (const bool with_answer : {true, false}) {
    const uint8_t flags = with_answer ? 0 : kRequestQuiet;
    const auto start = [&driver, &sql] {
      driver.send(prepare(1, sql));
      CHECK_EQUAL(driver.text(get(1)), "1");
    };
    start();
    CHECK_EQUAL(driver.answer(driver.send(finalize(1, flags))).events.size(), size_t{1});
    start();
    CHECK_EQUAL(driver.answer(driver.send(reset(1, flags))).events.size(), size_t{1});
    driver.send(finalize(1));
    start();
    CHECK_EQUAL(driver.answer(driver.send(bind(1, flags).bind(1, int64_t{1}))).code, 25);
    driver.send(finalize(1));
    start();
    CHECK_EQUAL(driver.text(all(1)), "1;2;3");
    driver.send(finalize(1));
    start();
    // The number is used again without a finalize: the old statement ends with the prepare.
    CHECK_EQUAL(driver.answer(driver.send(prepare(1, "select 1", flags))).events.size(), size_t{1});
    driver.send(finalize(1));
    CHECK_EQUAL(driver.text(wait()), "");
  }
  CHECK_EQUAL(driver.text(close()), "");
}

TEST("the pragma of the busy timeout reads and sets our own") {
  Driver driver;
  driver.send(open());
  driver.send(prepare(1, "PRAGMA Busy_Timeout"));
  CHECK_EQUAL(driver.text(all(1)), "1000");
  driver.send(configure(kOptionBusyTimeout, 77));
  CHECK_EQUAL(driver.text(all(1)), "77");
  driver.send(exec("pragma busy_timeout = 5"));
  CHECK_EQUAL(driver.text(all(1)), "5");
  driver.send(prepare(2, "pragma busy_timeout(6)"));
  driver.send(run(2));
  CHECK_EQUAL(driver.text(all(1)), "6");
}

TEST("a backup copies pages, reports where it stands, and ends") {
  const TemporaryFile file;
  Driver driver;
  driver.send(open());
  driver.send(exec("create table t(a); insert into t values(zeroblob(100000))"));
  Message init(kOperationBackupInit, 1);
  init.word(1).text(file.name()).text("main").text("main");
  CHECK_EQUAL(driver.text(init), "");
  Message step(kOperationBackupStep, 1);
  CHECK_EQUAL(driver.ask(step.word(5).word(0)).events.size(), size_t{1});
  Message rest(kOperationBackupStep, 1);
  const Answer& done = driver.ask(rest.word(0xFFFFFFFF).word(0));
  CHECK_EQUAL(done.code, 0);
  CHECK_EQUAL(done.events.back().substr(0, 14), "backup 1 0 of ");
  CHECK_EQUAL(driver.text(Message(kOperationBackupFinish, 1)), "");
  Driver copy;
  copy.send(open(file.name(), 1));
  copy.send(prepare(1, "select length(a) from t"));
  CHECK_EQUAL(copy.text(all(1)), "100000");
}

TEST("an extension that is none is an error, and SQL cannot load any") {
  Driver driver;
  driver.send(open());
  Message load(kOperationLoadExtension);
  CHECK_EQUAL(driver.ask(load.text("/no such file")).code, 1);
  driver.send(prepare(1, "select load_extension('/no such file')"));
  CHECK_EQUAL(driver.text(all(1)), "error 1: not authorized");
}

TEST("the end of the thread writes the WAL into the file and removes it") {
  const TemporaryFile file;
  {
    Driver driver;
    driver.send(open(file.name()));
    CHECK_EQUAL(driver.text(exec("pragma journal_mode = wal; create table t(a); insert into t values(1)")), "");
    CHECK_EQUAL(access((file.name() + "-wal").c_str(), F_OK), 0);
    driver.stop();
  }
  CHECK_EQUAL(access((file.name() + "-wal").c_str(), F_OK), -1);
  CHECK_EQUAL(access((file.name() + "-shm").c_str(), F_OK), -1);
}
