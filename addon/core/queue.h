// The requests that wait for the SQLite thread, in the order in which JavaScript gave them.
#ifndef SQLITE_TANDEM_CORE_QUEUE_H_
#define SQLITE_TANDEM_CORE_QUEUE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "control.h"
#include "spin.h"

namespace tandem {

// One batch: whole request records, as one call of submit() brought them. The bytes follow the head.
struct Batch {
  Batch* next;
  size_t size;

  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(this + 1); }
};

class RequestQueue {
 public:
  explicit RequestQueue(Control& control) : control_(control) {}
  RequestQueue(const RequestQueue&) = delete;
  RequestQueue& operator=(const RequestQueue&) = delete;
  ~RequestQueue();

  // JavaScript thread. Copies the bytes; false when memory is exhausted (nothing was queued then).
  bool push(const uint8_t* bytes, size_t size);

  // SQLite thread. Whether there seems to be a batch; costs no lock.
  bool filled() const { return filled_.load(std::memory_order_acquire); }

  // SQLite thread. The next batch, or null when there is none yet.
  Batch* try_pop();

  // SQLite thread. Waits for the next batch; null once the thread is to stop.
  Batch* pop();

 private:
  Batch* take_first();

  Control& control_;
  Batch* first_ = nullptr;
  Batch* last_ = nullptr;
  // Lets the SQLite thread look for work without taking the mutex.
  std::atomic<bool> filled_{false};
  // Whether the SQLite thread sleeps and must be woken; guarded by the mutex.
  bool sleeping_ = false;
  Spin spin_;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_QUEUE_H_
