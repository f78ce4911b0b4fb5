// Parameters from bytes.
#include "parameters.h"

#include <climits>

namespace tandem {

namespace {

int index_of_name(sqlite3_stmt* statement, Reader& reader, uint32_t length) {
  const uint8_t* name = reader.bytes(length);
  // The name ends with a NUL of its own; one inside it cannot match anything.
  if (name == nullptr || length == 0 || std::memchr(name, 0, length) != name + length - 1) return 0;
  return sqlite3_bind_parameter_index(statement, reinterpret_cast<const char*>(name));
}

int bind_value(sqlite3_stmt* statement, int index, uint8_t type, Reader& reader, const char** why) {
  switch (type) {
    case kParameterDouble:
      return sqlite3_bind_double(statement, index, reader.read<double>());
    case kParameterInteger:
      return sqlite3_bind_int64(statement, index, reader.read<int64_t>());
    case kParameterText:
    case kParameterBlob: {
      const uint64_t length = reader.read<uint64_t>();
      const void* bytes = reader.bytes(length);
      if (!reader.ok()) return SQLITE_INTERNAL;
      if (type == kParameterText) {
        return sqlite3_bind_text64(statement, index, static_cast<const char*>(bytes), length, SQLITE_TRANSIENT,
                                   SQLITE_UTF8);
      }
      // A null pointer would bind NULL where an empty blob is meant.
      return length == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                         : sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_TRANSIENT);
    }
    case kParameterArray:
      return bind_array(statement, index, reader, why);
    default:
      return sqlite3_bind_null(statement, index);
  }
}

}  // namespace

int bind_parameters(sqlite3_stmt* statement, Reader& reader, uint32_t count, const char** why) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint8_t type = reader.read<uint8_t>();
    const bool named = reader.read<uint8_t>() != 0;
    reader.read<uint16_t>();
    const uint32_t key = reader.read<uint32_t>();
    const int position = key <= INT_MAX ? static_cast<int>(key) : 0;
    const int index = named ? index_of_name(statement, reader, key) : position;
    const int code = bind_value(statement, index, type, reader, why);
    if (!reader.ok()) return SQLITE_INTERNAL;
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

}  // namespace tandem
