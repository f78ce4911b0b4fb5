// The kept statements of one connection, by the hash of their text.
#include "statement_cache.h"

#include <cstring>

#include "bytes.h"
#include "memory.h"

namespace tandem {

namespace {

// Only statements all of whose effects come when they are executed. SQLite carries out some pragmas when it prepares
// them, and a comment in front is not worth looking behind.
bool may_be_kept(const char* sql) {
  constexpr const char* kWords[] = {"select", "insert", "update", "delete", "replace", "with", "values"};
  const char* text = sql + std::strspn(sql, " \t\n\v\f\r");
  for (const char* word : kWords) {
    const int length = static_cast<int>(std::strlen(word));
    if (sqlite3_strnicmp(text, word, length) == 0) return true;
  }
  return false;
}

}  // namespace

bool StatementCache::met_before(uint64_t hash) {
  uint64_t& remembered = remembered_[hash % kRemembered];
  const bool met = remembered == hash;
  remembered = hash;
  return met;
}

sqlite3_stmt* StatementCache::take(const char* sql, size_t length, Shape* shape, CachedText* text) {
  *text = {};
  if (size_ == 0 || length > kMostTextBytes || !may_be_kept(sql)) return nullptr;
  const uint64_t hash = hash_of(reinterpret_cast<const uint8_t*>(sql), length);
  for (uint32_t i = 0; i < count_; ++i) {
    if (entries_[i].hash != hash) continue;
    const char* kept = sqlite3_sql(entries_[i].handle);
    if (kept == nullptr || std::strlen(kept) != length || std::memcmp(kept, sql, length) != 0) continue;
    sqlite3_stmt* handle = entries_[i].handle;
    *shape = entries_[i].shape;
    *text = {hash, length, true};
    remove(i);
    hits_.fetch_add(1, std::memory_order_relaxed);
    return handle;
  }
  misses_.fetch_add(1, std::memory_order_relaxed);
  *text = {met_before(hash) ? hash : 0, length, false};
  return nullptr;
}

void StatementCache::put(sqlite3_stmt* handle, const Shape& shape, const CachedText& text) {
  // Its end is an event (profile) of the request that runs.
  sqlite3_reset(handle);
  const char* sql = sqlite3_sql(handle);
  // SQLite keeps the text up to the end of the statement: with another one behind it, it would never be found.
  const bool whole = sql != nullptr && std::strlen(sql) == text.length;
  if (text.hash == 0 || !whole || size_ == 0) {
    sqlite3_finalize(handle);
    return;
  }
  // Values may be large, and nobody needs them any more.
  sqlite3_clear_bindings(handle);
  if (count_ == size_) {
    const uint32_t index = oldest();
    sqlite3_finalize(entries_[index].handle);
    remove(index);
  }
  if (count_ == capacity_ && !grow()) {
    sqlite3_finalize(handle);
    return;
  }
  entries_[count_++] = {text.hash, handle, ++clock_, shape};
}

bool StatementCache::grow() {
  const uint32_t capacity = capacity_ == 0 ? 8 : capacity_ * 2;
  void* memory = reallocate(entries_, capacity * sizeof(Entry));
  if (memory == nullptr) return false;
  entries_ = static_cast<Entry*>(memory);
  capacity_ = capacity;
  return true;
}

uint32_t StatementCache::oldest() const {
  uint32_t index = 0;
  for (uint32_t i = 1; i < count_; ++i) {
    if (entries_[i].used < entries_[index].used) index = i;
  }
  return index;
}

void StatementCache::remove(uint32_t index) { entries_[index] = entries_[--count_]; }

void StatementCache::clear() {
  for (uint32_t i = 0; i < count_; ++i) sqlite3_finalize(entries_[i].handle);
  release(entries_);
  entries_ = nullptr;
  count_ = 0;
  capacity_ = 0;
}

void StatementCache::resize(uint32_t size) {
  if (size < count_) clear();
  size_ = size < kMostStatements ? size : kMostStatements;
}

}  // namespace tandem
