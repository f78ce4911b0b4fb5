// Faults on purpose, in an addon of their own: scripts/test-sanitized.mjs sees with them that no finding is missed.
#include <node_api.h>

#include <climits>
#include <cstdlib>
#include <thread>

namespace {

// Not known to the compiler, which would otherwise warn of the faults, or leave them out.
volatile int one = 1;
void* volatile kept = nullptr;

napi_value use_after_free(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  kept = std::malloc(8);
  std::free(kept);
  if (kept != nullptr) *static_cast<volatile char*>(kept) = 'x';
  return nullptr;
}

napi_value undefined_behaviour(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  one = INT_MAX - 1 + one + one;
  return nullptr;
}

void forget() {
  kept = std::malloc(24);
  kept = nullptr;
}

napi_value leak(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  // What is on the stack of a thread that has ended cannot be taken for a reference.
  std::thread(forget).join();
  return nullptr;
}

bool add(napi_env env, napi_value exports, const char* name, napi_callback callback) {
  napi_value function = nullptr;
  return napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, nullptr, &function) == napi_ok &&
         napi_set_named_property(env, exports, name, function) == napi_ok;
}

}  // namespace

NAPI_MODULE_INIT() {
  if (!add(env, exports, "use_after_free", use_after_free) ||
      !add(env, exports, "undefined_behaviour", undefined_behaviour) || !add(env, exports, "leak", leak)) {
    return nullptr;
  }
  return exports;
}
