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
  }
  changed_.notify_all();
  thread_.join();
}

// With the mutex held, which `lock` is.
bool ReusableThread::wait_for_body(std::unique_lock<std::mutex>& lock) {
  const auto until = std::chrono::steady_clock::now() + idle_;
  while (body_ == nullptr && !ended_) {
    if (changed_.wait_until(lock, until) == std::cv_status::timeout && body_ == nullptr) ended_ = true;
  }
  return body_ != nullptr;
}

void ReusableThread::loop() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (wait_for_body(lock)) {
    lock.unlock();
    body_(context_);
    lock.lock();
    body_ = nullptr;
    changed_.notify_all();
  }
}

ReusableThread* Threads::run(void (*body)(void*), void* context) {
  while (count_ != 0) {
    ReusableThread* kept = kept_[--count_];
    if (kept->run(body, context)) return kept;
    end(kept);
  }
  ReusableThread* thread = make<ReusableThread>(idle_);
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
