// Blanks, comments, semicolons and a few keywords, as SQLite's tokenizer sees them.
#include "script.h"

#include <cstring>

#include "sqlite.h"

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

namespace {

bool continues_word(char unit) {
  const bool letter = (unit >= 'a' && unit <= 'z') || (unit >= 'A' && unit <= 'Z');
  return letter || (unit >= '0' && unit <= '9') || unit == '_' || unit == '$' || static_cast<signed char>(unit) < 0;
}

// Behind the keyword if the text begins with it, else null.
const char* behind(const char* sql, const char* keyword) {
  const size_t length = std::strlen(keyword);
  if (sqlite3_strnicmp(sql, keyword, static_cast<int>(length)) != 0) return nullptr;
  return continues_word(sql[length]) ? nullptr : sql + length;
}

// Behind blanks, and behind the mark that some editors put before a text, which SQLite takes for one.
const char* skip_marks(const char* sql) {
  constexpr char kMark[] = "\xEF\xBB\xBF";
  sql = skip_blanks(sql);
  while (std::strncmp(sql, kMark, 3) == 0) sql = skip_blanks(sql + 3);
  return sql;
}

}  // namespace

bool ends_transaction(const char* sql) {
  sql = skip_marks(sql);
  // SQLite passes by empty statements until it has found another one.
  while (*sql == ';') sql = skip_marks(sql + 1);
  if (behind(sql, "commit") != nullptr || behind(sql, "end") != nullptr) return true;
  const char* rest = behind(sql, "rollback");
  if (rest == nullptr) return false;
  rest = skip_marks(rest);
  const char* name = behind(rest, "transaction");
  if (name != nullptr) rest = skip_marks(name);
  return behind(rest, "to") == nullptr;
}

}  // namespace tandem
