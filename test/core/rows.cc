// Reads records of shapes and of rows: the counterpart of addon/core/rows.cc, written after docs/bytes.md alone.
#include "driver.h"
#include "harness.h"

namespace test {

using namespace tandem;

namespace {

// Texts are taken from blocks one behind the other; a block ends where its bytes end.
class Blocks {
 public:
  Blocks(const uint8_t* lengths, uint32_t count, const uint8_t* bytes, size_t size)
      : lengths_(lengths), count_(count), bytes_(bytes), size_(size) {}

  // A text of so many bytes, or with `units` of so many UTF-16 units.
  std::string take(uint32_t length, bool units) {
    if (used_ == block_ && next_ < count_ && length != 0) {
      used_ = 0;
      start_ += block_;
      block_ = read_at<uint32_t>(lengths_, size_t{next_++} * sizeof(uint32_t));
      CHECK(block_ <= kTextBlockBytes);
      CHECK(start_ + block_ <= size_);
    }
    size_t end = used_;
    for (uint32_t left = length; left != 0;) {
      CHECK(end < block_);
      const uint8_t byte = bytes_[start_ + end];
      const size_t width = !units || byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
      CHECK(width <= block_ - end);
      end += width;
      left -= width == 4 ? 2 : 1;
    }
    CHECK(end - used_ <= kTextInBlockBytes);
    const std::string text(reinterpret_cast<const char*>(bytes_) + start_ + used_, end - used_);
    used_ = end;
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
  const uint32_t ascii_blocks = word(kRowsAsciiBlocksAt);
  const uint32_t utf8_blocks = word(kRowsUtf8BlocksAt);
  const uint8_t* ascii_bytes = lengths + aligned((ascii_blocks + utf8_blocks) * sizeof(uint32_t));
  const uint8_t* utf8_bytes = ascii_bytes + word(kRowsAsciiBytesAt);
  const uint8_t* raw = utf8_bytes + word(kRowsUtf8BytesAt);
  const size_t text_size = word(kRowsAsciiBytesAt) + word(kRowsUtf8BytesAt) + word(kRowsRawBytesAt);
  CHECK_EQUAL(static_cast<size_t>(ascii_bytes - record) + aligned(text_size), size);
  Blocks ascii(lengths, ascii_blocks, ascii_bytes, word(kRowsAsciiBytesAt));
  Blocks utf8(lengths + ascii_blocks * sizeof(uint32_t), utf8_blocks, utf8_bytes, word(kRowsUtf8BytesAt));
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
      case kCellAscii:
        return "'" + ascii.take(length, false) + "'";
      case kCellUtf8:
        return "'" + utf8.take(length, true) + "'";
      case kCellInteger:
        return std::to_string(read_at<int64_t>(slot, 0)) + "n";
      case kCellBlob:
        return "x'" + hexadecimal(take_raw(length)) + "'";
      case kCellRawAscii:
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
  CHECK(ascii.finished() && utf8.finished() && raw == raw_end);
  ++answer.records;
}

}  // namespace test
