// Numbers for lists of column names, so that the names travel to JavaScript once and not with every result.
#ifndef SQLITE_TANDEM_CORE_SHAPES_H_
#define SQLITE_TANDEM_CORE_SHAPES_H_

#include <cstdint>

#include "bytes.h"
#include "result_queue.h"
#include "sqlite.h"

namespace tandem {

// What a statement remembers about its columns. A shape of an earlier generation is void.
struct Shape {
  uint32_t id = 0;
  uint32_t generation = 0;
  int columns = 0;
  int reprepared = -1;
};

// All members: SQLite thread.
class Shapes {
 public:
  Shapes() = default;
  Shapes(const Shapes&) = delete;
  Shapes& operator=(const Shapes&) = delete;
  ~Shapes() { forget(); }

  // Brings *shape up to date for the statement, which has just returned SQLITE_ROW: SQLite may have prepared it anew in
  // that very step, with other columns. Publishes the names when they are new. SQLITE_OK or SQLITE_NOMEM.
  int update(sqlite3_stmt* statement, Shape* shape, ResultQueue& results, uint32_t sequence);

  // The same for rows of a single column that no statement has made.
  int update(const char* name, Shape* shape, ResultQueue& results, uint32_t sequence);

 private:
  struct Entry {
    Entry* next;
    uint64_t hash;
    uint32_t id;
    uint32_t columns;
    size_t size;

    uint8_t* names() { return reinterpret_cast<uint8_t*>(this + 1); }
  };

  static constexpr uint32_t kBuckets = 256;
  static constexpr uint32_t kMostShapes = 512;

  bool collect_name(const char* name);
  bool collect_names(sqlite3_stmt* statement, int columns);
  int number(int columns, Shape* shape, ResultQueue& results, uint32_t sequence);
  Entry* find(uint64_t hash, uint32_t columns) const;
  Entry* add(uint64_t hash, uint32_t columns);
  bool publish(const Entry& entry, ResultQueue& results, uint32_t sequence, uint8_t flags);
  void forget();

  Entry* buckets_[kBuckets] = {};
  uint32_t count_ = 0;
  uint32_t next_id_ = 1;
  uint32_t generation_ = 1;
  Bytes names_;
  Bytes record_;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_SHAPES_H_
