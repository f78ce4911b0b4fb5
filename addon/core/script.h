// Reading SQL text no further than SQLite's parser would have to be asked.
#ifndef SQLITE_TANDEM_CORE_SCRIPT_H_
#define SQLITE_TANDEM_CORE_SCRIPT_H_

namespace tandem {

// Behind the blanks and comments at the beginning of a text that ends with a NUL; an unfinished comment goes to the
// end. Any thread.
const char* skip_blanks(const char* sql);

// The same, behind semicolons too: where the next statement begins, or the NUL. Any thread.
const char* next_statement(const char* sql);

// Whether the statement at the beginning of the text, which ends with a NUL, ends a transaction: COMMIT, END, or
// ROLLBACK that is not one to a savepoint. Only for SQL that SQLite takes: of other texts the answer says nothing. Any
// thread.
bool ends_transaction(const char* sql);

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_SCRIPT_H_
