// Threads that run one body after another: a database that is opened soon after another was closed gets the thread of
// that one, and with it the memory that its stack and its allocator hold ready.
#ifndef SQLITE_TANDEM_CORE_THREADS_H_
#define SQLITE_TANDEM_CORE_THREADS_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "spin.h"
#include "thread.h"

namespace tandem {

// What a thread without work does.
struct Rest {
  // Long enough for a program that opens a database for each of its requests, and a time after which an idle program
  // has given everything back.
  static constexpr auto kIdle = std::chrono::milliseconds(1'000);
  static constexpr auto kPause = std::chrono::milliseconds(2);

  // It ends by itself after this time.
  std::chrono::milliseconds idle = kIdle;
  // Called on it after kPause, with no lock held, unless null: the owner may clean up what the body has left. By then a
  // program that goes on at once has done so, and was not disturbed.
  void (*on_rest)(void* context) = nullptr;
  void* context = nullptr;
};

// One of them. All but what the thread itself does are for the thread of its owner.
class ReusableThread {
 public:
  explicit ReusableThread(const Rest& rest) : rest_(rest) {}
  ReusableThread(const ReusableThread&) = delete;
  ReusableThread& operator=(const ReusableThread&) = delete;
  ~ReusableThread() = default;

  // Starts it with its first body, body(context). False when the system has no thread left; then nothing else may be
  // called.
  bool start(void (*body)(void*), void* context) {
    body_ = body;
    context_ = context;
    return thread_.start(enter, this);
  }

  // Runs another body; none may be running. False when it has ended meanwhile.
  bool run(void (*body)(void*), void* context);

  // Waits until the body has returned.
  void wait();

  // Waits for the end of the thread; once. No body may be running.
  void end();

 private:
  static void enter(void* self) { static_cast<ReusableThread*>(self)->loop(); }
  // The thread itself.
  void loop();
  bool next();
  bool wait_for_body(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds time);

  const Rest rest_;
  Thread thread_;
  Spin spin_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by the mutex. A body is set until it has returned.
  void (*body_)(void*) = nullptr;
  void* context_ = nullptr;
  bool ended_ = false;  // the thread takes no more bodies: it was told to end, or has ended by itself
  // Lets the thread look for either without taking the mutex.
  std::atomic<bool> wanted_{true};
};

// The threads of one owner, on whose thread all of this is called. Has no destructor on purpose, as Thread has none.
class Threads {
 public:
  explicit Threads(const Rest& rest = {}) : rest_(rest) {}
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() = default;

  // Runs body(context) on one that waits, or on a new one; null when there is no memory or no thread. To be given back.
  ReusableThread* run(void (*body)(void*), void* context);

  // Takes back a thread whose body has returned or is about to, and waits for that.
  void give_back(ReusableThread* thread);

  // Ends those that were given back, and waits for them. Nothing may be called after it.
  void end();

 private:
  static void end(ReusableThread* thread);

  // A program that opens and closes in turn needs one, or two when it opens the next database before the last is
  // closed. A few more serve those that do so with several databases.
  static constexpr int kKept = 4;
  const Rest rest_;
  ReusableThread* kept_[kKept] = {};
  int count_ = 0;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_THREADS_H_
