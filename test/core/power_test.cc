// The power goes at each operation that changes the disk: what was reported as committed is there, and nothing by half.
#include <algorithm>
#include <cstdio>

#include "driver.h"
#include "harness.h"
#include "power_disk.h"
#include "temporary.h"

using namespace tandem;
using namespace test;

namespace {

struct Mode {
  const char* journal;
  const char* synchronous;
  bool forgets_deletions;
};

// A file that is on the disk as a whole, in that mode.
Image created(const Mode& mode) {
  const TemporaryFile file;
  Driver driver;
  driver.send(open(file.name()));
  CHECK_EQUAL(driver.text(exec(std::string("pragma journal_mode = ") + mode.journal)), "");
  CHECK_EQUAL(driver.text(exec("create table t(k, i, v); create index t_v on t(v)")), "");
  CHECK_EQUAL(driver.text(close()), "");
  return {{"", contents_of(file.name())}};
}

// Commits one transaction after the other until the power goes, and returns how many were reported as committed.
int commit(const Mode& mode, const std::string& name) {
  Driver driver;
  driver.send(open(name));
  driver.send(exec(std::string("pragma cache_size = 4; pragma wal_autocheckpoint = 12; pragma synchronous = ") +
                   mode.synchronous + "; pragma journal_mode = " + mode.journal));
  int committed = 0;
  for (int key = 1; key <= 5; ++key) {
    const std::string number = std::to_string(key);
    driver.send(exec("begin"));
    for (int i = 1; i <= 8; ++i) {
      driver.send(exec("insert into t values(" + number + ", " + std::to_string(i) + ", printf('%0400d', " + number +
                       std::to_string(i) + "))"));
    }
    // Changes pages that an earlier transaction has written.
    driver.send(exec("update t set v = v || 'x' where i = 3"));
    if (driver.ask(exec("commit")).code != 0) break;
    committed = key;
  }
  // Without the power it does nothing any more; with it, this is one more thing that may be interrupted.
  driver.ask(close());
  return committed;
}

// How many transactions there are; each as a whole, and none behind one that is missing.
int recovered(const std::string& name) {
  Driver driver;
  driver.send(open(name));
  driver.send(prepare(1, "pragma integrity_check"));
  CHECK_EQUAL(driver.text(all(1)), "'ok'");
  driver.send(prepare(2, "select count(distinct k) from t"));
  const int count = std::stoi(driver.text(all(2)));
  driver.send(prepare(3, "select k, count(*), sum(length(v)) from t group by k order by k"));
  std::string expected;
  for (int key = 1; key <= count; ++key) {
    // One row of eight has grown by a character in this and each later transaction.
    expected += (key == 1 ? "" : ";") + std::to_string(key) + "|8|" + std::to_string(8 * 400 + count - key + 1);
  }
  CHECK_EQUAL(driver.text(all(3)), expected);
  CHECK_EQUAL(driver.text(exec("insert into t values(99, 1, 1)")), "");
  return count;
}

struct Tally {
  long cuts = 0;
  long images = 0;
  // Transactions that were reported as committed, and that were missing.
  long reported = 0;
  long lost = 0;
};

void inspect(PowerDisk& disk, Survivors survivors, Random& random, int committed, Tally& tally) {
  const TemporaryFile file;
  restore(disk.image(survivors, random), file.name());
  const int count = recovered(file.name());
  // One more than was reported: the power went between the commit and its answer.
  CHECK(count <= committed + 1);
  tally.images += 1;
  tally.reported += committed;
  tally.lost += count < committed ? committed - count : 0;
}

Tally cut_power_everywhere(const Mode& mode) {
  const Image image = created(mode);
  Tally tally;
  Random random(4711);
  // With fewer cuts there would be none that loses what may be lost.
  const long step = std::min(15L, stride(3));
  for (long after = 1;; after += step) {
    const TemporaryFile file;
    restore(image, file.name());
    int committed = 0;
    PowerDisk disk(file.name(), mode.forgets_deletions);
    disk.lose_power(after);
    committed = commit(mode, file.name());
    if (!disk.dark()) break;
    tally.cuts += 1;
    inspect(disk, Survivors::kNone, random, committed, tally);
    inspect(disk, Survivors::kAll, random, committed, tally);
    for (int i = 0; i < 3; ++i) inspect(disk, Survivors::kSome, random, committed, tally);
  }
  std::printf("# journal_mode %s, synchronous %s%s: %ld power cuts, %ld disks, %ld transactions reported, %ld lost\n",
              mode.journal, mode.synchronous, mode.forgets_deletions ? ", deletions forgotten" : "", tally.cuts,
              tally.images, tally.reported, tally.lost);
  CHECK(tally.cuts * step > 50);
  return tally;
}

}  // namespace

TEST("a power cut loses nothing that was committed with a rollback journal") {
  CHECK_EQUAL(cut_power_everywhere({"delete", "full", false}).lost, 0);
}

TEST("a power cut loses nothing that was committed with a truncated journal") {
  CHECK_EQUAL(cut_power_everywhere({"truncate", "full", false}).lost, 0);
}

TEST("a power cut loses nothing that was committed with a persistent journal") {
  CHECK_EQUAL(cut_power_everywhere({"persist", "full", false}).lost, 0);
}

TEST("a power cut loses nothing that was committed with a WAL") {
  CHECK_EQUAL(cut_power_everywhere({"wal", "full", false}).lost, 0);
}

TEST("a power cut that forgets deletions loses nothing that was committed with synchronous EXTRA") {
  CHECK_EQUAL(cut_power_everywhere({"delete", "extra", true}).lost, 0);
}

// SQLite says so: FULL does not sync the folder behind the deletion that commits.
TEST("a power cut that forgets deletions takes whole transactions back with FULL, and damages nothing") {
  CHECK(cut_power_everywhere({"delete", "full", true}).lost > 0);
}

// SQLite says so: NORMAL syncs the WAL only before a checkpoint.
TEST("a power cut takes whole transactions back with a WAL and synchronous NORMAL, and damages nothing") {
  CHECK(cut_power_everywhere({"wal", "normal", false}).lost > 0);
}

// The test of the tests: a disk that keeps only what was synced does show what was not.
TEST("a power cut with synchronous OFF is seen to lose what was reported") {
  const Mode mode = {"wal", "off", false};
  const TemporaryFile file;
  restore(created(mode), file.name());
  PowerDisk disk(file.name(), false);
  const int committed = commit(mode, file.name());
  CHECK_EQUAL(committed, 5);
  Random random(1);
  const TemporaryFile after;
  restore(disk.image(Survivors::kNone, random), after.name());
  CHECK_EQUAL(recovered(after.name()), 0);
}
