// Chunks of result records on their way to JavaScript.
#include "result_queue.h"

#include <cstring>

#include "memory.h"

namespace tandem {

namespace {
// Small results are collected in chunks of this size.
constexpr size_t kCollectBytes = size_t{32} << 10;
}  // namespace

Chunk* Chunk::create(size_t capacity) {
  Chunk* chunk = static_cast<Chunk*>(allocate(sizeof(Chunk) + capacity));
  if (chunk == nullptr) return nullptr;
  chunk->next = nullptr;
  chunk->size = 0;
  chunk->capacity = capacity;
  return chunk;
}

ResultQueue::ResultQueue(Control& control, Stopwatch& stopwatch, void (*notify)(void*), void* context)
    : control_(control),
      stopwatch_(stopwatch),
      notify_(notify),
      context_(context),
      reserve_(Chunk::create(kReserveBytes)) {}

ResultQueue::~ResultQueue() {
  while (first_ != nullptr) {
    Chunk* chunk = first_;
    first_ = chunk->next;
    release(chunk);
  }
  release(reserve_);
}

// With the mutex held.
void ResultQueue::append(Chunk* chunk) {
  if (last_ == nullptr) {
    first_ = chunk;
  } else {
    last_->next = chunk;
  }
  last_ = chunk;
  undelivered_.fetch_add(chunk->size, std::memory_order_relaxed);
}

void ResultQueue::wait_for_room(std::unique_lock<std::mutex>& lock) {
  if (undelivered() <= high_water_mark_.load(std::memory_order_relaxed)) return;
  stopwatch_.stop();
  waiting_ = true;
  while (undelivered() > high_water_mark_.load(std::memory_order_relaxed) && !control_.stopped()) {
    control_.changed.wait(lock);
  }
  waiting_ = false;
  stopwatch_.start();
}

void ResultQueue::announce() {
  if (!announced_.exchange(true, std::memory_order_acq_rel)) notify_(context_);
}

void ResultQueue::publish(Chunk* chunk) {
  {
    std::unique_lock<std::mutex> lock(control_.mutex);
    wait_for_room(lock);
    append(chunk);
  }
  announce();
}

bool ResultQueue::publish(const uint8_t* record, size_t size) {
  {
    std::unique_lock<std::mutex> lock(control_.mutex);
    wait_for_room(lock);
    if (last_ != nullptr && last_->capacity - last_->size >= size) {
      std::memcpy(last_->bytes() + last_->size, record, size);
      last_->size += size;
      undelivered_.fetch_add(size, std::memory_order_relaxed);
    } else {
      Chunk* chunk = Chunk::create(size > kCollectBytes ? size : kCollectBytes);
      if (chunk == nullptr) return false;
      std::memcpy(chunk->bytes(), record, size);
      chunk->size = size;
      append(chunk);
    }
  }
  announce();
  return true;
}

void ResultQueue::publish_reserved(const uint8_t* record, size_t size) {
  {
    std::unique_lock<std::mutex> lock(control_.mutex);
    // JavaScript gives the reserve back when it takes the record that was in it.
    waiting_ = true;
    while (reserve_ == nullptr && !control_.stopped()) control_.changed.wait(lock);
    waiting_ = false;
    if (reserve_ == nullptr) return;
    Chunk* chunk = reserve_;
    reserve_ = nullptr;
    std::memcpy(chunk->bytes(), record, size);
    chunk->size = size;
    append(chunk);
  }
  announce();
}

// With the mutex held: the chunks that fit, and in *size their bytes.
Chunk* ResultQueue::detach(size_t capacity, bool truncate, size_t* size, size_t* needed) {
  Chunk* taken = nullptr;
  Chunk** end = &taken;
  size_t total = 0;
  size_t fitting = 0;
  while (first_ != nullptr && (first_->size <= capacity - fitting || (truncate && taken == nullptr))) {
    *end = first_;
    end = &first_->next;
    total += first_->size;
    fitting += first_->size <= capacity - fitting ? first_->size : capacity - fitting;
    first_ = first_->next;
  }
  *end = nullptr;
  if (first_ == nullptr) last_ = nullptr;
  undelivered_.fetch_sub(total, std::memory_order_relaxed);
  *needed = taken == nullptr && first_ != nullptr ? first_->size : 0;
  *size = fitting;
  return taken;
}

void ResultQueue::recycle(Chunk* chunk) {
  if (chunk->capacity != kReserveBytes) return release(chunk);
  {
    std::lock_guard<std::mutex> lock(control_.mutex);
    chunk->next = nullptr;
    chunk->size = 0;
    reserve_ = chunk;
  }
  control_.changed.notify_all();
}

size_t ResultQueue::take(uint8_t* destination, size_t capacity, bool truncate, size_t* needed, bool* more) {
  // Cleared before looking: what is published from here on is announced again.
  announced_.store(false, std::memory_order_seq_cst);
  Chunk* taken = nullptr;
  size_t size = 0;
  bool wake = false;
  {
    std::lock_guard<std::mutex> lock(control_.mutex);
    taken = detach(capacity, truncate, &size, needed);
    *more = first_ != nullptr;
    wake = waiting_;
  }
  if (wake) control_.changed.notify_all();
  size_t left = size;
  while (taken != nullptr) {
    Chunk* chunk = taken;
    taken = chunk->next;
    const size_t copied = chunk->size < left ? chunk->size : left;
    std::memcpy(destination, chunk->bytes(), copied);
    destination += copied;
    left -= copied;
    recycle(chunk);
  }
  return size;
}

}  // namespace tandem
