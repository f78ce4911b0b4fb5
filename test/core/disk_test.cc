// Each operation on the disk fails: the request it was for gets the error, what was committed stays, the rest is gone.
#include <cstdio>
#include <map>
#include <set>
#include <vector>

#include "driver.h"
#include "faulty_disk.h"
#include "harness.h"
#include "power_disk.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

constexpr unsigned kEvery = ~0U;

// What may go wrong with a disk once: each operation in turn, and in two more ways those that write.
constexpr Fault kAlone[] = {
    {"an operation", kEvery, SQLITE_OK, false},
    {"a write, after half of it", bit(Access::kWrite), SQLITE_OK, true},
    {"a write or truncation with SQLITE_FULL", bit(Access::kWrite) | bit(Access::kTruncate), SQLITE_FULL, true},
};

// What may be broken from some moment on: everything, or one part.
constexpr Fault kFromThenOn[] = {
    {"everything", kEvery, SQLITE_OK, false},
    {"open", bit(Access::kOpen), SQLITE_OK, false},
    {"delete", bit(Access::kDelete), SQLITE_OK, false},
    {"look for a file", bit(Access::kExists) | bit(Access::kSize), SQLITE_OK, false},
    {"read", bit(Access::kRead), SQLITE_OK, false},
    {"write", bit(Access::kWrite), SQLITE_OK, true},
    {"write and truncate, with SQLITE_FULL", bit(Access::kWrite) | bit(Access::kTruncate), SQLITE_FULL, true},
    {"truncate", bit(Access::kTruncate), SQLITE_OK, false},
    {"sync", bit(Access::kSync), SQLITE_OK, false},
    {"lock", bit(Access::kLock), SQLITE_OK, false},
    {"shared memory", bit(Access::kSharedMemory), SQLITE_OK, false},
};

constexpr const char* kAccessNames[kAccesses] = {"open",     "delete", "exists", "read", "write",
                                                 "truncate", "sync",   "size",   "lock", "shared memory"};

constexpr const char* kEndings[] = {"", "-journal", "-wal"};

// The files at one moment, as they are found by the next who opens the database.
Image image_of(const TemporaryFile& file) {
  Image image;
  for (const char* ending : kEndings) image[ending] = contents_of(file.name() + ending);
  for (const char* ending : kEndings) {
    if (image[ending].empty()) image.erase(ending);
  }
  return image;
}

std::string insert(int key, int rows) {
  return "with recursive n(i) as (select 1 union all select i + 1 from n where i < " + std::to_string(rows) +
         ") insert into t select " + std::to_string(key) + ", i, printf('%0500d', i * 7919) from n";
}

std::string settings(const std::string& mode) {
  // So small a cache that changed pages are written before the commit.
  return "pragma cache_size = 4; pragma synchronous = full; pragma journal_mode = " + mode;
}

// A database whose last writer died: in a transaction that has reached the file, with the rollback journal, or before
// what it had committed to the WAL has reached the file.
Image interrupted(const std::string& mode) {
  const TemporaryFile file;
  Driver driver;
  driver.send(open(file.name()));
  CHECK_EQUAL(driver.text(exec(settings(mode))), "");
  CHECK_EQUAL(driver.text(exec("create table t(k, i, v); create index t_v on t(v)")), "");
  CHECK_EQUAL(driver.text(exec(insert(0, 12))), "");
  if (mode == "wal") return image_of(file);
  CHECK_EQUAL(driver.text(exec("begin; update t set v = upper(v) || 'changed'; " + insert(9, 12))), "");
  Image image = image_of(file);
  CHECK(image["-journal"].size() > 512);
  return image;
}

// What is done in one go, and is there as a whole or not at all.
struct Unit {
  std::vector<Message> messages;
  // Keys whose rows are added or removed, with their number.
  std::map<int, int> adds;
  std::vector<int> removes;
};

std::vector<Unit> script(const std::string& mode) {
  std::vector<Unit> units;
  units.push_back({{exec(settings(mode))}, {}, {}});
  units.push_back({{exec("create table extra(a); create index extra_a on extra(a)")}, {}, {}});
  Unit inserts{{exec("begin immediate"), prepare(1, "insert into t values(?, ?, ?)")}, {{1, 10}}, {}};
  for (int64_t i = 1; i <= 10; ++i) {
    inserts.messages.push_back(run(1).bind(1, int64_t{1}).bind(2, i).bind(3, std::string(500, 'z')));
  }
  inserts.messages.push_back(exec("commit"));
  units.push_back(inserts);
  units.push_back({{exec(insert(2, 3))}, {{2, 3}}, {}});
  units.push_back({{exec("begin; update t set v = lower(v) || '!'"), exec("rollback")}, {}, {}});
  units.push_back({{prepare(2, "select k, v from t order by v"), all(2), get(2), reset(2)}, {}, {}});
  units.push_back({{exec(mode == "wal" ? "pragma wal_checkpoint(truncate)" : "vacuum")}, {}, {}});
  units.push_back({{exec("begin"), exec("delete from t where k = 1"), exec("commit")}, {}, {1}});
  return units;
}

