// A disk with a cache that loses power: what was written and not synced is on it in part, or not at all.
#ifndef SQLITE_TANDEM_TEST_CORE_POWER_DISK_H_
#define SQLITE_TANDEM_TEST_CORE_POWER_DISK_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "disk.h"
#include "harness.h"

namespace test {

// The files of a database by the end of their name: "", "-journal", "-wal".
using Image = std::map<std::string, std::string>;

// What of the unsynced operations has reached the disk when the power goes.
enum class Survivors { kNone, kAll, kSome };

class PowerDisk : public Disk {
 public:
  // Watches the database file of that name, which exists and is on the disk as it is, and its journals.
  // `forgets_deletions`: a file that was deleted without a sync of its folder may be there again.
  PowerDisk(std::string name, bool forgets_deletions);

  // The power goes with the operation of that number (from 1) that changes the disk; it and all later ones fail.
  void lose_power(long after);
  // Whether that has happened. Any thread.
  bool dark();
  // How many operations have changed the disk. Any thread.
  long changes();

  // What may be on the disk now. Different numbers make different choices.
  Image image(Survivors survivors, Random& random);

  Verdict before(const DiskAccess& access) override;
  void after(const DiskAccess& access) override;

 private:
  // A write; or a truncation, which has no bytes.
  struct Change {
    int64_t offset;
    std::string bytes;
    bool truncates;
  };
  struct Contents {
    std::string synced;
    std::vector<Change> unsynced;
    // The folder knows of it for certain.
    bool named;
  };

  static bool changes_disk(Access access);
  static void apply(const Change& change, Survivors survivors, Random& random, std::string& bytes);
  static std::string survived(const Contents& contents, Survivors survivors, Random& random);
  bool watches(const DiskAccess& access, std::string& ending) const;
  void open(const std::string& ending);

  const std::string name_;
  const bool forgets_deletions_;
  std::mutex mutex_;
  long changes_ = 0;
  long power_lost_at_ = 0;
  bool dark_ = false;
  std::map<std::string, Contents> files_;
  // Deleted, but perhaps not for certain.
  std::map<std::string, Contents> deleted_;
};

// What is in a file; nothing when there is none.
std::string contents_of(const std::string& name);

// Writes the files of a database.
void restore(const Image& image, const std::string& name);

}  // namespace test

#endif  // SQLITE_TANDEM_TEST_CORE_POWER_DISK_H_
