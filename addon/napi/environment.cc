// One coalesced wake-up for all databases of an environment, and a teardown that no thread outlives.
#include "environment.h"

#include "../core/memory.h"
#include "idle_time.h"

namespace tandem {

Member::Member(Environment* owner, uint32_t number)
    : environment(owner),
      id(number),
      worker({Environment::on_results, Environment::on_end, this}, owner->threads_, owner->idle_clock_) {}

Environment* Environment::create(napi_env env, napi_value deliver, bool loop_tells_idle_time) {
  Environment* self = static_cast<Environment*>(allocate(sizeof(Environment)));
  if (self == nullptr) {
    napi_throw_error(env, nullptr, "out of memory");
    return nullptr;
  }
  new (self) Environment(env, loop_tells_idle_time ? idle_clock_of(env) : IdleClock{});
  napi_value name = nullptr;
  // One thread count is held by the environment itself; SQLite threads never acquire or release.
  const bool created = napi_create_string_utf8(env, "sqlite-tandem", NAPI_AUTO_LENGTH, &name) == napi_ok &&
                       napi_create_threadsafe_function(env, deliver, nullptr, name, 0, 1, self, on_wake_finalized, self,
                                                       on_wake, &self->wake_) == napi_ok;
  if (!created) {
    destroy(self);
    return nullptr;
  }
  napi_unref_threadsafe_function(env, self->wake_);
  // After the wake-up: hooks run last-in first-out, so ours joins the threads before Node's own hook for the function.
  napi_add_env_cleanup_hook(env, on_cleanup, self);
  void* others = nullptr;
  if (napi_get_instance_data(env, &others) == napi_ok) self->next_ = static_cast<Environment*>(others);
  if (napi_set_instance_data(env, self, on_instance_finalized, nullptr) != napi_ok) self->references_ = 1;
  return self;
}

void Environment::on_wake_finalized(napi_env env, void* self, void* hint) {
  (void)env;
  (void)hint;
  Environment* environment = static_cast<Environment*>(self);
  environment->closing_ = true;
  environment->drop_reference();
}

void Environment::drop_reference() {
  if (--references_ == 0) destroy(this);
}

void Environment::on_instance_finalized(napi_env env, void* first, void* hint) {
  (void)env;
  (void)hint;
  for (Environment* environment = static_cast<Environment*>(first); environment != nullptr;) {
    Environment* next = environment->next_;
    environment->drop_reference();
    environment = next;
  }
}

void Environment::on_cleanup(void* self) {
  Environment* environment = static_cast<Environment*>(self);
  environment->closing_ = true;
  // First all are told, then all are waited for: they end side by side.
  for (Member* bucket : environment->buckets_) {
    for (Member* member = bucket; member != nullptr; member = member->next) member->worker.stop();
  }
  for (Member*& bucket : environment->buckets_) {
    while (bucket != nullptr) environment->remove(bucket);
  }
  environment->threads_.end();
  napi_release_threadsafe_function(environment->wake_, napi_tsfn_release);
}

// --- databases ------------------------------------------------------------------------------------------------------

Member* Environment::open() {
  if (closing_) return nullptr;
  // The thread of a database that was closed just now is the one to take: it is still awake.
  reap();
  void* memory = allocate(sizeof(Member));
  if (memory == nullptr) return nullptr;
  Member* member = new (memory) Member(this, next_id_++);
  if (!member->worker.start()) {
    destroy(member);
    return nullptr;
  }
  Member*& bucket = buckets_[member->id % kBuckets];
  member->next = bucket;
  bucket = member;
  return member;
}

Member* Environment::find(uint32_t id) const {
  Member* member = buckets_[id % kBuckets];
  while (member != nullptr && member->id != id) member = member->next;
  return member;
}

// With the mutex held.
void Environment::unlink_ready(Member* member) {
  Member* before = nullptr;
  for (Member* ready = first_ready_; ready != nullptr; before = ready, ready = ready->next_ready) {
    if (ready != member) continue;
    (before == nullptr ? first_ready_ : before->next_ready) = member->next_ready;
    if (last_ready_ == member) last_ready_ = before;
    return;
  }
}

// The thread must have been told to stop.
void Environment::remove(Member* member) {
  member->worker.join();
  Member** link = &buckets_[member->id % kBuckets];
  while (*link != member) link = &(*link)->next;
  *link = member->next;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    unlink_ready(member);
  }
  destroy(member);
}

void Environment::reap() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!some_ended_) return;
    some_ended_ = false;
  }
  for (Member* bucket : buckets_) {
    for (Member* member = bucket; member != nullptr;) {
      Member* next = member->next;
      bool ended = false;
      {
        std::lock_guard<std::mutex> lock(mutex_);
        ended = member->ended;
      }
      if (ended) remove(member);
      member = next;
    }
  }
}

// --- results --------------------------------------------------------------------------------------------------------

void Environment::on_results(void* member, Urgency urgency) {
  Member* self = static_cast<Member*>(member);
  Environment* environment = self->environment;
  {
    std::lock_guard<std::mutex> lock(environment->mutex_);
    environment->push_ready(self);
    if (environment->watching_) return environment->seen_.store(true, std::memory_order_release);
    if (environment->signaled_ || (urgency == Urgency::kSoon && environment->looks_again_)) return;
    environment->signaled_ = true;
  }
  environment->signal();
}

