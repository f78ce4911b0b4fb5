// The one include of SQLite: the amalgamation of the build, or the system's library when built with --sqlite=<prefix>.
#ifndef SQLITE_TANDEM_CORE_SQLITE_H_
#define SQLITE_TANDEM_CORE_SQLITE_H_

#include <sqlite3.h>

#endif  // SQLITE_TANDEM_CORE_SQLITE_H_
