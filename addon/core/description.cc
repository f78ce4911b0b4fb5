// Requests that ask about a statement and do not execute it: describe, and the SQL text with its parameters in it.
#include <cstring>

#include "connection.h"

namespace tandem {

namespace {

// Length and bytes; null is told from an empty text by its length.
bool append_text(Bytes& bytes, const char* text) {
  const uint32_t length = text == nullptr ? kDescriptionAbsent : static_cast<uint32_t>(std::strlen(text));
  return bytes.append(&length, sizeof(length)) && (text == nullptr || bytes.append(text, length));
}

bool append_parameters(Bytes& bytes, sqlite3_stmt* handle, int count) {
  for (int i = 1; i <= count; ++i) {
    const char* name = sqlite3_bind_parameter_name(handle, i);
    if (!append_text(bytes, name == nullptr ? "" : name)) return false;
  }
  return true;
}

bool append_columns(Bytes& bytes, sqlite3_stmt* handle, int count) {
  for (int i = 0; i < count; ++i) {
    const char* name = sqlite3_column_name(handle, i);
    if (name == nullptr) return false;
    if (!append_text(bytes, name) || !append_text(bytes, sqlite3_column_decltype(handle, i))) return false;
    if (!append_text(bytes, sqlite3_column_database_name(handle, i))) return false;
    if (!append_text(bytes, sqlite3_column_table_name(handle, i))) return false;
    if (!append_text(bytes, sqlite3_column_origin_name(handle, i))) return false;
  }
  return true;
}

}  // namespace

void Connection::describe(const Statement& statement) {
  sqlite3_stmt* handle = statement.handle;
  const int parameters = sqlite3_bind_parameter_count(handle);
  const int columns = sqlite3_column_count(handle);
  Bytes record;
  bool written = record.extend(kDescriptionTextsAt) != nullptr && append_parameters(record, handle, parameters) &&
                 append_columns(record, handle, columns);
  const size_t padding = aligned(record.size()) - record.size();
  written = written && record.append("\0\0\0\0\0\0\0", padding);
  if (written) {
    std::memset(record.data(), 0, kDescriptionTextsAt);
    write_head(record.data(), record.size(), kResultDescription, 0, answers_.sequence());
    write_at<uint32_t>(record.data(), kDescriptionReadOnlyAt, sqlite3_stmt_readonly(handle) != 0 ? 1 : 0);
    write_at<uint32_t>(record.data(), kDescriptionExplainAt, static_cast<uint32_t>(sqlite3_stmt_isexplain(handle)));
    write_at<uint32_t>(record.data(), kDescriptionParametersAt, static_cast<uint32_t>(parameters));
    write_at<uint32_t>(record.data(), kDescriptionColumnsAt, static_cast<uint32_t>(columns));
    written = answers_.results().publish(record.data(), record.size());
  }
  if (!written) return answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
  answers_.done();
}

void Connection::expand_sql(Statement& statement, Request& request) {
  bool bound = false;
  if (!bind(statement, request, &bound)) return;
  if (statement.handle == nullptr) return fail(SQLITE_MISUSE);
  char* sql = sqlite3_expanded_sql(statement.handle);
  if (sql == nullptr) {
    // SQLite does not say whether there was no memory or the text is too long. Another try and another allocation do.
    sql = sqlite3_expanded_sql(statement.handle);
    void* memory = sqlite3_malloc(1);
    sqlite3_free(memory);
    if (memory == nullptr) {
      sqlite3_free(sql);
      return answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
    }
  }
  if (sql == nullptr) return answers_.error({SQLITE_TOOBIG, -1, "the expanded SQL text is too long"});
  Shape shape;
  int code = shapes_.update("sql", &shape, answers_.results(), answers_.sequence());
  if (code == SQLITE_OK) code = writer_.append(sql);
  sqlite3_free(sql);
  if (code != SQLITE_OK) {
    writer_.clear();
    return answers_.error({code, -1, sqlite3_errstr(code)});
  }
  if (!writer_.publish(answers_.results(), answers_.sequence(), shape.id, answers_.final_flags())) {
    return answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
  }
  answers_.answered();
}

}  // namespace tandem
