// Hand-over of request batches, with a short wait awake before the SQLite thread goes to sleep.
#include "queue.h"

#include <cstring>

#include "memory.h"
#include "thread.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <sched.h>
#endif

namespace tandem {

namespace {

// A program that awaits each query sends the next one within this time; sleeping in between would cost it two
// switches of threads. A thread that waited in vain sleeps at once the next time, so that an idle program burns
// nothing.
constexpr auto kSpin = std::chrono::microseconds(40);

void yield_processor() {
#ifdef _WIN32
  SwitchToThread();
#else
  sched_yield();
#endif
}

}  // namespace

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

bool RequestQueue::spin() {
  const Clock::time_point until = Clock::now() + kSpin;
  do {
    for (int i = 0; i < 32; ++i) {
      if (filled_.load(std::memory_order_acquire) || control_.stopped()) return true;
      relax_processor();
    }
    // Where both threads share a processor, the other one can only bring work if it is let in.
    yield_processor();
  } while (Clock::now() < until);
  return false;
}

Batch* RequestQueue::pop() {
  const Clock::time_point start = Clock::now();
  if (spin_pays_) spin();
  std::unique_lock<std::mutex> lock(control_.mutex);
  while (first_ == nullptr && !control_.stopped()) {
    sleeping_ = true;
    control_.changed.wait(lock);
    sleeping_ = false;
  }
  spin_pays_ = Clock::now() - start < 2 * kSpin;
  return control_.stopped() ? nullptr : take_first();
}

}  // namespace tandem
