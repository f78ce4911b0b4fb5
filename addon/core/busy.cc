// The busy handler and its pragma.
#include "busy.h"

#include <cstring>

#include "handle.h"
#include "script.h"

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
  const Stopwatch::Pause pause(stopwatch_);
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

namespace {

constexpr char kName[] = "busy_timeout";
constexpr int kNameLength = sizeof(kName) - 1;
constexpr char kPragma[] = "pragma";
constexpr int kPragmaLength = sizeof(kPragma) - 1;

}  // namespace

bool is_busy_timeout_pragma(const char* sql) {
  sql = skip_blanks(sql);
  const bool pragma = sqlite3_strnicmp(sql, kPragma, kPragmaLength) == 0;
  for (const char* at = sql; *at != '\0' && *at != ';'; ++at) {
    // Few texts have the letter before an underscore at all, so most are passed at one look.
    if ((*at != 'b' && *at != 'B') || sqlite3_strnicmp(at, kName, kNameLength) != 0) continue;
    const bool function =
        at - sql > kPragmaLength && sqlite3_strnicmp(at - kPragmaLength - 1, "pragma_", kPragmaLength + 1) == 0;
    if (pragma || function) return true;
  }
  return false;
}

}  // namespace tandem
