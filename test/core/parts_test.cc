// The small parts by themselves: buffers, readers, classifying text, the table of numbers, and the queue of batches.
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "core/queue.h"
#include "core/request.h"
#include "core/text.h"
#include "exhaust.h"
#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

const uint8_t* bytes_of(const std::string& text) { return reinterpret_cast<const uint8_t*>(text.data()); }

// UTF-8 by the book: the shortest form of a code point that is no surrogate. Empty for all others.
std::string encode(uint32_t point) {
  const auto byte = [](uint32_t value) { return static_cast<char>(value); };
  const auto rest = [byte](uint32_t value) { return byte(0x80 | (value & 0x3F)); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | (point >> 6)), rest(point)};
  if (point >= 0xD800 && point < 0xE000) return {};
  if (point < 0x10000) return {byte(0xE0 | (point >> 12)), rest(point >> 6), rest(point)};
  return {byte(0xF0 | (point >> 18)), rest(point >> 12), rest(point >> 6), rest(point)};
}

}  // namespace

TEST("a buffer grows, keeps its bytes, and is unchanged when memory runs out") {
  Bytes bytes;
  std::string expected;
  for (size_t size = 1; size < 3000000; size = size * 2 + 1) {
    const std::string part(size, static_cast<char>('a' + size % 26));
    exhaust(Whose::kOurs, 1, true);
    const bool grew = bytes.append(part.data(), part.size());
    plenty();
    if (!grew) {
      CHECK_EQUAL(bytes.size(), expected.size());
      CHECK(bytes.append(part.data(), part.size()));
    }
    expected += part;
    CHECK_EQUAL(bytes.size(), expected.size());
    CHECK(std::memcmp(bytes.data(), expected.data(), expected.size()) == 0);
  }
  CHECK(bytes.extend(SIZE_MAX - 10) == nullptr);
  CHECK_EQUAL(bytes.size(), expected.size());
  bytes.clear();
  CHECK_EQUAL(bytes.size(), size_t{0});
}

TEST("a reader never leaves its bytes, and gives zero from the first step over the end on") {
  const uint8_t bytes[] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
  Reader reader(bytes, sizeof(bytes));
  CHECK_EQUAL(reader.read<uint32_t>(), 1U);
  CHECK(reader.bytes(1) == bytes + 4);
  CHECK_EQUAL(reader.read<uint32_t>(), 3U);
  CHECK(reader.ok());
  CHECK_EQUAL(reader.read<uint32_t>(), 0U);
  CHECK(!reader.ok());
  CHECK_EQUAL(int{reader.read<uint8_t>()}, 0);
  CHECK(reader.bytes(0) == nullptr);
  Reader other(bytes, sizeof(bytes));
  CHECK(other.bytes(SIZE_MAX) == nullptr);
  CHECK(!other.ok());
  Reader last(bytes, sizeof(bytes));
  CHECK(last.bytes(sizeof(bytes)) == bytes);
  CHECK(last.ok());
  CHECK(last.bytes(1) == nullptr);
}

TEST("ASCII is told apart at every length and place") {
  for (size_t size = 0; size < 40; ++size) {
    std::string text(size, '\x7F');
    CHECK(is_ascii(bytes_of(text), size));
    for (size_t at = 0; at < size; ++at) {
      text[at] = '\x80';
      CHECK(!is_ascii(bytes_of(text), size));
      CHECK(is_ascii(bytes_of(text), at));
      text[at] = '\0';
    }
  }
}

TEST("every code point is valid and counted in UTF-16 units, alone and between others") {
  for (uint32_t point = 0; point < 0x110000; ++point) {
    const std::string text = encode(point);
    if (text.empty()) continue;
    size_t units = 0;
    const std::string between = "a" + text + "\xC3\xA9";
    CHECK(utf16_length(bytes_of(between), between.size(), &units));
    CHECK_EQUAL(units, size_t{point < 0x10000 ? 3U : 4U});
  }
}

