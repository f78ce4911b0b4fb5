// Binds the values of a request to a prepared statement.
#ifndef SQLITE_TANDEM_CORE_PARAMETERS_H_
#define SQLITE_TANDEM_CORE_PARAMETERS_H_

#include "bytes.h"
#include "sqlite.h"

namespace tandem {

// Reads `count` parameters and binds each; the values are copied by SQLite, for they outlive the request. Stops at the
// first one that cannot be bound and returns its code: SQLITE_RANGE for a position or name the statement does not have,
// SQLITE_TOOBIG, SQLITE_NOMEM; *why becomes the text of an error that SQLite has none for. SQLite thread. SQLite
// documentation: "Binding Values To Prepared Statements".
int bind_parameters(sqlite3_stmt* statement, Reader& reader, uint32_t count, const char** why);

// array.cc: the same for one parameter that is an array. Also SQLITE_MISUSE for a text with a NUL in it, and
// SQLITE_ERROR where the system's SQLite has no carray().
int bind_array(sqlite3_stmt* statement, int index, Reader& reader, const char** why);

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_PARAMETERS_H_
