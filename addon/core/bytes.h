// A growing buffer that reports exhausted memory instead of throwing, and a reader that never leaves its bytes.
#ifndef SQLITE_TANDEM_CORE_BYTES_H_
#define SQLITE_TANDEM_CORE_BYTES_H_

#include <cstdint>
#include <cstring>

#include "layout.h"
#include "memory.h"

namespace tandem {

// Owned by one thread at a time.
class Bytes {
 public:
  Bytes() = default;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() { release(data_); }

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

  // `count` more bytes at the end, uninitialised; null when memory is exhausted (the buffer is then unchanged).
  uint8_t* extend(size_t count) {
    if (count > capacity_ - size_ && !grow(count)) return nullptr;
    uint8_t* at = data_ + size_;
    size_ += count;
    return at;
  }

  bool append(const void* source, size_t count) {
    if (count == 0) return true;
    uint8_t* at = extend(count);
    if (at == nullptr) return false;
    std::memcpy(at, source, count);
    return true;
  }

  void truncate(size_t size) { size_ = size; }

  // Empties the buffer; one that has become large gives its memory back, so that a single huge row is not kept for
  // ever.
  void clear() {
    size_ = 0;
    if (capacity_ > kKeptCapacity) {
      release(data_);
      data_ = nullptr;
      capacity_ = 0;
    }
  }

 private:
  static constexpr size_t kKeptCapacity = size_t{1} << 20;

  bool grow(size_t count);

  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

template <typename T>
T read_at(const uint8_t* bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof(T));
  return value;
}

template <typename T>
void write_at(uint8_t* bytes, size_t offset, T value) {
  std::memcpy(bytes + offset, &value, sizeof(T));
}

// What every result record begins with; the caller has cleared the rest. Any thread.
inline void write_head(uint8_t* record, size_t size, ResultKind kind, uint8_t flags, uint32_t sequence) {
  write_at<uint32_t>(record, kRecordLengthAt, static_cast<uint32_t>(size));
  write_at<uint8_t>(record, kRecordKindAt, kind);
  write_at<uint8_t>(record, kRecordFlagsAt, flags);
  write_at<uint32_t>(record, kRecordSequenceAt, sequence);
}

// For tables in memory; never 0. Any thread.
uint64_t hash_of(const uint8_t* bytes, size_t size);

// Walks the bytes of a request. After a step over the end every read gives zero and ok() is false.
class Reader {
 public:
  Reader(const uint8_t* bytes, size_t size) : bytes_(bytes), size_(size) {}

  bool ok() const { return ok_; }

  template <typename T>
  T read() {
    const uint8_t* at = take(sizeof(T));
    return at == nullptr ? T{} : read_at<T>(at, 0);
  }

  // `count` bytes, borrowed from the request; then moves on to the next multiple of eight.
  const uint8_t* bytes(uint64_t count) {
    const uint8_t* at = take(count);
    if (at != nullptr) position_ = aligned(position_) < size_ ? aligned(position_) : size_;
    return at;
  }

 private:
  // 64 bits for the count also where size_t has fewer: a length that was cut short would pass.
  const uint8_t* take(uint64_t count) {
    if (!ok_ || count > size_ - position_) {
      ok_ = false;
      return nullptr;
    }
    const uint8_t* at = bytes_ + position_;
    position_ += static_cast<size_t>(count);
    return at;
  }

  const uint8_t* bytes_;
  size_t size_;
  size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_BYTES_H_
