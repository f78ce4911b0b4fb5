// In place of addon/core/memory.cc: memory that runs out when a test says so, also SQLite's own.
#include "core/memory.h"

#include <atomic>

#include "core/sqlite.h"
#include "exhaust.h"

namespace tandem {

void* allocate(size_t size) { return test::exhausted(test::Whose::kOurs) ? nullptr : std::malloc(size); }

void* reallocate(void* memory, size_t size) {
  return test::exhausted(test::Whose::kOurs) ? nullptr : std::realloc(memory, size);
}

void release(void* memory) { std::free(memory); }

}  // namespace tandem

namespace test {

namespace {

std::atomic<int> whose{static_cast<int>(Whose::kNobodys)};
std::atomic<long> left{0};
std::atomic<bool> for_ever{false};
std::atomic<long> refused{0};
thread_local bool spared = false;

sqlite3_mem_methods system_methods;

void* allocate_for_sqlite(int size) { return exhausted(Whose::kSqlites) ? nullptr : system_methods.xMalloc(size); }

void* reallocate_for_sqlite(void* memory, int size) {
  return exhausted(Whose::kSqlites) ? nullptr : system_methods.xRealloc(memory, size);
}

// Puts SQLite's memory under control, too; before main(), since afterwards SQLite has begun to use its own.
bool watch_sqlite() {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_methods) != SQLITE_OK) std::abort();
  sqlite3_mem_methods methods = system_methods;
  methods.xMalloc = allocate_for_sqlite;
  methods.xRealloc = reallocate_for_sqlite;
  if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK) std::abort();
  return true;
}

[[maybe_unused]] const bool watched = watch_sqlite();

}  // namespace

bool exhausted(Whose memory) {
  if (spared || whose.load() != static_cast<int>(memory)) return false;
  const long count = left.fetch_sub(1);
  if (count > 1 || (count < 1 && !for_ever.load())) return false;
  refused.fetch_add(1);
  return true;
}

void exhaust(Whose memory, long after, bool persistently) {
  refused.store(0);
  left.store(after);
  for_ever.store(persistently);
  whose.store(static_cast<int>(memory));
}

Spared::Spared() { spared = true; }

Spared::~Spared() { spared = false; }

long failures() { return refused.load(); }

long plenty() {
  whose.store(static_cast<int>(Whose::kNobodys));
  return refused.load();
}

}  // namespace test