TEST("no sequence of up to three bytes, and none of four with a damaged head, is valid unless it is a code point") {
  std::set<std::string> valid;
  for (uint32_t point = 0x80; point < 0x110000; ++point) valid.insert(encode(point));
  size_t units = 0;
  std::string text(2, '\0');
  for (uint32_t i = 0x8000; i < 0x10000; ++i) {
    text = {static_cast<char>(i >> 8), static_cast<char>(i)};
    const bool expected = valid.count(text) != 0;
    CHECK_EQUAL(utf16_length(bytes_of(text), 2, &units), expected);
    // With every third byte that could complete it.
    for (uint32_t third = 0x70; third < 0xD0; third += 0x10) {
      const std::string longer = text + static_cast<char>(third);
      const bool whole = valid.count(longer) != 0 || (expected && third < 0x80);
      CHECK_EQUAL(utf16_length(bytes_of(longer), 3, &units), whole);
      const std::string longest = longer + '\x80';
      CHECK_EQUAL(utf16_length(bytes_of(longest), 4, &units), valid.count(longest) != 0);
    }
  }
}

TEST("requests are taken apart only when their length fits") {
  std::string record(32, '\0');
  uint8_t* bytes = reinterpret_cast<uint8_t*>(record.data());
  Request request{kOperationWait, 0, 0, 0, Reader(nullptr, 0)};
  size_t length = 0;
  for (uint32_t claimed = 0; claimed < 64; ++claimed) {
    write_at<uint32_t>(bytes, kRecordLengthAt, claimed);
    const bool fits = claimed >= kRequestBodyAt && claimed <= 32 && claimed % kRecordAlignment == 0;
    CHECK_EQUAL(parse_request(bytes, record.size(), &request, &length), fits);
  }
  CHECK(!parse_request(bytes, kRequestBodyAt - 1, &request, &length));
}

TEST("names of the table of numbers are there once") {
  size_t count = 0;
  const LayoutNumber* numbers = layout_numbers(&count);
  std::set<std::string> names;
  for (size_t i = 0; i < count; ++i) CHECK(names.insert(numbers[i].name).second);
  CHECK(count > 100);
}

TEST("batches come out whole and in order, while another thread puts them in") {
  Control control;
  RequestQueue queue(control);
  constexpr uint32_t kBatches = 20000;
  std::thread producer([&queue] {
    for (uint32_t i = 0; i < kBatches; ++i) {
      const std::string bytes(i % 100 + 4, static_cast<char>(i));
      std::string batch = bytes;
      write_at<uint32_t>(reinterpret_cast<uint8_t*>(batch.data()), 0, i);
      CHECK(queue.push(bytes_of(batch), batch.size()));
    }
  });
  for (uint32_t i = 0; i < kBatches; ++i) {
    Batch* batch = i % 3 == 0 ? queue.try_pop() : nullptr;
    if (batch == nullptr) batch = queue.pop();
    CHECK(batch != nullptr);
    CHECK_EQUAL(batch->size, size_t{i % 100 + 4});
    CHECK_EQUAL(read_at<uint32_t>(batch->bytes(), 0), i);
    release(batch);
  }
  producer.join();
  CHECK(queue.try_pop() == nullptr);
}

TEST("a queue that is stopped gives nothing out any more, and wakes who waits") {
  Control control;
  RequestQueue queue(control);
  const std::string bytes(100, 'x');
  std::thread consumer([&queue] { CHECK(queue.pop() == nullptr); });
  control.stop();
  consumer.join();
  CHECK(queue.push(bytes_of(bytes), bytes.size()));
  CHECK(queue.pop() == nullptr);
}

TEST("a batch that there is no memory for is not queued") {
  Control control;
  RequestQueue queue(control);
  const std::string bytes(100, 'x');
  exhaust(Whose::kOurs, 1, false);
  CHECK(!queue.push(bytes_of(bytes), bytes.size()));
  plenty();
  CHECK(queue.try_pop() == nullptr);
}
