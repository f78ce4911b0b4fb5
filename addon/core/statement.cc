// The table of prepared statements.
#include "statement.h"

#include "script.h"

namespace tandem {

void Statement::refuse_other_than_one(const char* sql, const char* tail) {
  const char* second = next_statement(tail);
  if (handle == nullptr) {
    failed.keep({SQLITE_MISUSE, -1, "the SQL text has no statement"});
  } else if (*second != '\0') {
    sqlite3_finalize(handle);
    handle = nullptr;
    failed.keep({SQLITE_MISUSE, static_cast<int>(second - sql), "the SQL text has more than one statement"});
  }
}

Statements::~Statements() {
  remove_all();
  release(table_);
}

bool Statements::grow(uint32_t count) {
  uint32_t larger = count_ < 16 ? 16 : count_;
  while (larger < count) larger += larger / 2;
  void* memory = reallocate(table_, larger * sizeof(Statement*));
  if (memory == nullptr) return false;
  table_ = static_cast<Statement**>(memory);
  for (uint32_t i = count_; i < larger; ++i) table_[i] = nullptr;
  count_ = larger;
  return true;
}

Statement* Statements::add(uint32_t id) {
  if (id >= kMostStatements) return nullptr;
  if (id >= count_ && !grow(id + 1)) return nullptr;
  remove(id);
  table_[id] = make<Statement>();
  return table_[id];
}

void Statements::remove(uint32_t id) {
  Statement* statement = find(id);
  if (statement == nullptr) return;
  sqlite3_finalize(statement->handle);
  destroy(statement);
  table_[id] = nullptr;
}

void Statements::remove_all() {
  for (uint32_t i = 0; i < count_; ++i) remove(i);
}

}  // namespace tandem
