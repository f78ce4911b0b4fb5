// Each allocation fails, SQLite's and ours: the request it was for gets SQLITE_NOMEM, and the next one works.
#include <cstdio>
#include <vector>

#include "driver.h"
#include "exhaust.h"
#include "harness.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

Message backup_init(uint32_t id, const std::string& name) {
  return Message(kOperationBackupInit, id).word(1).text(name).text("main").text("main");
}

Message backup_step(uint32_t id, uint32_t pages) { return Message(kOperationBackupStep, id).word(pages).word(0); }

// A database in a file, and one for its copy.
struct Files {
  TemporaryFile original;
  TemporaryFile copy;
};

void create(const Files& files) {
  Driver driver;
  driver.send(open(files.original.name()));
  CHECK_EQUAL(driver.text(exec("pragma journal_mode = wal; create table t(k, v); create index t_k on t(k)")), "");
  CHECK_EQUAL(driver.text(exec("insert into t values(0, 'first'), (0, zeroblob(3000)), (0, 'drei \u00fc')")), "");
  CHECK_EQUAL(driver.text(close()), "");
}

// Asks one request after the other while memory runs out at some point.
class Script {
 public:
  Script(Whose memory, long after, bool persistently) : persistently_(persistently) {
    exhaust(memory, after, persistently);
    driver_ = std::make_unique<Driver>();
  }

  // Every kind of request, and two changes: rows with key 1 in a transaction, one with key 2 by itself.
  void play(const Files& files) {
    opened_ = succeeds(open(files.original.name()));
    bool inserted = succeeds(exec("begin")) && succeeds(prepare(1, "insert into t values(?, ?)"));
    for (int64_t i = 1; i <= 3 && inserted; ++i) {
      inserted = succeeds(run(1).bind(1, int64_t{1}).bind(2, std::string(700, 'x')));
    }
    if (inserted && succeeds(exec("commit"))) {
      expected_ += ";1|3";
    } else {
      giving_up_ = true;
      succeeds(exec("rollback"));
      giving_up_ = false;
    }
    if (succeeds(exec("insert into t values(2, 'alone')"))) expected_ += ";2|1";
    if (succeeds(prepare(2, "select k, v, printf('%.*c', 5000, 'x') from t order by v"))) {
      for (const Message& message : {all(2), get(2), get(2), bind(2).bind(1, 1.5), each(2), reset(2)}) read(message);
      // A cursor that is parked in between, and one that is left in the middle.
      for (const uint32_t rows : {1U, 2U, 1U}) read(fetch(2).word(rows).word(1U << 20));
      for (const Message& message : {describe(2), expanded_sql(2), reset(2)}) read(message);
    }
    if (succeeds(prepare(3, "select value from carray(?) union all select k from t"))) {
      read(all(3).bind_array(1, kArrayText, 2).text("eins").text(std::string(900, 'y')));
      read(get(3, kRequestOneShot).bind_array(1, kArrayInteger, 3).integer(1).integer(2).integer(3));
    }
    if (!succeeds(backup_init(7, files.copy.name()))) return;
    if (succeeds(backup_step(7, 1))) succeeds(backup_step(7, ~0U));
    succeeds(Message(kOperationBackupFinish, 7));
  }

  // There is memory again, and no request fails any more. Returns how many allocations had failed.
  long recover(const Files& files) {
    const long failed = plenty();
    if (opened_) {
      // If there was no memory to say so before.
      driver_->ask(exec("rollback"));
      driver_->ask(Message(kOperationBackupFinish, 7));
      CHECK_EQUAL(contents(*driver_), expected_);
      CHECK_EQUAL(driver_->text(backup_init(8, files.copy.name())), "");
      CHECK_EQUAL(driver_->text(backup_step(8, ~0U)), "");
      CHECK_EQUAL(driver_->text(Message(kOperationBackupFinish, 8)), "");
      for (uint32_t id = 1; id <= 3; ++id) driver_->ask(finalize(id));
      CHECK_EQUAL(driver_->text(close()), "");
    }
    driver_.reset();
    inspect(files.original);
    if (opened_) inspect(files.copy);
    return failed;
  }

 private:
  static std::string contents(Driver& driver) {
    driver.send(prepare(90, "select k, count(*) from t group by k order by k", kRequestQuiet));
    const std::string text = driver.text(all(90));
    driver.send(finalize(90));
    return text;
  }

  void inspect(const TemporaryFile& file) const {
    Driver driver;
    driver.send(open(file.name()));
    driver.send(prepare(1, "pragma integrity_check"));
    CHECK_EQUAL(driver.text(all(1)), "'ok'");
    driver.send(finalize(1));
    CHECK_EQUAL(contents(driver), expected_);
    CHECK_EQUAL(driver.text(close()), "");
  }

  // Of a statement with one result for each row; the error of one that was looked for ahead comes with the next.
  void read(const Message& message) {
    if (message.operation() == kOperationBind) {
      CHECK_EQUAL(driver_->started() && !succeeds(message, SQLITE_RANGE), true);
    } else {
      succeeds(message);
    }
  }

  bool succeeds(const Message& message, int other_code = SQLITE_OK) {
    const long before = failures();
    const Answer& answer = driver_->ask(message);
    const bool is_new = failures() != before || persistently_ || !driver_->started();
    if (answer.refused) {
      CHECK(is_new);
      return false;
    }
    if (answer.code == SQLITE_OK) return true;
    if (answer.code == other_code) return false;
    // The request to open never arrived.
    if (!opened_ && answer.message == "Database handle is closed") return false;
    if (giving_up_ && answer.message == "cannot rollback - no transaction is active") return false;
    if (!driver_->started() || answer.code != SQLITE_NOMEM) fail(__FILE__, __LINE__, answer.text());
    // What could not be opened or prepared stays so.
    const bool kept = !opened_ || (answer.flags & kResultPrepareFailed) != 0;
    const bool looked_ahead = message.operation() == kOperationGet;
    if (!is_new && !kept && !looked_ahead) fail(__FILE__, __LINE__, "there was memory: " + answer.text());
    return false;
  }

  const bool persistently_;
  std::unique_ptr<Driver> driver_;
  bool opened_ = false;
  bool giving_up_ = false;
  std::string expected_ = "0|3";
};

// Lets each allocation fail in turn, until a script meets no failure.
void fail_each(Whose memory, bool persistently, long step) {
  long scripts = 0;
  long failures = 0;
  for (long after = 1;; after += step) {
    const Files files;
    create(files);
    Script script(memory, after, persistently);
    script.play(files);
    const long failed = script.recover(files);
    if (failed == 0) break;
    scripts += 1;
    failures += failed;
  }
  std::printf("# %ld scripts, %ld allocations of %s failed\n", scripts, failures,
              memory == Whose::kOurs ? "ours" : "SQLite's");
  CHECK(scripts * step > (memory == Whose::kOurs ? 20 : 300));
}

}  // namespace

TEST("the request whose allocation fails gets SQLITE_NOMEM, and the next one works: ours, once") {
  fail_each(Whose::kOurs, false, 1);
}

TEST("the request whose allocation fails gets SQLITE_NOMEM, and the next one works: ours, from then on") {
  fail_each(Whose::kOurs, true, 1);
}

TEST("the request whose allocation fails gets SQLITE_NOMEM, and the next one works: SQLite's, once") {
  fail_each(Whose::kSqlites, false, stride(2));
}

TEST("the request whose allocation fails gets SQLITE_NOMEM, and the next one works: SQLite's, from then on") {
  fail_each(Whose::kSqlites, true, stride(2));
}
