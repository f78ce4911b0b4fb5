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

// What the text is in Latin-1.
std::string as_latin1(const std::string& text) {
  std::string bytes(measure(bytes_of(text), text.size()).units, '\0');
  to_latin1(bytes_of(text), text.size(), reinterpret_cast<uint8_t*>(bytes.data()));
  return bytes;
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

TEST("ASCII of every length is Latin-1, with another character at every place") {
  for (size_t size = 0; size < 40; ++size) {
    std::string text(size, '\x7F');
    CHECK(measure(bytes_of(text), size).encoding == Encoding::kLatin1);
    CHECK_EQUAL(measure(bytes_of(text), size).units, size);
    CHECK_EQUAL(as_latin1(text), text);
    for (size_t at = 0; at < size; ++at) {
      const std::string before(at, 'a');
      const std::string behind(size - at - 1, '\0');
      CHECK_EQUAL(as_latin1(before + "\xC3\xBF" + behind), before + "\xFF" + behind);
      const std::string damaged = before + "\x80" + behind;
      CHECK(measure(bytes_of(damaged), size).encoding == Encoding::kDamaged);
    }
  }
}

TEST("ASCII of every length becomes UTF-16 before and behind a character that needs it") {
  for (size_t size = 0; size < 40; ++size) {
    for (size_t at = 0; at <= size; ++at) {
      const std::string text = std::string(at, 'a') + "\xE8\xAA\x9E" + std::string(size - at, 'z');
      const TextMeasure measured = measure(bytes_of(text), text.size());
      CHECK(measured.encoding == Encoding::kUtf16);
      CHECK_EQUAL(measured.units, size + 1);
      std::string units(2 * measured.units, '\xEE');
      to_utf16(bytes_of(text), text.size(), reinterpret_cast<uint8_t*>(units.data()));
      for (size_t i = 0; i <= size; ++i) {
        const uint8_t high = static_cast<uint8_t>(units[2 * i + 1]);
        const uint32_t unit = static_cast<uint8_t>(units[2 * i]) + high * 256U;
        CHECK_EQUAL(unit, i < at ? uint32_t{'a'} : i == at ? uint32_t{0x8A9E} : uint32_t{'z'});
      }
    }
  }
}

TEST("every code point becomes Latin-1 or UTF-16, alone and between others") {
  for (uint32_t point = 0; point < 0x110000; ++point) {
    const std::string text = encode(point);
    if (text.empty()) continue;
    const std::string between = "a" + text + "\xC3\xA9";
    const TextMeasure measured = measure(bytes_of(between), between.size());
    CHECK(measured.encoding == (point < 0x100 ? Encoding::kLatin1 : Encoding::kUtf16));
    CHECK_EQUAL(measured.units, size_t{point < 0x10000 ? 3U : 4U});
    std::u16string expected = u"a";
    if (point < 0x10000) {
      expected += static_cast<char16_t>(point);
    } else {
      expected += static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10));
      expected += static_cast<char16_t>(0xDC00 + (point & 0x3FF));
    }
    expected += u"\u00E9";
    std::string units(2 * measured.units, '\0');
    to_utf16(bytes_of(between), between.size(), reinterpret_cast<uint8_t*>(units.data()));
    for (size_t i = 0; i < expected.size(); ++i) {
      CHECK_EQUAL(static_cast<uint8_t>(units[2 * i]), static_cast<uint8_t>(expected[i]));
      CHECK_EQUAL(static_cast<uint8_t>(units[2 * i + 1]), static_cast<uint8_t>(expected[i] >> 8));
    }
    if (point < 0x100) CHECK_EQUAL(as_latin1(between), std::string("a") + static_cast<char>(point) + "\xE9");
  }
}

TEST("no sequence of up to three bytes, and none of four with a damaged head, is valid unless it is a code point") {
  std::set<std::string> valid;
  for (uint32_t point = 0x80; point < 0x110000; ++point) valid.insert(encode(point));
  const auto is_valid = [](const std::string& text) {
    return measure(bytes_of(text), text.size()).encoding != Encoding::kDamaged;
  };
  std::string text(2, '\0');
  for (uint32_t i = 0x8000; i < 0x10000; ++i) {
    text = {static_cast<char>(i >> 8), static_cast<char>(i)};
    const bool expected = valid.count(text) != 0;
    CHECK_EQUAL(is_valid(text), expected);
    // With every third byte that could complete it.
    for (uint32_t third = 0x70; third < 0xD0; third += 0x10) {
      const std::string longer = text + static_cast<char>(third);
      const bool whole = valid.count(longer) != 0 || (expected && third < 0x80);
      CHECK_EQUAL(is_valid(longer), whole);
      const std::string longest = longer + '\x80';
      CHECK_EQUAL(is_valid(longest), valid.count(longest) != 0);
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
