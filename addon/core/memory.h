// The one place where the core takes and returns memory, so that a test can make it fail.
#ifndef SQLITE_TANDEM_CORE_MEMORY_H_
#define SQLITE_TANDEM_CORE_MEMORY_H_

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace tandem {

// All may be called on any thread. A null result means out of memory; nothing throws and nothing aborts.
void* allocate(size_t size);
void* reallocate(void* memory, size_t size);
void release(void* memory);

// An object in memory of allocate(); null when there is none left.
template <typename T, typename... Arguments>
T* make(Arguments&&... arguments) {
  void* memory = allocate(sizeof(T));
  return memory == nullptr ? nullptr : new (memory) T(std::forward<Arguments>(arguments)...);
}

template <typename T>
void destroy(T* object) {
  if (object == nullptr) return;
  object->~T();
  release(object);
}

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_MEMORY_H_
