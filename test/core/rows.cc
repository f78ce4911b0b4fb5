// Reads records of shapes and of rows: the counterpart of addon/core/rows.cc, written after docs/bytes.md alone.
#include "driver.h"
#include "harness.h"

namespace test {

using namespace tandem;

namespace {

// The UTF-8 of a code point.
std::string encoded(uint32_t point) {
  const auto byte = [](uint32_t value) { return static_cast<char>(value); };
  const auto rest = [point](int shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | point >> 6), rest(0)};
  if (point < 0x10000) return {byte(0xE0 | point >> 12), rest(6), rest(0)};
  return {byte(0xF0 | point >> 18), rest(12), rest(6), rest(0)};
}

std::string from_latin1(const std::string& bytes) {
  std::string text;
  for (const char each : bytes) text += encoded(static_cast<uint8_t>(each));
  return text;
}

std::string from_utf16(const std::string& bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 2) {
    const auto unit = [&bytes](size_t at) {
      return static_cast<uint32_t>(static_cast<uint8_t>(bytes[at]) | static_cast<uint8_t>(bytes[at + 1]) << 8);
    };
    const uint32_t first = unit(i);
    CHECK(first < 0xDC00 || first > 0xDFFF);
    if (first < 0xD800 || first > 0xDBFF) {
      text += encoded(first);
      continue;
    }
    i += 2;
    CHECK(i < bytes.size() && unit(i) >= 0xDC00 && unit(i) <= 0xDFFF);
    text += encoded(0x10000 + ((first & 0x3FF) << 10 | (unit(i) & 0x3FF)));
  }
  return text;
}

// Texts are taken from blocks one behind the other; a block ends where its bytes end.
class Blocks {
 public:
  Blocks(const uint8_t* lengths, uint32_t count, const uint8_t* bytes, size_t size)
      : lengths_(lengths), count_(count), bytes_(bytes), size_(size) {}

  // So many bytes.
  std::string take(uint32_t length) {
    if (used_ == block_ && next_ < count_ && length != 0) {
      used_ = 0;
      start_ += block_;
      block_ = read_at<uint32_t>(lengths_, size_t{next_++} * sizeof(uint32_t));
      CHECK(block_ <= kTextBlockBytes);
      CHECK(start_ + block_ <= size_);
    }
    CHECK(length <= kTextInBlockBytes);
    CHECK(length <= block_ - used_);
    const std::string text(reinterpret_cast<const char*>(bytes_) + start_ + used_, length);
    used_ += length;
    return text;
  }

  bool finished() const { return used_ == block_ && start_ + block_ == size_; }

 private:
  const uint8_t* lengths_;
  uint32_t count_;
  const uint8_t* bytes_;
  size_t size_;
  uint32_t next_ = 0;
  size_t start_ = 0;
  size_t block_ = 0;
  size_t used_ = 0;
};

std::string hexadecimal(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char each : bytes) {
    const uint8_t byte = static_cast<uint8_t>(each);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

}  // namespace

void Driver::read_shape(const uint8_t* record, size_t size) {
  if ((record[kRecordFlagsAt] & kResultShapesVoid) != 0) shapes_.clear();
  const uint32_t count = read_at<uint32_t>(record, kShapeColumnsAt);
  std::vector<std::string> names;
  size_t at = kShapeNamesAt;
  for (uint32_t i = 0; i < count; ++i) {
    CHECK(at + sizeof(uint32_t) <= size);
    const uint32_t length = read_at<uint32_t>(record, at);
    at += sizeof(uint32_t);
    CHECK(length <= size - at);
    names.emplace_back(reinterpret_cast<const char*>(record) + at, length);
    at += length;
  }
  CHECK_EQUAL(aligned(at), size);
  // JavaScript keeps each, so a number must not be used for two lists of names.
  CHECK(shapes_.emplace(read_at<uint32_t>(record, kShapeIdAt), names).second);
}

void Driver::read_rows(const uint8_t* record, size_t size, Answer& answer) {
  const auto word = [record](size_t at) { return read_at<uint32_t>(record, at); };
  const auto shape = shapes_.find(word(kRowsShapeAt));
  CHECK(shape != shapes_.end());
  answer.columns = shape->second;
  const size_t columns = word(kRowsColumnsAt);
  CHECK_EQUAL(columns, answer.columns.size());
  const size_t cells = word(kRowsCountAt) * columns;
  const uint8_t* slots = record + kRowsCellsAt;
  const uint8_t* tags = slots + cells * sizeof(double);
  const uint8_t* lengths = tags + aligned(cells);
  const uint32_t latin1_blocks = word(kRowsLatin1BlocksAt);
  const uint32_t utf16_blocks = word(kRowsUtf16BlocksAt);
  const uint8_t* utf16_bytes = lengths + aligned((latin1_blocks + utf16_blocks) * sizeof(uint32_t));
  const uint8_t* latin1_bytes = utf16_bytes + word(kRowsUtf16BytesAt);
  const uint8_t* const raw_start = utf16_bytes + aligned(word(kRowsUtf16BytesAt) + word(kRowsLatin1BytesAt));
  const uint8_t* raw = raw_start;
  CHECK_EQUAL(static_cast<size_t>(raw - record) + aligned(word(kRowsRawBytesAt)), size);
  Blocks latin1(lengths, latin1_blocks, latin1_bytes, word(kRowsLatin1BytesAt));
  Blocks utf16(lengths + latin1_blocks * sizeof(uint32_t), utf16_blocks, utf16_bytes, word(kRowsUtf16BytesAt));
  const uint8_t* const raw_end = raw + word(kRowsRawBytesAt);
  const auto take_raw = [&raw, raw_end](uint32_t length) {
    CHECK(length <= static_cast<size_t>(raw_end - raw));
    const std::string bytes(reinterpret_cast<const char*>(raw), length);
    raw += length;
    return bytes;
  };
  const auto cell = [&](size_t i) -> std::string {
    const uint8_t* slot = slots + i * sizeof(double);
    const uint32_t length = read_at<uint32_t>(slot, 0);
    switch (tags[i]) {
      case kCellInt32:
        CHECK_EQUAL(read_at<int64_t>(slot, 0), int64_t{read_at<int32_t>(slot, 0)});
        return std::to_string(read_at<int32_t>(slot, 0));
      case kCellNull:
        return "null";
      case kCellLatin1:
        return "'" + from_latin1(latin1.take(length)) + "'";
      case kCellUtf16:
        return "'" + from_utf16(utf16.take(2 * length)) + "'";
      case kCellInteger:
        return std::to_string(read_at<int64_t>(slot, 0)) + "n";
      case kCellBlob:
        return "x'" + hexadecimal(take_raw(length)) + "'";
      case kCellRawLatin1:
        return "'" + from_latin1(take_raw(length)) + "'";
      case kCellRawUtf16:
        take_raw(static_cast<uint32_t>(raw - raw_start) % 2);
        return "'" + from_utf16(take_raw(2 * length)) + "'";
      case kCellRawUtf8:
        return "'" + take_raw(length) + "'";
      case kCellDouble:
        return number(read_at<double>(slot, 0));
      default:
        fail(__FILE__, __LINE__, "a cell with the tag " + std::to_string(tags[i]));
    }
  };
  for (size_t i = 0; i < cells; i += columns) {
    std::string row = cell(i);
    for (size_t column = 1; column < columns; ++column) row += "|" + cell(i + column);
    answer.rows.push_back(row);
  }
  CHECK(latin1.finished() && utf16.finished() && raw == raw_end);
  ++answer.records;
}

}  // namespace test
