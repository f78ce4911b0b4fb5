// Chunks of result records on their way to JavaScript.
#include "result_queue.h"

#include <cstring>

#include "bytes.h"
#include "memory.h"

namespace tandem {

namespace {
// Small results are collected in chunks of this size, the first of a connection in smaller ones: what a short life, or
// one with few results, does not fill need not be allocated by one thread and freed by the other.
constexpr size_t kCollectBytes = size_t{96} << 10;
constexpr size_t kFirstCollectBytes = size_t{6} << 10;
}  // namespace

Chunk* Chunk::create(size_t capacity) {
  Chunk* chunk = make<Chunk>();
  if (chunk == nullptr) return nullptr;
  chunk->next.store(nullptr);
  chunk->committed.store(0);
  chunk->capacity = capacity;
  chunk->bytes = static_cast<uint8_t*>(allocate(capacity));
  if (chunk->bytes != nullptr) return chunk;
  release(chunk);
  return nullptr;
}

void Chunk::destroy(Chunk* chunk) {
  if (chunk == nullptr) return;
  release(chunk->bytes);
  release(chunk);
}

ResultQueue::ResultQueue(Control& control, Stopwatch& stopwatch, void (*notify)(void*, Urgency), void* context)
    : control_(control),
      stopwatch_(stopwatch),
      notify_(notify),
      context_(context),
      last_(Chunk::create(kReserveBytes)),
      collect_bytes_(kFirstCollectBytes),
      first_(last_),
      reserves_{Chunk::create(kReserveBytes), Chunk::create(kReserveBytes)} {}

ResultQueue::~ResultQueue() {
  while (first_ != nullptr) {
    Chunk* chunk = first_;
    first_ = chunk->next.load();
    if (chunk != reserves_[0] && chunk != reserves_[1]) Chunk::destroy(chunk);
  }
  for (Chunk* reserve : reserves_) Chunk::destroy(reserve);
  Chunk::destroy(spare_.load());
}

// --- SQLite thread --------------------------------------------------------------------------------------------------

void ResultQueue::append(Chunk* chunk) {
  last_->next.store(chunk, std::memory_order_release);
  last_ = chunk;
}

void ResultQueue::wait_for_room() {
  if (undelivered_.load() <= high_water_mark_.load()) return;
  hurry();
  const Stopwatch::Pause pause(stopwatch_);
  std::unique_lock<std::mutex> lock(control_.mutex);
  // Set before the last look: a consumer that does not see it has made room that this look sees.
  waiting_.store(true);
  // A cancelled request has little more to say; it does not wait for the room of a whole result.
  while (undelivered_.load() > high_water_mark_.load() && !control_.should_abort()) control_.changed.wait(lock);
  waiting_.store(false);
}

void ResultQueue::announce() { announce(!more_ || undelivered_.load() >= kMuchUndelivered); }

void ResultQueue::announce(bool now) {
  ahead_ = false;
  const uint32_t bits = now ? kAnnounced | kAnnouncedNow : kAnnounced;
  const uint32_t before = announced_.fetch_or(bits);
  if ((before & bits) != bits) notify_(context_, now ? Urgency::kNow : Urgency::kSoon);
}

void ResultQueue::hurry() {
  if (ahead_) return announce(true);
  uint32_t soon = kAnnounced;
  if (announced_.compare_exchange_strong(soon, kAnnounced | kAnnouncedNow)) notify_(context_, Urgency::kNow);
}

Chunk* ResultQueue::chunk_for(size_t size) {
  if (size > kCollectBytes) return Chunk::create(size);
  Chunk* chunk = spare_.exchange(nullptr);
  if (chunk == nullptr) {
    while (collect_bytes_ < size) collect_bytes_ *= 2;
    chunk = Chunk::create(collect_bytes_);
    if (collect_bytes_ < kCollectBytes) collect_bytes_ *= 2;
    return chunk;
  }
  chunk->next.store(nullptr, std::memory_order_relaxed);
  chunk->committed.store(0, std::memory_order_relaxed);
  return chunk;
}

uint8_t* ResultQueue::reserve(size_t size) {
  wait_for_room();
  const size_t committed = last_->committed.load(std::memory_order_relaxed);
  if (last_->capacity - committed >= size) return last_->bytes + committed;
  reserved_ = chunk_for(size);
  return reserved_ == nullptr ? nullptr : reserved_->bytes;
}

void ResultQueue::commit(size_t size) {
  add(size);
  announce();
}

void ResultQueue::add(size_t size) {
  // Counted first: the consumer may subtract it at once.
  undelivered_.fetch_add(size);
  if (reserved_ == nullptr) {
    last_->committed.store(last_->committed.load(std::memory_order_relaxed) + size, std::memory_order_release);
  } else {
    reserved_->committed.store(size, std::memory_order_relaxed);
    append(reserved_);
    reserved_ = nullptr;
  }
}

bool ResultQueue::publish(const uint8_t* record, size_t size) {
  uint8_t* at = reserve(size);
  if (at == nullptr) return false;
  std::memcpy(at, record, size);
  commit(size);
  return true;
}

bool ResultQueue::publish_ahead(const uint8_t* record, size_t size) {
  uint8_t* at = reserve(size);
  if (at == nullptr) return false;
  std::memcpy(at, record, size);
  add(size);
  ahead_ = true;
  return true;
}

void ResultQueue::publish_reserved(const uint8_t* record, size_t size) {
  std::atomic<bool>& used = reserve_used_[next_reserve_];
  if (used.load()) {
    hurry();
    std::unique_lock<std::mutex> lock(control_.mutex);
    waiting_.store(true);
    // JavaScript gives it back when it has read the record in it, for it has a successor: the other reserve.
    while (used.load() && !control_.stopped()) control_.changed.wait(lock);
    waiting_.store(false);
    if (used.load()) return;
  }
  used.store(true);
  Chunk* chunk = reserves_[next_reserve_];
  next_reserve_ = (next_reserve_ + 1) % kReserves;
  chunk->next.store(nullptr, std::memory_order_relaxed);
  // Full from the start, so that nothing is written behind the record.
  chunk->capacity = size;
  std::memcpy(chunk->bytes, record, size);
  chunk->committed.store(size, std::memory_order_relaxed);
  undelivered_.fetch_add(size);
  append(chunk);
  announce();
}

// --- JavaScript thread ----------------------------------------------------------------------------------------------

// Goes on to the next chunk when the first has been read and will not grow. False when there is none.
bool ResultQueue::advance() {
  Chunk* chunk = first_;
  Chunk* next = chunk->next.load(std::memory_order_acquire);
  // With a successor the chunk is final, so this look at its size is, too.
  if (next == nullptr) {
    // Full and read: its bytes go now, even if the successor does not come for hours.
    if (read_ == chunk->capacity && chunk->capacity > kCollectBytes) {
      release(chunk->bytes);
      chunk->bytes = nullptr;
    }
    return false;
  }
  if (read_ != chunk->committed.load(std::memory_order_acquire)) return true;
  first_ = next;
  read_ = 0;
  for (int i = 0; i < kReserves; ++i) {
    if (chunk != reserves_[i]) continue;
    reserve_used_[i].store(false);
    wake_producer();
    return true;
  }
  recycle(chunk);
  return true;
}

void ResultQueue::recycle(Chunk* chunk) {
  Chunk::destroy(chunk->capacity == kCollectBytes ? spare_.exchange(chunk) : chunk);
}

void ResultQueue::wake_producer() {
  if (!waiting_.load()) return;
  // Taking the mutex makes sure that the producer is asleep, or has not looked yet.
  { const std::lock_guard<std::mutex> lock(control_.mutex); }
  control_.changed.notify_all();
}

void ResultQueue::consumed(size_t size) {
  read_ += size;
  undelivered_.fetch_sub(size);
  wake_producer();
}

size_t ResultQueue::take(uint8_t* destination, size_t capacity, bool truncate, size_t* needed, bool* more) {
  // Cleared before looking: what is published from here on is announced again. An exchange, so that this look comes
  // after everything that was published before an announcement that this one overwrites.
  announced_.exchange(0);
  size_t size = 0;
  *needed = 0;
  *more = false;
  for (;;) {
    Chunk* chunk = first_;
    const size_t committed = chunk->committed.load(std::memory_order_acquire);
    // Whole records: as many as fit.
    size_t end = read_;
    while (end < committed) {
      const size_t length = read_at<uint32_t>(chunk->bytes, end + kRecordLengthAt);
      if (end + length - read_ > capacity - size) break;
      end += length;
    }
    if (end > read_) {
      std::memcpy(destination + size, chunk->bytes + read_, end - read_);
      size += end - read_;
      consumed(end - read_);
    }
    if (end < committed) {
      *more = true;
      if (size != 0) return size;
      const size_t length = read_at<uint32_t>(chunk->bytes, end + kRecordLengthAt);
      if (!truncate) {
        *needed = length;
        return 0;
      }
      std::memcpy(destination, chunk->bytes + end, capacity);
      consumed(length);
      return capacity;
    }
    if (!advance()) return size;
  }
}

}  // namespace tandem
