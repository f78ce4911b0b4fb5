// Handing bodies to threads, and keeping a few threads that wait for the next.
#include "threads.h"

#include "memory.h"

namespace tandem {

bool ReusableThread::run(void (*body)(void*), void* context) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (ended_) return false;
    body_ = body;
    context_ = context;
    wanted_.store(true, std::memory_order_release);
  }
  changed_.notify_all();
  return true;
}

void ReusableThread::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (body_ != nullptr) changed_.wait(lock);
}

void ReusableThread::end() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
    wanted_.store(true, std::memory_order_release);
  }
  changed_.notify_all();
  thread_.join();
}

// With the mutex held, which `lock` is. False at the end of that time.
bool ReusableThread::wait_for_body(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (body_ == nullptr && !ended_) {
    if (changed_.wait_until(lock, until) == std::cv_status::timeout) return body_ != nullptr || ended_;
  }
  return true;
}

bool ReusableThread::next() {
  spin_.begin([this] { return wanted_.load(std::memory_order_acquire); });
  std::unique_lock<std::mutex> lock(mutex_);
  if (!wait_for_body(lock, Rest::kPause)) {
    lock.unlock();
    if (rest_.on_rest != nullptr) rest_.on_rest(rest_.context);
    lock.lock();
    if (!wait_for_body(lock, rest_.idle)) ended_ = true;
  }
  spin_.end();
  return body_ != nullptr;
}

void ReusableThread::loop() {
  do {
    body_(context_);
    {
      std::lock_guard<std::mutex> lock(mutex_);
      body_ = nullptr;
      wanted_.store(ended_, std::memory_order_relaxed);
    }
    changed_.notify_all();
  } while (next());
}

ReusableThread* Threads::run(void (*body)(void*), void* context) {
  while (count_ != 0) {
    ReusableThread* kept = kept_[--count_];
    if (kept->run(body, context)) return kept;
    end(kept);
  }
  ReusableThread* thread = make<ReusableThread>(rest_);
  if (thread == nullptr) return nullptr;
  if (!thread->start(body, context)) {
    destroy(thread);
    return nullptr;
  }
  return thread;
}

void Threads::give_back(ReusableThread* thread) {
  thread->wait();
  if (count_ < kKept) {
    kept_[count_++] = thread;
  } else {
    end(thread);
  }
}

void Threads::end(ReusableThread* thread) {
  thread->end();
  destroy(thread);
}

void Threads::end() {
  while (count_ != 0) end(kept_[--count_]);
}

}  // namespace tandem
