// The finished results that wait for JavaScript, bounded in bytes: the SQLite thread pauses when JavaScript lags behind.
#ifndef SQLITE_TANDEM_CORE_RESULT_QUEUE_H_
#define SQLITE_TANDEM_CORE_RESULT_QUEUE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "control.h"
#include "stopwatch.h"

namespace tandem {

// Whole result records. The bytes follow the head.
struct Chunk {
  Chunk* next;
  size_t size;
  size_t capacity;

  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(this + 1); }

  // Any thread; null when memory is exhausted. The chunk belongs to the caller.
  static Chunk* create(size_t capacity);
};

class ResultQueue {
 public:
  // `notify` is called on the SQLite thread, with no lock held, when results appear where JavaScript had seen none.
  ResultQueue(Control& control, Stopwatch& stopwatch, void (*notify)(void*), void* context);
  ResultQueue(const ResultQueue&) = delete;
  ResultQueue& operator=(const ResultQueue&) = delete;
  ~ResultQueue();

  // SQLite thread. Takes the chunk over; waits first while too much is undelivered.
  void publish(Chunk* chunk);

  // SQLite thread. Copies one record; false when memory is exhausted.
  bool publish(const uint8_t* record, size_t size);

  // SQLite thread. The same for a record of at most kReserveBytes that must not fail: its memory was set aside.
  void publish_reserved(const uint8_t* record, size_t size);

  // JavaScript thread. Moves whole chunks to `destination`. Returns the number of bytes; when not even the first chunk
  // fits, returns 0 and its size in *needed, or, with `truncate`, moves only its beginning and drops the rest. *more says
  // whether results are left.
  size_t take(uint8_t* destination, size_t capacity, bool truncate, size_t* needed, bool* more);

  // Any thread.
  size_t undelivered() const { return undelivered_.load(std::memory_order_relaxed); }
  void set_high_water_mark(size_t bytes) { high_water_mark_.store(bytes, std::memory_order_relaxed); }

  static constexpr size_t kReserveBytes = 128;
  static constexpr size_t kDefaultHighWaterMark = size_t{4} << 20;

 private:
  void append(Chunk* chunk);
  Chunk* detach(size_t capacity, bool truncate, size_t* size, size_t* needed);
  void recycle(Chunk* chunk);
  void wait_for_room(std::unique_lock<std::mutex>& lock);
  void announce();

  Control& control_;
  Stopwatch& stopwatch_;
  void (*const notify_)(void*);
  void* const context_;
  Chunk* first_ = nullptr;
  Chunk* last_ = nullptr;
  Chunk* reserve_ = nullptr;
  bool waiting_ = false;
  // Whether JavaScript knows that there is something to take.
  std::atomic<bool> announced_{false};
  std::atomic<size_t> undelivered_{0};
  std::atomic<size_t> high_water_mark_{kDefaultHighWaterMark};
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_RESULT_QUEUE_H_