// One run of the script, on a connection of its own.
class Run {
 public:
  Run(FaultyDisk& disk, const std::string& name, bool persistently) : disk_(disk), persistently_(persistently) {
    opened_ = succeeds(open(name));
  }

  void play(const std::vector<Unit>& units) {
    for (const Unit& unit : units) play(unit);
  }

  // The disk is in order again; so is the connection.
  void recover() {
    disk_.disarm();
    if (!opened_) return;
    const std::string found = contents(driver_);
    CHECK(may_be_there(found));
    committed_all_the_same_ = found != text_of(committed_);
    CHECK_EQUAL(driver_.text(exec(insert(3, 2))), "");
    expected_ = found + ";3|2|1|2";
  }

  void close() {
    for (uint32_t id = 1; id <= 2; ++id) driver_.send(finalize(id));
    if (opened_) CHECK_EQUAL(driver_.text(test::close()), "");
    driver_.answer_all();
  }

  // What has to be there from now on, as contents() gives it.
  const std::string& expected() const { return expected_; }

  // A commit was answered with an error, and its changes are there.
  bool committed_all_the_same() const { return committed_all_the_same_; }

  static std::string contents(Driver& driver) {
    driver.send(prepare(90, "select k, count(*), min(i), max(i) from t group by k order by k", kRequestQuiet));
    const std::string text = driver.text(all(90));
    driver.send(finalize(90));
    return text;
  }

 private:
  // The rows of each key.
  using Rows = std::map<int, int>;

  // As contents() gives it.
  static std::string text_of(const Rows& rows) {
    std::string text;
    for (const auto& [key, count] : rows) {
      const std::string number = std::to_string(count);
      text.append(text.empty() ? "" : ";").append(std::to_string(key) + "|" + number + "|1|" + number);
    }
    return text;
  }

  static Rows after(Rows rows, const Unit& unit) {
    for (const auto& [key, count] : unit.adds) rows[key] = count;
    for (const int key : unit.removes) rows.erase(key);
    return rows;
  }

  bool may_be_there(const std::string& found) const {
    for (const Rows& rows : possible_) {
      if (found == text_of(rows)) return true;
    }
    return false;
  }

  void play(const Unit& unit) {
    const size_t count = unit.messages.size();
    size_t at = 0;
    while (at < count && succeeds(unit.messages[at])) ++at;
    std::set<Rows> changed;
    for (const Rows& rows : possible_) changed.insert(after(rows, unit));
    if (at == count) {
      committed_ = after(committed_, unit);
      possible_ = changed;
      return;
    }
    // The last message commits. SQLite may fail behind the moment that counts, and can only say that it failed.
    if (opened_ && at == count - 1) possible_.insert(changed.begin(), changed.end());
    // As a program does: what has begun is given up. SQLite may have done so itself.
    giving_up_ = true;
    succeeds(exec("rollback"));
    giving_up_ = false;
  }

  bool succeeds(const Message& message) {
    const long before = disk_.failed();
    const Answer& answer = driver_.ask(message);
    if (answer.code == 0) return true;
    if (!opened_ && open_code_ != 0) {
      CHECK_EQUAL(answer.code, open_code_);
      return false;
    }
    if (!opened_) open_code_ = answer.code;
    if (giving_up_ && answer.message == "cannot rollback - no transaction is active") return false;
    const int code = answer.code & 0xFF;
    if (code != SQLITE_IOERR && code != SQLITE_FULL && code != SQLITE_CANTOPEN) fail(__FILE__, __LINE__, answer.text());
    // A disk that failed once is no excuse for the requests behind.
    if (disk_.failed() == before && !persistently_) fail(__FILE__, __LINE__, "without a failure: " + answer.text());
    return false;
  }

  FaultyDisk& disk_;
  const bool persistently_;
  Driver driver_;
  bool opened_ = false;
  bool giving_up_ = false;
  int open_code_ = 0;
  Rows committed_ = {{0, 12}};
  std::set<Rows> possible_ = {committed_};
  std::string expected_ = text_of(committed_);
  bool committed_all_the_same_ = false;
};

