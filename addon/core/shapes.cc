// The table of column name lists of one connection.
#include "shapes.h"

namespace tandem {

void Shapes::forget() {
  for (Entry*& bucket : buckets_) {
    while (bucket != nullptr) {
      Entry* entry = bucket;
      bucket = entry->next;
      release(entry);
    }
  }
  count_ = 0;
}

// Each name as its length (32 bits) and its bytes.
bool Shapes::collect_name(const char* name) {
  if (name == nullptr) return false;
  const uint32_t length = static_cast<uint32_t>(std::strlen(name));
  return names_.append(&length, sizeof(length)) && names_.append(name, length);
}

bool Shapes::collect_names(sqlite3_stmt* statement, int columns) {
  names_.clear();
  for (int i = 0; i < columns; ++i) {
    if (!collect_name(sqlite3_column_name(statement, i))) return false;
  }
  return true;
}

Shapes::Entry* Shapes::find(uint64_t hash, uint32_t columns) const {
  for (Entry* entry = buckets_[hash % kBuckets]; entry != nullptr; entry = entry->next) {
    if (entry->hash == hash && entry->columns == columns && entry->size == names_.size() &&
        (entry->size == 0 || std::memcmp(entry->names(), names_.data(), entry->size) == 0)) {
      return entry;
    }
  }
  return nullptr;
}

Shapes::Entry* Shapes::add(uint64_t hash, uint32_t columns) {
  Entry* entry = static_cast<Entry*>(allocate(sizeof(Entry) + names_.size()));
  if (entry == nullptr) return nullptr;
  entry->hash = hash;
  entry->id = next_id_++;
  entry->columns = columns;
  entry->size = names_.size();
  if (entry->size != 0) std::memcpy(entry->names(), names_.data(), entry->size);
  entry->next = buckets_[hash % kBuckets];
  buckets_[hash % kBuckets] = entry;
  ++count_;
  return entry;
}

bool Shapes::publish(const Entry& entry, ResultQueue& results, uint32_t sequence, uint8_t flags) {
  const size_t size = aligned(kShapeNamesAt + names_.size());
  record_.clear();
  uint8_t* record = record_.extend(size);
  if (record == nullptr) return false;
  std::memset(record, 0, kShapeNamesAt);
  write_head(record, size, kResultShape, flags, sequence);
  write_at<uint32_t>(record, kShapeIdAt, entry.id);
  write_at<uint32_t>(record, kShapeColumnsAt, entry.columns);
  if (names_.size() != 0) std::memcpy(record + kShapeNamesAt, names_.data(), names_.size());
  // To wake JavaScript for the names, just before there is a row, would cost more than to make the row.
  return results.publish_ahead(record, size);
}

int Shapes::update(sqlite3_stmt* statement, Shape* shape, ResultQueue& results, uint32_t sequence) {
  const int reprepared = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0);
  if (shape->generation == generation_ && shape->reprepared == reprepared) return SQLITE_OK;
  const int columns = sqlite3_data_count(statement);
  if (!collect_names(statement, columns)) return SQLITE_NOMEM;
  const int code = number(columns, shape, results, sequence);
  if (code == SQLITE_OK) shape->reprepared = reprepared;
  return code;
}

int Shapes::update(const char* name, Shape* shape, ResultQueue& results, uint32_t sequence) {
  names_.clear();
  return collect_name(name) ? number(1, shape, results, sequence) : SQLITE_NOMEM;
}

// The number of the names that were collected, published if they are new.
int Shapes::number(int columns, Shape* shape, ResultQueue& results, uint32_t sequence) {
  const uint64_t hash = hash_of(names_.data(), names_.size());
  Entry* entry = find(hash, static_cast<uint32_t>(columns));
  if (entry == nullptr) {
    uint8_t flags = 0;
    if (count_ == kMostShapes) {
      forget();
      ++generation_;
      flags = kResultShapesVoid;
    }
    entry = add(hash, static_cast<uint32_t>(columns));
    if (entry == nullptr) return SQLITE_NOMEM;
    if (!publish(*entry, results, sequence, flags)) {
      // Unknown to JavaScript: start over, so that no later statement finds it here.
      forget();
      ++generation_;
      return SQLITE_NOMEM;
    }
  }
  shape->id = entry->id;
  shape->generation = generation_;
  shape->columns = columns;
  return SQLITE_OK;
}

}  // namespace tandem
