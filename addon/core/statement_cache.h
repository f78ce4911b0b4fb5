// Prepared statements of calls that bring their SQL text, kept for the next call with the same text.
//
// Nobody can tell: a kept statement is reset and has no parameters, so it holds no lock and no value, and all are
// finalized before the connection is closed. A text is kept from the second time on, so that texts that never come
// again drive nothing out.
#ifndef SQLITE_TANDEM_CORE_STATEMENT_CACHE_H_
#define SQLITE_TANDEM_CORE_STATEMENT_CACHE_H_

#include <atomic>
#include <cstdint>

#include "shapes.h"
#include "sqlite.h"

namespace tandem {

// A text on its way through the cache.
struct CachedText {
  uint64_t hash = 0;  // 0: not to be kept
  size_t length = 0;  // without the NUL
  bool kept = false;  // the statement was taken from the cache
};

// All members: SQLite thread, except where said.
class StatementCache {
 public:
  StatementCache() = default;
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;
  ~StatementCache() { clear(); }

  static constexpr uint32_t kDefaultSize = 64;
  static constexpr uint32_t kMostStatements = 1024;
  // Longer texts are scripts or lists of values, and cost more to compare than it is worth.
  static constexpr size_t kMostTextBytes = 4096;

  // Takes the statement of that text out, with its shape; null when there is none. *text is to be given back to put().
  sqlite3_stmt* take(const char* sql, size_t length, Shape* shape, CachedText* text);

  // Takes over a statement, to keep or to finalize it.
  void put(sqlite3_stmt* handle, const Shape& shape, const CachedText& text);

  // Finalizes all.
  void clear();

  // How many are kept at most; 0 switches the cache off.
  void resize(uint32_t size);

  // Any thread: how many calls found their statement, and how many had it prepared.
  uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }
  uint64_t misses() const { return misses_.load(std::memory_order_relaxed); }

 private:
  struct Entry {
    uint64_t hash;
    sqlite3_stmt* handle;
    uint64_t used;
    Shape shape;
  };

  bool grow();
  bool met_before(uint64_t hash);
  void remove(uint32_t index);
  uint32_t oldest() const;

  static constexpr uint32_t kRemembered = 256;

  Entry* entries_ = nullptr;
  uint32_t count_ = 0;
  uint32_t capacity_ = 0;
  uint32_t size_ = kDefaultSize;
  uint64_t clock_ = 0;
  // Hashes of texts that were met lately, by their low bits.
  uint64_t remembered_[kRemembered] = {};
  std::atomic<uint64_t> hits_{0};
  std::atomic<uint64_t> misses_{0};
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_STATEMENT_CACHE_H_
