// Reading SQL text no further than to its next statement.
#ifndef SQLITE_TANDEM_CORE_SCRIPT_H_
#define SQLITE_TANDEM_CORE_SCRIPT_H_

namespace tandem {

// Behind the blanks and comments at the beginning of a text that ends with a NUL; an unfinished comment goes to the
// end. Any thread.
const char* skip_blanks(const char* sql);

// The same, behind semicolons too: where the next statement begins, or the NUL. Any thread.
const char* next_statement(const char* sql);

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_SCRIPT_H_
