// Remembers of each file what was synced and what was only written, and says what a power cut would leave of it.
#include "power_disk.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace test {

namespace {

constexpr size_t kSector = 512;

// What a file that has grown holds where nothing was written yet: on many disks, whatever was there before.
constexpr char kGarbage = '\xA5';

}  // namespace

std::string contents_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void restore(const Image& image, const std::string& name) {
  for (const auto& [ending, contents] : image) std::ofstream(name + ending, std::ios::binary) << contents;
}

PowerDisk::PowerDisk(std::string name, bool forgets_deletions)
    : name_(std::move(name)), forgets_deletions_(forgets_deletions) {
  open("");
  files_[""].named = true;
}

void PowerDisk::lose_power(long after) {
  const std::lock_guard<std::mutex> lock(mutex_);
  power_lost_at_ = after;
}

bool PowerDisk::dark() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return dark_;
}

long PowerDisk::changes() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return changes_;
}

bool PowerDisk::changes_disk(Access access) {
  return access == Access::kWrite || access == Access::kTruncate || access == Access::kSync ||
         access == Access::kDelete;
}

// The shared memory of the WAL is no file to SQLite, and temporary files need not survive.
bool PowerDisk::watches(const DiskAccess& access, std::string& ending) const {
  if (access.path == nullptr || std::string(access.path).compare(0, name_.size(), name_) != 0) return false;
  ending = access.path + name_.size();
  return true;
}

void PowerDisk::open(const std::string& ending) {
  if (files_.count(ending) == 0) files_[ending] = {contents_of(name_ + ending), {}, false};
}

Verdict PowerDisk::before(const DiskAccess& access) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string ending;
  if (!watches(access, ending)) return kCarryOut;
  if (!dark_ && changes_disk(access.access)) {
    changes_ += 1;
    dark_ = changes_ == power_lost_at_;
    // The write that is interrupted may be there in part. A sync that is interrupted has promised nothing yet.
    if (dark_ && access.access == Access::kWrite) {
      const std::string bytes(static_cast<const char*>(access.bytes), static_cast<size_t>(access.size));
      files_[ending].unsynced.push_back({access.offset, bytes, false});
    }
  }
  return dark_ ? Verdict{failure_of(access.access), 0} : kCarryOut;
}

void PowerDisk::after(const DiskAccess& access) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string ending;
  if (!watches(access, ending)) return;
  if (access.access == Access::kOpen) return open(ending);
  const auto found = files_.find(ending);
  if (found == files_.end()) return;
  Contents& contents = found->second;
  switch (access.access) {
    case Access::kWrite:
      contents.unsynced.push_back(
          {access.offset, std::string(static_cast<const char*>(access.bytes), static_cast<size_t>(access.size)),
           false});
      break;
    case Access::kTruncate:
      contents.unsynced.push_back({access.offset, "", true});
      break;
    case Access::kSync: {
      Random none(0);
      contents = {survived(contents, Survivors::kAll, none), {}, true};
      // With the first sync of a journal SQLite's VFS syncs the folder, too.
      deleted_.erase(ending);
      break;
    }
    case Access::kDelete:
      if (forgets_deletions_ && access.flags == 0 && contents.named) deleted_[ending] = contents;
      files_.erase(found);
      break;
    default:
      break;
  }
}

void PowerDisk::apply(const Change& change, Survivors survivors, Random& random, std::string& bytes) {
  const size_t offset = static_cast<size_t>(change.offset);
  if (change.truncates) {
    if (survivors == Survivors::kAll || random.below(2) == 0) bytes.resize(std::min(offset, bytes.size()));
    return;
  }
  // Each sector for itself.
  for (size_t at = 0; at < change.bytes.size();) {
    const size_t length = std::min(kSector - (offset + at) % kSector, change.bytes.size() - at);
    if (survivors == Survivors::kAll || random.below(2) == 0) {
      if (bytes.size() < offset + at + length) bytes.resize(offset + at + length, kGarbage);
      bytes.replace(offset + at, length, change.bytes, at, length);
    }
    at += length;
  }
}

std::string PowerDisk::survived(const Contents& contents, Survivors survivors, Random& random) {
  std::string bytes = contents.synced;
  if (survivors == Survivors::kNone) return bytes;
  for (const Change& change : contents.unsynced) apply(change, survivors, random, bytes);
  return bytes;
}

Image PowerDisk::image(Survivors survivors, Random& random) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Image image;
  const auto perhaps = [&](bool otherwise) { return survivors == Survivors::kSome ? random.below(2) == 0 : otherwise; };
  for (const auto& [ending, contents] : deleted_) {
    if (perhaps(survivors == Survivors::kNone)) image[ending] = survived(contents, survivors, random);
  }
  for (const auto& [ending, contents] : files_) {
    if (contents.named || perhaps(survivors == Survivors::kAll)) image[ending] = survived(contents, survivors, random);
  }
  return image;
}

}  // namespace test
