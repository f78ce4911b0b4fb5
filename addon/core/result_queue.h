// The finished results that wait for JavaScript, bounded in bytes: the SQLite thread pauses when JavaScript lags
// behind.
//
// One producer, the SQLite thread, and one consumer, the JavaScript thread, share a list of chunks without a lock:
//
//   first_ (consumer)                              last_ (producer)
//      |                                              |
//   [ read | committed ] --next--> [ committed ] --> [ committed | free ]
//
// The producer writes bytes behind `committed` and then moves it; a chunk with a successor is never written again. The
// consumer frees a chunk once it has read all of it and there is a successor.
#ifndef SQLITE_TANDEM_CORE_RESULT_QUEUE_H_
#define SQLITE_TANDEM_CORE_RESULT_QUEUE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "control.h"
#include "stopwatch.h"

namespace tandem {

// How soon JavaScript should take results. Waking a thread that sleeps costs the one that wakes it tens of microseconds
// on virtual machines, a tenth of a query of 500 rows; so what can wait until JavaScript looks by itself does.
enum class Urgency {
  kSoon,  // SQLite has more requests to answer
  kNow,   // SQLite is about to rest, or much is undelivered
};

// Whole result records. The bytes have memory of their own, so that those of a large result can go as soon as they have
// been read, while the chunk itself still waits for its successor.
struct Chunk {
  std::atomic<Chunk*> next;
  std::atomic<size_t> committed;
  size_t capacity;
  uint8_t* bytes;

  // Any thread; null when memory is exhausted. The chunk belongs to the caller.
  static Chunk* create(size_t capacity);
  static void destroy(Chunk* chunk);
};

class ResultQueue {
 public:
  // `notify` is called on the SQLite thread, with no lock held, when results appear where JavaScript had seen none, and
  // again when those it was told of as kSoon should be taken now.
  ResultQueue(Control& control, Stopwatch& stopwatch, void (*notify)(void*, Urgency), void* context);
  ResultQueue(const ResultQueue&) = delete;
  ResultQueue& operator=(const ResultQueue&) = delete;
  ~ResultQueue();

  // Whether the first chunk could be had; nothing else may be called otherwise. JavaScript thread.
  bool ok() const { return first_ != nullptr && reserves_[0] != nullptr && reserves_[1] != nullptr; }

  // SQLite thread. Room for one record of that size, to be filled before commit() publishes it; waits first while too
  // much is undelivered, unless the request is cancelled. Null when memory is exhausted. Nothing else may be published
  // in between.
  uint8_t* reserve(size_t size);
  void commit(size_t size);

  // SQLite thread. Copies one record; false when memory is exhausted.
  bool publish(const uint8_t* record, size_t size);

  // SQLite thread. The same for a record that says nothing without the one behind it, with which JavaScript hears of
  // it.
  bool publish_ahead(const uint8_t* record, size_t size);

  // SQLite thread. As publish(), for a record of at most kReserveBytes that must not fail: its memory was set aside.
  void publish_reserved(const uint8_t* record, size_t size);

  // SQLite thread. Whether requests wait behind the one that runs: then its results are no reason to wake JavaScript.
  void expect_more(bool more) { more_ = more; }

  // SQLite thread, before it rests: what was published as kSoon is to be taken now.
  void hurry();

  // JavaScript thread. Moves results to `destination`, whole records only. Returns the number of bytes; when not even
  // the first record fits, returns 0 and in *needed what it takes, or, with `truncate`, moves only its beginning and
  // drops the rest. *more says whether results are left.
  size_t take(uint8_t* destination, size_t capacity, bool truncate, size_t* needed, bool* more);

  // Any thread.
  size_t undelivered() const { return undelivered_.load(); }
  void set_high_water_mark(size_t bytes) { high_water_mark_.store(bytes); }

  static constexpr size_t kReserveBytes = 128;
  static constexpr size_t kDefaultHighWaterMark = size_t{4} << 20;
  // JavaScript has work for some tenths of a millisecond; SQLite and the event loop shall work at the same time.
  static constexpr size_t kMuchUndelivered = size_t{128} << 10;

 private:
  Chunk* chunk_for(size_t size);
  void add(size_t size);
  void append(Chunk* chunk);
  void recycle(Chunk* chunk);
  void wait_for_room();
  void announce();
  void announce(bool now);
  bool advance();
  void wake_producer();
  void consumed(size_t size);

  Control& control_;
  Stopwatch& stopwatch_;
  void (*const notify_)(void*, Urgency);
  void* const context_;

  Chunk* last_;                // producer's
  size_t collect_bytes_;       // producer's: the size of the next chunk for small results
  Chunk* reserved_ = nullptr;  // producer's: a new chunk that reserve() began
  bool more_ = false;          // producer's
  bool ahead_ = false;         // producer's: JavaScript has not heard of what publish_ahead() has published
  Chunk* first_;               // consumer's, with the number of bytes read
  size_t read_ = 0;

  // Two, used in turn: the one that was used last may be the end of the list, and stays there until it has a successor.
  static constexpr int kReserves = 2;
  Chunk* reserves_[kReserves];
  std::atomic<bool> reserve_used_[kReserves] = {{false}, {false}};
  int next_reserve_ = 0;
  // A chunk that has been read and can be filled again: without it each would be allocated by one thread and freed by
  // the other, which the C library pays for with system calls.
  std::atomic<Chunk*> spare_{nullptr};
  std::atomic<bool> waiting_{false};
  // What JavaScript was told of, as bits: that there is something to take, and that it should be taken now.
  static constexpr uint32_t kAnnounced = 1;
  static constexpr uint32_t kAnnouncedNow = 2;
  std::atomic<uint32_t> announced_{0};
  std::atomic<size_t> undelivered_{0};
  std::atomic<size_t> high_water_mark_{kDefaultHighWaterMark};
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_RESULT_QUEUE_H_
