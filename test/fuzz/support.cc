// The sandbox of the fuzz targets, and their waiting.
#include "support.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "../core/harness.h"
#include "core/sqlite.h"

namespace test {

namespace {

constexpr int kMostBytes = 64 << 20;
// Long for a request that does something, short for one that never ends.
constexpr auto kPatience = std::chrono::milliseconds(250);

sqlite3_mem_methods system_methods;

void* allocate(int size) { return size > kMostBytes ? nullptr : system_methods.xMalloc(size); }

void* reallocate(void* memory, int size) { return size > kMostBytes ? nullptr : system_methods.xRealloc(memory, size); }

void* load_nothing(sqlite3_vfs*, const char*) { return nullptr; }

void explain_nothing(sqlite3_vfs*, int size, char* text) { sqlite3_snprintf(size, text, "no libraries here"); }

}  // namespace

// A check of the driver failed: the fuzzer keeps the input of a program that aborts.
void fail(const char* file, int line, const std::string& text) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, text.c_str());
  std::abort();
}

void limit_memory() {
  CHECK(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_methods) == SQLITE_OK);
  sqlite3_mem_methods methods = system_methods;
  methods.xMalloc = allocate;
  methods.xRealloc = reallocate;
  CHECK(sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK);
}

void replace_file_system() {
  static sqlite3_vfs memory;
  CHECK(sqlite3_initialize() == SQLITE_OK);
  memory = *sqlite3_vfs_find("memdb");
  memory.zName = "memory";
  memory.xDlOpen = load_nothing;
  memory.xDlError = explain_nothing;
  while (sqlite3_vfs* other = sqlite3_vfs_find(nullptr)) sqlite3_vfs_unregister(other);
  CHECK(sqlite3_vfs_register(&memory, 1) == SQLITE_OK);
}

void Patient::wait_for_all() {
  submit();
  auto until = std::chrono::steady_clock::now() + kPatience;
  while (unanswered() != 0) {
    if (!take()) wait_for_results(kPatience);
    if (std::chrono::steady_clock::now() < until) continue;
    worker().control().cancel_running();
    ++cancelled_;
    until = std::chrono::steady_clock::now() + kPatience;
  }
}

const Answer& Patient::ask_patiently(const Message& message) {
  const uint32_t sequence = send(message);
  wait_for_all();
  return look(sequence);
}

}  // namespace test
