// Finds libuv's clock of idle time in the running process.
#ifndef SQLITE_TANDEM_NAPI_IDLE_TIME_H_
#define SQLITE_TANDEM_NAPI_IDLE_TIME_H_

#include <node_api.h>

#include "../core/idle_clock.h"

namespace tandem {

// JavaScript thread. The clock behind performance.eventLoopUtilization(), of the loop of `env`; an unknown one where
// the process has no libuv that tells. libuv documentation: "Metrics operations"; its function may be called by any
// thread.
IdleClock idle_clock_of(napi_env env);

}  // namespace tandem

#endif  // SQLITE_TANDEM_NAPI_IDLE_TIME_H_
