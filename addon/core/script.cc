// Blanks, comments and semicolons, as SQLite's tokenizer sees them.
#include "script.h"

#include <cstring>

namespace tandem {

const char* skip_blanks(const char* sql) {
  for (;;) {
    sql += std::strspn(sql, " \t\n\v\f\r");
    if (sql[0] == '-' && sql[1] == '-') {
      sql += std::strcspn(sql, "\n");
    } else if (sql[0] == '/' && sql[1] == '*') {
      const char* end = std::strstr(sql + 2, "*/");
      if (end == nullptr) return sql + std::strlen(sql);
      sql = end + 2;
    } else {
      return sql;
    }
  }
}

const char* next_statement(const char* sql) {
  sql = skip_blanks(sql);
  while (*sql == ';') sql = skip_blanks(sql + 1);
  return sql;
}

}  // namespace tandem
