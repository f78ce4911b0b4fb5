// Memory from the C library.
#include "memory.h"

namespace tandem {

void* allocate(size_t size) { return std::malloc(size); }

void* reallocate(void* memory, size_t size) { return std::realloc(memory, size); }

void release(void* memory) { std::free(memory); }

}  // namespace tandem
