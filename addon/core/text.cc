// Scans of UTF-8 text.
#include "text.h"

#include <cstring>

namespace tandem {

bool is_ascii(const uint8_t* text, size_t size) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  uint64_t seen = 0;
  while (size >= sizeof(uint64_t)) {
    uint64_t eight = 0;
    std::memcpy(&eight, text, sizeof(eight));
    seen |= eight;
    text += sizeof(eight);
    size -= sizeof(eight);
  }
  for (; size != 0; --size) seen |= *text++;
  return (seen & kHighBits) == 0;
}

namespace {

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

}  // namespace

bool utf16_length(const uint8_t* text, size_t size, size_t* length) {
  size_t units = 0;
  while (size != 0) {
    if (*text < 0x80) {
      ++units;
      ++text;
      --size;
      continue;
    }
    const size_t step = sequence_length(text, size);
    if (step == 0) return false;
    units += step == 4 ? 2 : 1;
    text += step;
    size -= step;
  }
  *length = units;
  return true;
}

}  // namespace tandem