// What a new connection finds, and that it can go on. Nothing is left beside the file when it has closed.
void inspect(const TemporaryFile& file, const std::string& expected) {
  Driver driver;
  driver.send(open(file.name()));
  driver.send(prepare(1, "pragma integrity_check"));
  CHECK_EQUAL(driver.text(all(1)), "'ok'");
  driver.send(finalize(1));
  CHECK_EQUAL(Run::contents(driver), expected);
  CHECK_EQUAL(driver.text(exec("begin; insert into t values(4, 1, 1); commit")), "");
  CHECK_EQUAL(driver.text(close()), "");
  for (const char* ending : {"-journal", "-wal", "-shm"}) {
    const std::string left = file.name() + ending;
    // Journals that are kept on purpose are empty, or begin with zeros.
    if (access(left.c_str(), F_OK) == 0) CHECK(contents_of(left).find_first_not_of('\0') > 27);
  }
}

struct Tally {
  long failed[kAccesses] = {};
  long runs = 0;
  long committed_all_the_same = 0;
  // How many of these were caused by a failed sync, and by a write that failed after half of its bytes.
  long by_sync = 0;
  long by_half_write = 0;

  std::string text() const {
    std::string text;
    for (unsigned i = 0; i < kAccesses; ++i) {
      if (failed[i] != 0) text.append(", ").append(std::to_string(failed[i]) + " " + kAccessNames[i]);
    }
    return std::to_string(runs) + " runs" + text;
  }
};

// Lets each operation fail in turn, until a run meets no failure.
void fail_each(const std::string& mode, const Image& image, const Fault& fault, bool persistently, Tally& tally) {
  const long step = stride(3);
  for (long after = 1;; after += step) {
    const TemporaryFile file;
    restore(image, file.name());
    FaultyDisk disk;
    disk.arm(fault, after, persistently);
    Run run(disk, file.name(), persistently);
    run.play(script(mode));
    const long failed = disk.failed();
    for (unsigned i = 0; i < kAccesses; ++i) tally.failed[i] += disk.failed(static_cast<Access>(i));
    run.recover();
    run.close();
    inspect(file, run.expected());
    if (failed == 0) return;
    tally.runs += 1;
    if (!run.committed_all_the_same()) continue;
    tally.committed_all_the_same += 1;
    tally.by_sync += disk.failed(Access::kSync) == 1 ? 1 : 0;
    tally.by_half_write += fault.half_written && disk.failed(Access::kWrite) == 1 ? 1 : 0;
  }
}

template <size_t kCount>
Tally fail_all(const std::string& mode, const Fault (&faults)[kCount], bool persistently) {
  const Image image = interrupted(mode);
  Tally total;
  for (const Fault& fault : faults) {
    Tally tally;
    fail_each(mode, image, fault, persistently, tally);
    std::printf("# journal_mode %s, %s%s: %s\n", mode.c_str(), fault.name, persistently ? " from then on" : "",
                tally.text().c_str());
    // Some kinds do not occur in each mode, but these do.
    if (fault.accesses == kEvery) CHECK(tally.runs * stride(3) > 200);
    total.runs += tally.runs;
    total.committed_all_the_same += tally.committed_all_the_same;
    total.by_sync += tally.by_sync;
    total.by_half_write += tally.by_half_write;
  }
  std::printf(
      "# journal_mode %s, %s: %ld runs, %ld commits there in spite of their error (sync %ld, half a write %ld)\n",
      mode.c_str(), persistently ? "from then on" : "alone", total.runs, total.committed_all_the_same, total.by_sync,
      total.by_half_write);
  return total;
}

}  // namespace

TEST("each disk operation fails once, with a rollback journal") {
  CHECK_EQUAL(fail_all("delete", kAlone, false).committed_all_the_same, 0);
}

TEST("each disk operation fails once, with a WAL") {
  CHECK_EQUAL(fail_all("wal", kAlone, false).committed_all_the_same, 0);
}

// A journal that was emptied, or whose header is destroyed, is void: the commit has been carried out when that cannot
// be synced or is done by half, and SQLite reports the error all the same.
TEST("each disk operation fails once, with a truncated journal") {
  const Tally tally = fail_all("truncate", kAlone, false);
  CHECK_EQUAL(tally.by_sync + tally.by_half_write, tally.committed_all_the_same);
}

TEST("each disk operation fails once, with a persistent journal") {
  const Tally tally = fail_all("persist", kAlone, false);
  CHECK_EQUAL(tally.by_sync + tally.by_half_write, tally.committed_all_the_same);
}

TEST("the disk fails from some operation on, with a rollback journal") { fail_all("delete", kFromThenOn, true); }
TEST("the disk fails from some operation on, with a WAL") { fail_all("wal", kFromThenOn, true); }
