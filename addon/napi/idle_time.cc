// libuv is asked for by name, not linked: a runtime without it must still be able to load the addon.
#include "idle_time.h"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace tandem {

namespace {

using GetLoop = napi_status (*)(napi_env env, uv_loop_s** loop);
using ReadIdleTime = uint64_t (*)(uv_loop_s* loop);

// Of the program itself, which is where Node.js has libuv and Node-API.
template <typename Function>
Function find(const char* name) {
#ifdef _WIN32
  return reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(nullptr), name)));
#else
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
#endif
}

ReadIdleTime read_idle_time() {
  static const ReadIdleTime function = find<ReadIdleTime>("uv_metrics_idle_time");
  return function;
}

uint64_t read(void* loop) { return read_idle_time()(static_cast<uv_loop_s*>(loop)); }

}  // namespace

IdleClock idle_clock_of(napi_env env) {
  const GetLoop get_loop = find<GetLoop>("napi_get_uv_event_loop");
  uv_loop_s* loop = nullptr;
  if (read_idle_time() == nullptr || get_loop == nullptr || get_loop(env, &loop) != napi_ok) return {};
  return {read, loop};
}

}  // namespace tandem
