// Everything native that belongs to one JavaScript environment: its databases, the wake-up, and the order of its end.
//
// Nothing is shared between environments: each main thread and each worker_threads Worker has its own, and so has each
// copy of the package's JavaScript. The order of teardown is: cleanup hook (stop all SQLite threads, join them, release
// the wake-up), the wake-up's finalizer, the finalizer of the instance data; the memory goes with the last of the two,
// since until then JavaScript might still call a function that refers to it.
#ifndef SQLITE_TANDEM_NAPI_ENVIRONMENT_H_
#define SQLITE_TANDEM_NAPI_ENVIRONMENT_H_

#include <node_api.h>

#include <atomic>
#include <cstdint>
#include <mutex>

#include "../core/worker.h"

namespace tandem {

class Environment;

// A database as its environment knows it. JavaScript thread, except where said.
struct Member {
  Member(Environment* owner, uint32_t number);

  Environment* environment;
  uint32_t id;
  Worker worker;
  Member* next = nullptr;        // those of the same bucket
  Member* next_ready = nullptr;  // those with results; guarded by the environment's mutex, like the next two
  bool ready = false;
  bool ended = false;
};

class Environment {
 public:
  // Creates the wake-up, which calls `deliver`, and registers the cleanup hook. Null with a pending exception when
  // Node-API refuses. The idle time of the loop is measured if that can be told of it and `loop_tells_idle_time`.
  static Environment* create(napi_env env, napi_value deliver, bool loop_tells_idle_time);

  // Starts a thread for a new database. Null when there is no memory or no thread.
  Member* open();

  // The database of that number, or null when it has ended.
  Member* find(uint32_t id) const;

  // Copies finished results of one database into `bytes`: see take() in addon.cc.
  int64_t take(uint8_t* bytes, size_t capacity, bool truncate, bool looks_again);

  // Waits awake, for at most so many microseconds, until some database has results; false when none has.
  bool watch(uint32_t microseconds);

  // Lets the wake-up keep the process alive, or not.
  void hold(bool on);

  // Calls `deliver` once more in a turn of its own.
  void wake();

  bool closing() const { return closing_; }

 private:
  friend struct Member;

  // Databases by number. A power of two; thousands of open databases still find each other fast.
  static constexpr uint32_t kBuckets = 256;

  Environment(napi_env env, const IdleClock& idle_clock)
      : env_(env), idle_clock_(idle_clock), threads_({Rest::kIdle, on_rest, this}) {}

  // SQLite threads.
  static void on_results(void* member, Urgency urgency);
  static void on_end(void* member);
  static void on_rest(void* self);
  // Any thread.
  void signal();

  // JavaScript thread.
  static void on_wake(napi_env env, napi_value deliver, void* self, void* data);
  static void on_cleanup(void* self);
  static void on_wake_finalized(napi_env env, void* self, void* hint);
  static void on_instance_finalized(napi_env env, void* first, void* hint);
  void drop_reference();
  Member* pop_ready(bool looks_again);
  void push_ready(Member* member);
  void push_ready_first(Member* member);
  void unlink_ready(Member* member);
  void reap();
  void remove(Member* member);

  napi_env env_;
  const IdleClock idle_clock_;
  napi_threadsafe_function wake_ = nullptr;
  Member* buckets_[kBuckets] = {};
  Threads threads_;
  uint32_t next_id_ = 1;
  bool held_ = false;
  bool closing_ = false;
  Environment* next_ = nullptr;  // another one of the same napi_env
  int references_ = 2;           // the wake-up and the instance data: runtimes differ in which is finalized first

  std::atomic<bool> seen_{false};  // something became ready while JavaScript was watching
  std::mutex mutex_;
  Member* first_ready_ = nullptr;
  Member* last_ready_ = nullptr;
  bool some_ended_ = false;
  bool signaled_ = false;     // a wake-up is on its way, or JavaScript is at work on one
  bool watching_ = false;     // JavaScript waits awake, and will see what becomes ready
  bool looks_again_ = false;  // JavaScript said that it will look by itself within a millisecond or two
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_NAPI_ENVIRONMENT_H_
