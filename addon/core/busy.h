// Waiting for locks: a busy handler that stop and cancel can wake, which SQLite's own timeout cannot be.
#ifndef SQLITE_TANDEM_CORE_BUSY_H_
#define SQLITE_TANDEM_CORE_BUSY_H_

#include <cstdint>

#include "control.h"
#include "sqlite.h"
#include "stopwatch.h"

namespace tandem {

// All members: SQLite thread.
class BusyWait {
 public:
  BusyWait(Control& control, Stopwatch& stopwatch) : control_(control), stopwatch_(stopwatch) {}

  // Makes this the busy handler of the connection.
  void install(sqlite3* database);

  // Milliseconds; zero or less means not to wait at all.
  void set_timeout(int milliseconds) { timeout_ = milliseconds; }

  // Waits a little before try number `tries` (from 0). False when the time is up, or the request cancelled.
  bool wait(int tries);

  // `PRAGMA busy_timeout` reads and replaces SQLite's own handler, when it is prepared as well as later. Before that,
  // SQLite's handler is put in place with our timeout, so that the pragma reads right; afterwards its value is taken
  // over.
  void before_pragma(sqlite3* database) const;
  void after_pragma(sqlite3* database);

 private:
  static int handler(void* self, int tries);

  Control& control_;
  Stopwatch& stopwatch_;
  int timeout_ = kDefaultTimeout;
  Clock::time_point started_;

  static constexpr int kDefaultTimeout = 1000;
};

// Whether the statement at the beginning of the text, which ends with a NUL, is the pragma, or asks its table-valued
// function. Any thread.
bool is_busy_timeout_pragma(const char* sql);

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_BUSY_H_
