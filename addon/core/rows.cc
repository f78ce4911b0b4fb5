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

bool RowWriter::TextBlocks::append(const uint8_t* text, size_t size) {
  if (lengths.size() == 0 || bytes.size() - started + size > kTextBlockBytes) {
    if (lengths.extend(sizeof(uint32_t)) == nullptr) return false;
    started = bytes.size();
  }
  if (!bytes.append(text, size)) return false;
  write_at<uint32_t>(lengths.data(), lengths.size() - sizeof(uint32_t), static_cast<uint32_t>(bytes.size() - started));
  return true;
}

void RowWriter::TextBlocks::clear() {
  bytes.clear();
  lengths.clear();
  started = 0;
}

void RowWriter::clear() {
  numbers_.clear();
  tags_.clear();
  ascii_.clear();
  utf8_.clear();
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

bool RowWriter::append_text(const uint8_t* text, size_t size, uint8_t* tag, uint8_t* slot) {
  if (text == nullptr) return false;
  if (is_ascii(text, size)) {
    set_length(slot, size);
    *tag = size <= kTextInBlockBytes ? kCellAscii : kCellRawAscii;
    return size <= kTextInBlockBytes ? ascii_.append(text, size) : raw_.append(text, size);
  }
  size_t units = 0;
  if (size <= kTextInBlockBytes && utf16_length(text, size, &units)) {
    *tag = kCellUtf8;
    set_length(slot, units);
    return utf8_.append(text, size);
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
         aligned(ascii_.lengths.size() + utf8_.lengths.size()) +
         aligned(ascii_.bytes.size() + utf8_.bytes.size() + raw_.size());
}

void RowWriter::write_record(uint8_t* record, size_t size, uint32_t sequence, uint32_t shape, uint8_t flags) const {
  std::memset(record, 0, kRowsCellsAt);
  write_head(record, size, kResultRows, flags, sequence);
  write_at<uint32_t>(record, kRowsShapeAt, shape);
  write_at<uint32_t>(record, kRowsCountAt, rows_);
  write_at<uint32_t>(record, kRowsColumnsAt, columns_);
  write_at<uint32_t>(record, kRowsAsciiBlocksAt, static_cast<uint32_t>(ascii_.lengths.size() / sizeof(uint32_t)));
  write_at<uint32_t>(record, kRowsUtf8BlocksAt, static_cast<uint32_t>(utf8_.lengths.size() / sizeof(uint32_t)));
  write_at<uint32_t>(record, kRowsAsciiBytesAt, static_cast<uint32_t>(ascii_.bytes.size()));
  write_at<uint32_t>(record, kRowsUtf8BytesAt, static_cast<uint32_t>(utf8_.bytes.size()));
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
  put(ascii_.lengths);
  put(utf8_.lengths);
  align();
  put(ascii_.bytes);
  put(utf8_.bytes);
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