void Environment::on_end(void* member) {
  Member* self = static_cast<Member*>(member);
  Environment* environment = self->environment;
  std::lock_guard<std::mutex> lock(environment->mutex_);
  self->ended = true;
  environment->some_ended_ = true;
}

// Its databases are gone by now, unless the loop sleeps.
void Environment::on_rest(void* self) {
  Environment* environment = static_cast<Environment*>(self);
  {
    std::lock_guard<std::mutex> lock(environment->mutex_);
    if (!environment->some_ended_ || environment->signaled_) return;
    environment->signaled_ = true;
  }
  environment->signal();
}

// Not under the mutex: the call takes a lock of its own. From a SQLite thread it cannot come too late, for the
// environment joins that thread before it releases the function.
void Environment::signal() { napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking); }

// With the mutex held.
void Environment::push_ready(Member* member) {
  if (member->ready) return;
  member->ready = true;
  member->next_ready = nullptr;
  (last_ready_ == nullptr ? first_ready_ : last_ready_->next_ready) = member;
  last_ready_ = member;
}

// With the mutex held.
void Environment::push_ready_first(Member* member) {
  // Its thread may have announced it again meanwhile, and put it at the end.
  if (member->ready) unlink_ready(member);
  member->ready = true;
  member->next_ready = first_ready_;
  first_ready_ = member;
  if (last_ready_ == nullptr) last_ready_ = member;
}

Member* Environment::pop_ready(bool looks_again) {
  std::lock_guard<std::mutex> lock(mutex_);
  Member* member = first_ready_;
  if (member == nullptr) {
    // Seen empty under the mutex: whoever publishes from now on wakes us again, unless we come by ourselves.
    signaled_ = false;
    looks_again_ = looks_again;
    return nullptr;
  }
  first_ready_ = member->next_ready;
  if (first_ready_ == nullptr) last_ready_ = nullptr;
  member->ready = false;
  return member;
}

int64_t Environment::take(uint8_t* bytes, size_t capacity, bool truncate, bool looks_again) {
  reap();
  while (Member* member = pop_ready(looks_again)) {
    write_at<uint64_t>(bytes, 0, 0);
    write_at<uint32_t>(bytes, kSegmentConnectionAt, member->id);
    size_t needed = 0;
    bool more = false;
    ResultQueue& results = member->worker.results();
    const size_t size = results.take(bytes + kSegmentRecordsAt, capacity - kSegmentRecordsAt, truncate, &needed, &more);
    if (more) {
      std::lock_guard<std::mutex> lock(mutex_);
      // A result that did not fit must be the first that the next call meets.
      (needed != 0) ? push_ready_first(member) : push_ready(member);
    }
    if (size != 0) return static_cast<int64_t>(size + kSegmentRecordsAt);
    if (needed != 0) return -static_cast<int64_t>(needed + kSegmentRecordsAt);
  }
  // What ended since the first look: its thread may have rested already, and found a wake-up still on its way.
  reap();
  return 0;
}

bool Environment::watch(uint32_t microseconds) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (first_ready_ != nullptr) return true;
    seen_.store(false, std::memory_order_relaxed);
    watching_ = true;
  }
  const Clock::time_point until = Clock::now() + std::chrono::microseconds(microseconds);
  while (!seen_.load(std::memory_order_acquire) && Clock::now() < until) relax_processor();
  std::lock_guard<std::mutex> lock(mutex_);
  // Under the mutex: what becomes ready from here on wakes the loop as usual.
  watching_ = false;
  return first_ready_ != nullptr;
}

void Environment::hold(bool on) {
  if (closing_ || on == held_) return;
  held_ = on;
  if (on) {
    napi_ref_threadsafe_function(env_, wake_);
  } else {
    napi_unref_threadsafe_function(env_, wake_);
  }
}

void Environment::wake() {
  if (closing_) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    signaled_ = true;
  }
  signal();
}

// Runs in a callback scope of its own: Node runs next-tick and promise jobs when it returns.
void Environment::on_wake(napi_env env, napi_value deliver, void* self, void* data) {
  (void)data;
  if (env == nullptr || deliver == nullptr) return;
  Environment* environment = static_cast<Environment*>(self);
  if (environment->closing_) return;
  napi_value undefined = nullptr;
  napi_value result = nullptr;
  if (napi_get_undefined(env, &undefined) != napi_ok) return;
  if (napi_call_function(env, undefined, deliver, 0, nullptr, &result) != napi_ok) {
    // Deliver catches what users throw. What is left is the end of the environment, where no exception can be fetched,
    // or a fault of ours, which must not pass in silence.
    bool pending = false;
    napi_value exception = nullptr;
    if (napi_is_exception_pending(env, &pending) == napi_ok && pending &&
        napi_get_and_clear_last_exception(env, &exception) == napi_ok) {
      napi_fatal_exception(env, exception);
      // A program that handles the exception goes on, and so do the answers behind this one.
      if (!environment->closing_) environment->wake();
    }
    return;
  }
  bool again = false;
  // This wake-up goes on: as long as there is something to deliver, nobody has taken it back.
  if (napi_get_value_bool(env, result, &again) == napi_ok && again && !environment->closing_) environment->signal();
}

}  // namespace tandem
