// Classifies UTF-8: plain ASCII, valid (with its length in UTF-16 units), or damaged.
#ifndef SQLITE_TANDEM_CORE_TEXT_H_
#define SQLITE_TANDEM_CORE_TEXT_H_

#include <cstddef>
#include <cstdint>

namespace tandem {

// Any thread.
bool is_ascii(const uint8_t* text, size_t size);

// The number of UTF-16 units JavaScript's decoder makes of the text; false when the text is not valid UTF-8, so that
// the decoder would put replacement characters whose number this does not know. Any thread.
bool utf16_length(const uint8_t* text, size_t size, size_t* length);

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_TEXT_H_
