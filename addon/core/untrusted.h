// The settings of a connection to a database file that may be hostile.
#ifndef SQLITE_TANDEM_CORE_UNTRUSTED_H_
#define SQLITE_TANDEM_CORE_UNTRUSTED_H_

#include "sqlite.h"

namespace tandem {

// Limits what the schema and the pages of the file can do. It holds until the connection is closed: nothing here undoes
// it. Returns SQLite's code; the connection is as it was, or partly guarded, when that is an error. Executes pragmas,
// so hooks that report statements should be off. SQLite thread.
int distrust(sqlite3* database);

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_UNTRUSTED_H_
