// A thread with a stated stack size, which std::thread cannot give (musl's default of 128 KiB is too small for SQLite).
#ifndef SQLITE_TANDEM_CORE_THREAD_H_
#define SQLITE_TANDEM_CORE_THREAD_H_

#include <cstddef>

#ifdef _WIN32
// Without the macros min and max, which would take the names of std::min() and std::max().
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <pthread.h>
#endif

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace tandem {

// Deep expressions and triggers recurse: SQLite's own limits fit well into this.
constexpr size_t kThreadStackBytes = size_t{4} << 20;

// Has no destructor on purpose: at process.exit() nothing of ours may run while the thread is still alive.
class Thread {
 public:
  // Runs body(context) on a new thread; false when the system has none left. Owner's thread.
  bool start(void (*body)(void*), void* context);

  // Waits for the end of the thread; once, after a successful start. Owner's thread.
  void join();

 private:
  void (*body_)(void*) = nullptr;
  void* context_ = nullptr;
#ifdef _WIN32
  static DWORD WINAPI enter(void* self);
  HANDLE thread_ = nullptr;
#else
  static void* enter(void* self);
  pthread_t thread_ = {};
#endif
};

// How many processors this process might use when this was first asked; 1 when that is unknown. Asked for each database
// that is opened, of which a system call would be a good part. Any thread.
unsigned processor_count();

// A moment's rest between two looks at something that another thread is about to change. Any thread.
inline void relax_processor() {
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
  _mm_pause();
#elif defined(__aarch64__) && !defined(_MSC_VER)
  asm volatile("yield");
#endif
}

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_THREAD_H_
