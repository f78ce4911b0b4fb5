// Hand-over of request batches, with a short wait awake before the SQLite thread goes to sleep.
#include "queue.h"

#include <cstring>

#include "memory.h"

namespace tandem {

RequestQueue::~RequestQueue() {
  while (first_ != nullptr) release(take_first());
}

bool RequestQueue::push(const uint8_t* bytes, size_t size) {
  Batch* batch = static_cast<Batch*>(allocate(sizeof(Batch) + size));
  if (batch == nullptr) return false;
  batch->next = nullptr;
  batch->size = size;
  std::memcpy(batch->bytes(), bytes, size);
  bool wake = false;
  {
    std::lock_guard<std::mutex> lock(control_.mutex);
    if (last_ == nullptr) {
      first_ = batch;
    } else {
      last_->next = batch;
    }
    last_ = batch;
    wake = sleeping_;
  }
  // After the mutex was given back: the SQLite thread watches this and takes the mutex at once.
  filled_.store(true, std::memory_order_release);
  if (wake) control_.changed.notify_all();
  return true;
}

Batch* RequestQueue::take_first() {
  Batch* batch = first_;
  if (batch != nullptr) first_ = batch->next;
  if (first_ == nullptr) {
    last_ = nullptr;
    filled_.store(false, std::memory_order_release);
  }
  return batch;
}

Batch* RequestQueue::try_pop() {
  if (!filled()) return nullptr;
  std::lock_guard<std::mutex> lock(control_.mutex);
  return take_first();
}

Batch* RequestQueue::pop() {
  spin_.begin([this] { return filled() || control_.stopped(); });
  std::unique_lock<std::mutex> lock(control_.mutex);
  while (first_ == nullptr && !control_.stopped()) {
    sleeping_ = true;
    control_.changed.wait(lock);
    sleeping_ = false;
  }
  spin_.end();
  return control_.stopped() ? nullptr : take_first();
}

}  // namespace tandem
