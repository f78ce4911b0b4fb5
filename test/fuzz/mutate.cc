// Changes inputs of the target "requests" so that most of their records stay whole: libFuzzer alone would rarely keep a
// length and what it counts together.
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/bytes.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace {

using namespace tandem;

// Where the records begin, and where the last whole one ends.
std::vector<size_t> places_of(const uint8_t* data, size_t size) {
  std::vector<size_t> places{0};
  while (size - places.back() >= kRequestBodyAt) {
    const size_t length = read_at<uint32_t>(data, places.back() + kRecordLengthAt);
    if (length < kRequestBodyAt || length % kRecordAlignment != 0 || length > size - places.back()) break;
    places.push_back(places.back() + length);
  }
  return places;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  const std::vector<size_t> places = places_of(data, size);
  if (places.size() < 2 || seed % 8 == 0) return LLVMFuzzerMutate(data, size, most);
  const size_t which = seed / 8 % (places.size() - 1);
  const size_t start = places[which];
  const size_t end = places[which + 1];
  const std::vector<uint8_t> after(data + end, data + size);
  // All of the record but its length, or only its body.
  const size_t kept = (seed & 0x10000) != 0 ? kRecordKindAt : kRequestBodyAt;
  const size_t room = most - start - after.size();
  if (room < end - start + kRecordAlignment) return LLVMFuzzerMutate(data, size, most);
  size_t length = kept + LLVMFuzzerMutate(data + start + kept, end - start - kept, room - kept - kRecordAlignment);
  while (length < kRequestBodyAt || length % kRecordAlignment != 0) data[start + length++] = 0;
  write_at<uint32_t>(data, start + kRecordLengthAt, static_cast<uint32_t>(length));
  if (!after.empty()) std::memcpy(data + start + length, after.data(), after.size());
  return start + length + after.size();
}
