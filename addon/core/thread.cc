// Threads of POSIX and of Windows.
#include "thread.h"

namespace tandem {

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
