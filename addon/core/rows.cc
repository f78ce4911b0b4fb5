// Cells, text blocks and the record around them; docs/bytes.md draws the layout.
#include "rows.h"

#include "text.h"

namespace tandem {

namespace {

// Largest magnitude below which every integer is a JavaScript number of its own.
constexpr int64_t kSafeInteger = (int64_t{1} << 53) - 1;
constexpr size_t kMostRecordBytes = 0xFFFFFFF0;

// SQLite allows no text or blob of more than 2^31 - 1 bytes.
void set_length(uint8_t* slot, size_t length) { write_at<uint64_t>(slot, 0, length); }

}  // namespace

uint8_t* RowWriter::TextBlocks::extend(size_t size) {
  if (lengths.size() == 0 || bytes.size() - started + size > kTextBlockBytes) {
    if (lengths.extend(sizeof(uint32_t)) == nullptr) return nullptr;
    started = bytes.size();
  }
  uint8_t* at = bytes.extend(size);
  write_at<uint32_t>(lengths.data(), lengths.size() - sizeof(uint32_t), static_cast<uint32_t>(bytes.size() - started));
  return at;
}

void RowWriter::TextBlocks::clear() {
  bytes.clear();
  lengths.clear();
  started = 0;
}

void RowWriter::clear() {
  numbers_.clear();
  tags_.clear();
  latin1_.clear();
  utf16_.clear();
  raw_.clear();
  rows_ = 0;
  columns_ = 0;
}

void RowWriter::append_integer(int64_t value, uint8_t* tag, uint8_t* slot) const {
  if (integers_ != kIntegersBigint && value == static_cast<int32_t>(value)) {
    // JavaScript keeps these without a heap object each.
    *tag = kCellInt32;
    write_at<int64_t>(slot, 0, value);
    return;
  }
  const bool safe = value <= kSafeInteger && value >= -kSafeInteger;
  if (integers_ == kIntegersBigint || (integers_ == kIntegersMixed && !safe)) {
    *tag = kCellInteger;
    write_at<int64_t>(slot, 0, value);
    return;
  }
  *tag = kCellDouble;
  write_at<double>(slot, 0, static_cast<double>(value));
}

// Long UTF-16 stands on an even place, where JavaScript can copy it as it is.
uint8_t* RowWriter::extend_raw_utf16(size_t size) {
  if (raw_.size() % 2 != 0) {
    uint8_t* padding = raw_.extend(1);
    if (padding == nullptr) return nullptr;
    *padding = 0;
  }
  return raw_.extend(size);
}

bool RowWriter::append_text(const uint8_t* text, size_t size, uint8_t* tag, uint8_t* slot) {
  if (text == nullptr) return false;
  const TextMeasure measured = measure(text, size);
  set_length(slot, measured.units);
  if (measured.encoding == Encoding::kUtf16) {
    const size_t length = 2 * measured.units;
    const bool in_block = length <= kTextInBlockBytes;
    *tag = in_block ? kCellUtf16 : kCellRawUtf16;
    uint8_t* at = in_block ? utf16_.extend(length) : extend_raw_utf16(length);
    if (at != nullptr) to_utf16(text, size, at);
    return at != nullptr;
  }
  if (measured.encoding == Encoding::kLatin1) {
    const bool in_block = measured.units <= kTextInBlockBytes;
    *tag = in_block ? kCellLatin1 : kCellRawLatin1;
    if (measured.units == 0) return true;
    uint8_t* at = in_block ? latin1_.extend(measured.units) : raw_.extend(measured.units);
    if (at == nullptr) return false;
    if (measured.units == size) {
      std::memcpy(at, text, size);
    } else {
      to_latin1(text, size, at);
    }
    return true;
  }
  *tag = kCellRawUtf8;
  set_length(slot, size);
  return raw_.append(text, size);
}

bool RowWriter::append_blob(sqlite3_stmt* statement, int column, uint8_t* tag, uint8_t* slot) {
  const void* blob = sqlite3_column_blob(statement, column);
  const size_t size = static_cast<size_t>(sqlite3_column_bytes(statement, column));
  // An empty blob is a null pointer too; only a missing one of some length is exhausted memory.
  if (blob == nullptr && sqlite3_errcode(sqlite3_db_handle(statement)) == SQLITE_NOMEM) return false;
  *tag = kCellBlob;
  set_length(slot, blob == nullptr ? 0 : size);
  return blob == nullptr || raw_.append(blob, size);
}

bool RowWriter::append_cell(sqlite3_stmt* statement, int column, uint8_t* tag, uint8_t* slot) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      append_integer(sqlite3_column_int64(statement, column), tag, slot);
      return true;
    case SQLITE_FLOAT:
      *tag = kCellDouble;
      write_at<double>(slot, 0, sqlite3_column_double(statement, column));
      return true;
    case SQLITE_TEXT: {
      // The text first, its length afterwards: the first call may convert the value.
      const uint8_t* text = sqlite3_column_text(statement, column);
      const int size = sqlite3_column_bytes(statement, column);
      return append_text(text, static_cast<size_t>(size), tag, slot);
    }
    case SQLITE_BLOB:
      return append_blob(statement, column, tag, slot);
    default:
      *tag = kCellNull;
      write_at<double>(slot, 0, 0);
      return true;
  }
}

