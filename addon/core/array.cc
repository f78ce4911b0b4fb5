// A bound array: the values of one parameter of carray(), which SQLite copies.
#include <climits>

#include "parameters.h"

#ifdef SQLITE_TANDEM_SYSTEM_SQLITE
// Older libraries, and those built without it, lack the function; its address is null then.
extern "C" __attribute__((weak)) int sqlite3_carray_bind(sqlite3_stmt*, int, void*, int, int, void (*)(void*));
#endif

namespace tandem {

namespace {

// Values of sqlite3_carray_bind(); SQLITE_CARRAY_... of newer headers.
constexpr int kCarrayInt64 = 1;
constexpr int kCarrayDouble = 2;
constexpr int kCarrayText = 3;

bool has_carray() {
#ifdef SQLITE_TANDEM_SYSTEM_SQLITE
  return sqlite3_carray_bind != nullptr;
#else
  return true;
#endif
}

int bind_copy(sqlite3_stmt* statement, int index, const void* values, uint32_t count, int type) {
  if (count > INT_MAX) return SQLITE_TOOBIG;
  // SQLite takes a copy of nothing for exhausted memory.
  static uint64_t none = 0;
  if (count == 0) return sqlite3_carray_bind(statement, index, &none, 0, type, SQLITE_STATIC);
  return sqlite3_carray_bind(statement, index, const_cast<void*>(values), static_cast<int>(count), type,
                             SQLITE_TRANSIENT);
}

}  // namespace

int bind_array(sqlite3_stmt* statement, int index, Reader& reader, const char** why) {
  if (!has_carray()) {
    *why = "this SQLite has no carray";
    return SQLITE_ERROR;
  }
  const uint32_t kind = reader.read<uint32_t>();
  const uint32_t count = reader.read<uint32_t>();
  if (kind != kArrayText) {
    const void* values = reader.bytes(size_t{count} * sizeof(int64_t));
    if (!reader.ok()) return SQLITE_INTERNAL;
    return bind_copy(statement, index, values, count, kind == kArrayDouble ? kCarrayDouble : kCarrayInt64);
  }
  Bytes texts;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t length = reader.read<uint32_t>();
    const uint8_t* text = reader.bytes(length);
    if (text == nullptr || length == 0 || text[length - 1] != 0) return SQLITE_INTERNAL;
    if (std::memchr(text, 0, length - 1) != nullptr) {
      *why = "a text of an array contains a NUL character";
      return SQLITE_MISUSE;
    }
    if (!texts.append(&text, sizeof(text))) return SQLITE_NOMEM;
  }
  return bind_copy(statement, index, texts.data(), count, kCarrayText);
}

}  // namespace tandem
