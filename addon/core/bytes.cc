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

uint64_t hash_of(const uint8_t* bytes, size_t size) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  uint64_t hash = size * kMultiplier;
  const auto mix = [&hash](uint64_t word) {
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 32;
  };
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) mix(read_at<uint64_t>(bytes, at));
  if (at != size) {
    uint64_t rest = 0;
    std::memcpy(&rest, bytes + at, size - at);
    mix(rest);
  }
  return hash == 0 ? 1 : hash;
}

}  // namespace tandem
