// The busy handler and its pragma.
#include "busy.h"

#include "handle.h"

namespace tandem {

void BusyWait::install(sqlite3* database) { sqlite3_busy_handler(database, handler, this); }

int BusyWait::handler(void* self, int tries) { return static_cast<BusyWait*>(self)->wait(tries) ? 1 : 0; }

bool BusyWait::wait(int tries) {
  // Short at first, since most locks are held for a moment only.
  constexpr int kDelays[] = {1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100};
  constexpr int kCount = sizeof(kDelays) / sizeof(kDelays[0]);
  const Clock::time_point now = Clock::now();
  if (tries == 0) started_ = now;
  const Clock::time_point deadline = started_ + std::chrono::milliseconds(timeout_ > 0 ? timeout_ : 0);
  if (now >= deadline) return false;
  const Clock::time_point until = now + std::chrono::milliseconds(kDelays[tries < kCount ? tries : kCount - 1]);
  return control_.sleep_until(until < deadline ? until : deadline);
}

void BusyWait::before_pragma(sqlite3* database) const { sqlite3_busy_timeout(database, timeout_); }

void BusyWait::after_pragma(sqlite3* database) {
  StatementHandle pragma;
  if (sqlite3_prepare_v2(database, "PRAGMA busy_timeout", -1, pragma.out(), nullptr) == SQLITE_OK &&
      sqlite3_step(pragma.get()) == SQLITE_ROW) {
    timeout_ = sqlite3_column_int(pragma.get(), 0);
  }
  install(database);
}

bool mentions_busy_timeout(const char* sql, size_t size) {
  constexpr char kName[] = "busy_timeout";
  constexpr size_t kLength = sizeof(kName) - 1;
  for (size_t i = 0; i + kLength <= size; ++i) {
    // The underscore is rare, so it decides first.
    if (sql[i + 4] == '_' && sqlite3_strnicmp(sql + i, kName, static_cast<int>(kLength)) == 0) return true;
  }
  return false;
}

}  // namespace tandem
