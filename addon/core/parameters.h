// Binds the values of a request to a prepared statement.
#ifndef SQLITE_TANDEM_CORE_PARAMETERS_H_
#define SQLITE_TANDEM_CORE_PARAMETERS_H_

#include "bytes.h"
#include "sqlite.h"

namespace tandem {

// Reads `count` parameters and binds each; the values are copied by SQLite, for they outlive the request. Stops at the
// first one that cannot be bound and returns its code: SQLITE_RANGE for a position or name the statement does not have,
// SQLITE_TOOBIG, SQLITE_NOMEM. SQLite thread. SQLite documentation: "Binding Values To Prepared Statements".
int bind_parameters(sqlite3_stmt* statement, Reader& reader, uint32_t count);

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_PARAMETERS_H_
