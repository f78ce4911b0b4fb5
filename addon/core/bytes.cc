// Growth of the byte buffer.
#include "bytes.h"

namespace tandem {

bool Bytes::grow(size_t count) {
  constexpr size_t kFirst = 256;
  const size_t needed = size_ + count;
  if (needed < size_) return false;
  size_t capacity = capacity_ < kFirst ? kFirst : capacity_;
  while (capacity < needed) {
    // From here on half as much again: doubling hundreds of megabytes wastes what the next row may need.
    const size_t step = capacity < kKeptCapacity ? capacity : capacity / 2;
    capacity = capacity + step < capacity || capacity + step < needed ? needed : capacity + step;
  }
  void* memory = reallocate(data_, capacity);
  if (memory == nullptr) return false;
  data_ = static_cast<uint8_t*>(memory);
  capacity_ = capacity;
  return true;
}

}  // namespace tandem
