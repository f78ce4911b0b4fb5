// UTF-8 as SQLite has it becomes what JavaScript's strings are made of: Latin-1, or UTF-16 where that does not do.
//
// JavaScript copies these at the speed of memory, but would decode UTF-8 by itself ten to thirty times slower, and
// while the event loop waits for it.
#ifndef SQLITE_TANDEM_CORE_TEXT_H_
#define SQLITE_TANDEM_CORE_TEXT_H_

#include <cstddef>
#include <cstdint>

namespace tandem {

enum class Encoding {
  kLatin1,   // all code points are below U+0100
  kUtf16,    // valid, with others among them
  kDamaged,  // not valid UTF-8: JavaScript's decoder is to put its replacement characters
};

struct TextMeasure {
  Encoding encoding;
  size_t units;  // UTF-16 units; 0 for a damaged text
};

// Any thread.
TextMeasure measure(const uint8_t* text, size_t size);

// Writes `units` bytes, for a text whose encoding is kLatin1. Any thread.
void to_latin1(const uint8_t* text, size_t size, uint8_t* destination);

// Writes twice as many bytes as units, little-endian, for a text that is not damaged. Any thread.
void to_utf16(const uint8_t* text, size_t size, uint8_t* destination);

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_TEXT_H_
