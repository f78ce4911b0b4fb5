// Measures and transcodes UTF-8 text.
#include "text.h"

#include <cstring>

namespace tandem {

namespace {

constexpr size_t kWord = sizeof(uint64_t);

// Whether the next bytes are a word of ASCII, which is taken at once.
bool is_ascii_word(const uint8_t* text, size_t size) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  if (size < kWord) return false;
  uint64_t word = 0;
  std::memcpy(&word, text, kWord);
  return (word & kHighBits) == 0;
}

bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Length of the valid sequence at `text`, which begins with a byte of 0x80 or more; 0 when it is damaged. Overlong
// forms, surrogates and code points beyond U+10FFFF count as damaged, as they do for JavaScript's decoder.
size_t sequence_length(const uint8_t* text, size_t size) {
  const uint8_t first = text[0];
  if (first < 0xC2 || first > 0xF4) return 0;
  const size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (size < length || !is_continuation(text[1])) return 0;
  if (length == 2) return length;
  if ((first == 0xE0 && text[1] < 0xA0) || (first == 0xED && text[1] > 0x9F)) return 0;
  if ((first == 0xF0 && text[1] < 0x90) || (first == 0xF4 && text[1] > 0x8F)) return 0;
  if (!is_continuation(text[2]) || (length == 4 && !is_continuation(text[3]))) return 0;
  return length;
}

// The code point of the valid sequence of that length at `text`, which is longer than 1.
uint32_t code_point(const uint8_t* text, size_t length) {
  uint32_t point = text[0] & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; ++i) point = (point << 6) | (text[i] & 0x3F);
  return point;
}

size_t length_of_valid(uint8_t first) { return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4; }

void put_unit(uint8_t*& destination, uint32_t unit) {
  *destination++ = static_cast<uint8_t>(unit);
  *destination++ = static_cast<uint8_t>(unit >> 8);
}

void put_point(uint8_t*& destination, uint32_t point) {
  if (point < 0x10000) return put_unit(destination, point);
  put_unit(destination, 0xD800 + ((point - 0x10000) >> 10));
  put_unit(destination, 0xDC00 + ((point - 0x10000) & 0x3FF));
}

}  // namespace

TextMeasure measure(const uint8_t* text, size_t size) {
  // The first byte of every code point from U+0100 on is above this.
  constexpr uint8_t kLastOfLatin1 = 0xC3;
  size_t units = 0;
  uint8_t greatest = 0;
  while (size != 0) {
    size_t step = 1;
    if (is_ascii_word(text, size)) {
      step = kWord;
      units += kWord;
    } else if (*text < 0x80) {
      ++units;
    } else {
      step = sequence_length(text, size);
      if (step == 0) return {Encoding::kDamaged, 0};
      if (*text > greatest) greatest = *text;
      units += step == 4 ? 2 : 1;
    }
    text += step;
    size -= step;
  }
  return {greatest <= kLastOfLatin1 ? Encoding::kLatin1 : Encoding::kUtf16, units};
}

void to_latin1(const uint8_t* text, size_t size, uint8_t* destination) {
  while (size != 0) {
    size_t step = 1;
    if (is_ascii_word(text, size)) {
      step = kWord;
      std::memcpy(destination, text, kWord);
      destination += kWord;
    } else if (*text < 0x80) {
      *destination++ = *text;
    } else {
      step = 2;
      *destination++ = static_cast<uint8_t>(code_point(text, step));
    }
    text += step;
    size -= step;
  }
}

void to_utf16(const uint8_t* text, size_t size, uint8_t* destination) {
  while (size != 0) {
    size_t step = 1;
    if (is_ascii_word(text, size)) {
      step = kWord;
      for (size_t i = 0; i < kWord; ++i) put_unit(destination, text[i]);
    } else if (*text < 0x80) {
      put_unit(destination, *text);
    } else {
      step = length_of_valid(*text);
      put_point(destination, code_point(text, step));
    }
    text += step;
    size -= step;
  }
}

}  // namespace tandem