int RowWriter::append(sqlite3_stmt* statement, int columns) {
  const size_t count = static_cast<size_t>(columns);
  uint8_t* tags = tags_.extend(count);
  uint8_t* slots = numbers_.extend(count * sizeof(double));
  if (tags == nullptr || slots == nullptr) return SQLITE_NOMEM;
  for (size_t i = 0; i < count; ++i) {
    if (!append_cell(statement, static_cast<int>(i), tags + i, slots + i * sizeof(double))) return SQLITE_NOMEM;
  }
  columns_ = static_cast<uint32_t>(columns);
  ++rows_;
  return record_size() > kMostRecordBytes ? SQLITE_TOOBIG : SQLITE_OK;
}

int RowWriter::append(const char* text) {
  uint8_t* tag = tags_.extend(1);
  uint8_t* slot = numbers_.extend(sizeof(double));
  if (tag == nullptr || slot == nullptr) return SQLITE_NOMEM;
  if (!append_text(reinterpret_cast<const uint8_t*>(text), std::strlen(text), tag, slot)) return SQLITE_NOMEM;
  columns_ = 1;
  ++rows_;
  return SQLITE_OK;
}

size_t RowWriter::record_size() const {
  return kRowsCellsAt + numbers_.size() + aligned(tags_.size()) +
         aligned(latin1_.lengths.size() + utf16_.lengths.size()) + aligned(utf16_.bytes.size() + latin1_.bytes.size()) +
         aligned(raw_.size());
}

void RowWriter::write_record(uint8_t* record, size_t size, uint32_t sequence, uint32_t shape, uint8_t flags) const {
  std::memset(record, 0, kRowsCellsAt);
  write_head(record, size, kResultRows, flags, sequence);
  write_at<uint32_t>(record, kRowsShapeAt, shape);
  write_at<uint32_t>(record, kRowsCountAt, rows_);
  write_at<uint32_t>(record, kRowsColumnsAt, columns_);
  write_at<uint32_t>(record, kRowsLatin1BlocksAt, static_cast<uint32_t>(latin1_.lengths.size() / sizeof(uint32_t)));
  write_at<uint32_t>(record, kRowsUtf16BlocksAt, static_cast<uint32_t>(utf16_.lengths.size() / sizeof(uint32_t)));
  write_at<uint32_t>(record, kRowsLatin1BytesAt, static_cast<uint32_t>(latin1_.bytes.size()));
  write_at<uint32_t>(record, kRowsUtf16BytesAt, static_cast<uint32_t>(utf16_.bytes.size()));
  write_at<uint32_t>(record, kRowsRawBytesAt, static_cast<uint32_t>(raw_.size()));
  uint8_t* at = record + kRowsCellsAt;
  const auto put = [&at](const Bytes& bytes) {
    if (bytes.size() != 0) std::memcpy(at, bytes.data(), bytes.size());
    at += bytes.size();
  };
  const auto align = [&at, record] { at = record + aligned(static_cast<size_t>(at - record)); };
  put(numbers_);
  put(tags_);
  align();
  put(latin1_.lengths);
  put(utf16_.lengths);
  align();
  put(utf16_.bytes);
  put(latin1_.bytes);
  align();
  put(raw_);
}

bool RowWriter::publish(ResultQueue& results, uint32_t sequence, uint32_t shape, uint8_t flags) {
  const size_t size = record_size();
  uint8_t* record = results.reserve(size);
  if (record != nullptr) {
    write_record(record, size, sequence, shape, flags);
    results.commit(size);
  }
  clear();
  return record != nullptr;
}

}  // namespace tandem
