// Threads of POSIX and of Windows.
#include "thread.h"

#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace tandem {

namespace {

unsigned usable_processors() {
#ifdef __linux__
  // A process can be confined to some of the processors that the system has.
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) == 0) return static_cast<unsigned>(CPU_COUNT(&usable));
#endif
  const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : count;
}

}  // namespace

unsigned processor_count() {
  static const unsigned count = usable_processors();
  return count;
}

#ifdef _WIN32

DWORD WINAPI Thread::enter(void* self) {
  Thread* thread = static_cast<Thread*>(self);
  thread->body_(thread->context_);
  return 0;
}

bool Thread::start(void (*body)(void*), void* context) {
  body_ = body;
  context_ = context;
  thread_ = CreateThread(nullptr, kThreadStackBytes, enter, this, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  return thread_ != nullptr;
}

void Thread::join() {
  WaitForSingleObject(thread_, INFINITE);
  CloseHandle(thread_);
}

#else

void* Thread::enter(void* self) {
  Thread* thread = static_cast<Thread*>(self);
  thread->body_(thread->context_);
  return nullptr;
}

bool Thread::start(void (*body)(void*), void* context) {
  body_ = body;
  context_ = context;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  const bool started = pthread_attr_setstacksize(&attributes, kThreadStackBytes) == 0 &&
                       pthread_create(&thread_, &attributes, enter, this) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

void Thread::join() { pthread_join(thread_, nullptr); }

#endif

}  // namespace tandem
