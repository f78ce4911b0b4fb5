// SQLite calls these from inside step, on its thread; they only copy (docs "sqlite3_trace_v2", "sqlite3_update_hook").
#include "hooks.h"

namespace tandem {

void Hooks::set(sqlite3* database, Option option, bool on) {
  if (option == kOptionTrace) trace_ = on;
  if (option == kOptionProfile) profile_ = on;
  if (option == kOptionChange) change_ = on;
  attach(database);
}

void Hooks::attach(sqlite3* database) {
  const unsigned mask = (trace_ ? SQLITE_TRACE_STMT : 0U) | (profile_ ? SQLITE_TRACE_PROFILE : 0U);
  sqlite3_trace_v2(database, mask, mask != 0 ? on_trace : nullptr, this);
  sqlite3_update_hook(database, change_ ? on_change : nullptr, this);
}

void Hooks::detach(sqlite3* database) {
  sqlite3_trace_v2(database, 0, nullptr, nullptr);
  sqlite3_update_hook(database, nullptr, nullptr);
}

int Hooks::on_trace(unsigned kind, void* self, void* statement, void* detail) {
  Hooks* hooks = static_cast<Hooks*>(self);
  if (hooks->paused_) return 0;
  sqlite3_stmt* handle = static_cast<sqlite3_stmt*>(statement);
  if (kind == SQLITE_TRACE_STMT) {
    hooks->trace(handle, static_cast<const char*>(detail));
  } else {
    constexpr double kNanosecondsPerMillisecond = 1e6;
    const double nanoseconds = static_cast<double>(*static_cast<sqlite3_int64*>(detail));
    hooks->publish_text(kResultProfile, sqlite3_sql(handle), nanoseconds / kNanosecondsPerMillisecond);
  }
  return 0;
}

void Hooks::trace(sqlite3_stmt* statement, const char* text) {
  // A comment stands for a trigger that begins; it has no parameters of its own.
  if (text != nullptr && text[0] == '-' && text[1] == '-') return publish_text(kResultTrace, text, 0);
  char* expanded = sqlite3_expanded_sql(statement);
  publish_text(kResultTrace, expanded != nullptr ? expanded : text, 0);
  sqlite3_free(expanded);
}

void Hooks::publish_text(ResultKind kind, const char* text, double milliseconds) {
  if (text == nullptr) return;
  const size_t length = std::strlen(text);
  const size_t size = aligned(kTraceTextAt + length);
  record_.clear();
  uint8_t* record = record_.extend(size);
  if (record == nullptr) return;
  std::memset(record, 0, kTraceTextAt);
  write_head(record, size, kind, 0, answers_.sequence());
  write_at<uint32_t>(record, kTraceTextLengthAt, static_cast<uint32_t>(length));
  write_at<double>(record, kTraceTimeAt, milliseconds);
  std::memcpy(record + kTraceTextAt, text, length);
  answers_.results().publish(record, size);
}

void Hooks::on_change(void* self, int operation, const char* database, const char* table, sqlite3_int64 row_id) {
  Hooks* hooks = static_cast<Hooks*>(self);
  if (!hooks->paused_) hooks->change(operation, database, table, row_id);
}

void Hooks::change(int operation, const char* database, const char* table, int64_t row_id) {
  const size_t database_length = std::strlen(database);
  const size_t table_length = std::strlen(table);
  const size_t size = aligned(kChangeNamesAt + database_length + table_length);
  record_.clear();
  uint8_t* record = record_.extend(size);
  if (record == nullptr) return;
  std::memset(record, 0, kChangeNamesAt);
  write_head(record, size, kResultChange, 0, answers_.sequence());
  write_at<int32_t>(record, kChangeOperationAt, operation);
  write_at<double>(record, kChangeRowIdAt, static_cast<double>(row_id));
  write_at<uint32_t>(record, kChangeDatabaseLengthAt, static_cast<uint32_t>(database_length));
  write_at<uint32_t>(record, kChangeTableLengthAt, static_cast<uint32_t>(table_length));
  std::memcpy(record + kChangeNamesAt, database, database_length);
  std::memcpy(record + kChangeNamesAt + database_length, table, table_length);
  answers_.results().publish(record, size);
}

}  // namespace tandem
