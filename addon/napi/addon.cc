// The native door: every function that JavaScript can call. src/native/binding.ts declares the same list.
//
// All run on the JavaScript thread and return at once; none calls SQLite on a connection, except that interrupt() and
// cancel() only set flags and open(), submit() and end() hand work to the SQLite thread.
#include <cstring>

#include "../core/thread.h"
#include "arguments.h"

namespace tandem {
namespace {

// open() -> number of a new database with a thread of its own, 0 when the system has no thread or memory left.
napi_value open(napi_env env, napi_callback_info info) {
  Environment* environment = Arguments(env, info).environment();
  Member* member = environment == nullptr ? nullptr : environment->open();
  return to_value(env, member == nullptr ? 0.0 : static_cast<double>(member->id));
}

// submit(database, bytes, length) -> whether the requests were queued; copies the bytes.
napi_value submit(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  Member* member = arguments.member();
  size_t size = 0;
  const uint8_t* bytes = arguments.bytes(1, &size);
  const size_t length = arguments.number(2);
  if (member == nullptr || bytes == nullptr || length > size) return to_value(env, false);
  return to_value(env, member->worker.requests().push(bytes, length));
}

// take(bytes, truncate, looksAgain) -> how many bytes of results of one database were copied (head of the segment
// included), 0 when there are none, or minus the number of bytes that the next result needs. With truncate, a result
// that does not fit is cut off and dropped, so that its request can be told that it was too large. With looksAgain and
// nothing there, the caller promises to wake() itself soon: until then, a database with more requests to answer does
// not wake the loop.
napi_value take(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  Environment* environment = arguments.environment();
  size_t size = 0;
  uint8_t* bytes = arguments.bytes(0, &size);
  if (environment == nullptr || bytes == nullptr || size < kSegmentRecordsAt) return to_value(env, 0.0);
  return to_value(env, static_cast<double>(environment->take(bytes, size, arguments.boolean(1), arguments.boolean(2))));
}

// watch(microseconds) -> whether there are results, for which it waits awake that long at most.
napi_value watch(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  Environment* environment = arguments.environment();
  return to_value(env, environment != nullptr && environment->watch(arguments.number(0)));
}

// wake(): asks for a call of deliver in a turn of its own.
napi_value wake(napi_env env, napi_callback_info info) {
  if (Environment* environment = Arguments(env, info).environment()) environment->wake();
  return nullptr;
}

// hold(on): whether pending work keeps the process alive.
napi_value hold(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  if (Environment* environment = arguments.environment()) environment->hold(arguments.boolean(0));
  return nullptr;
}

// interrupt(database): aborts the request that runs now, and no other.
napi_value interrupt(napi_env env, napi_callback_info info) {
  if (Member* member = Arguments(env, info).member()) member->worker.control().cancel_running();
  return nullptr;
}

// cancel(database, sequence): cancels the request of that number and no other, whether it waits, runs or has ended.
napi_value cancel(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  if (Member* member = arguments.member()) member->worker.control().cancel(arguments.number(1));
  return nullptr;
}

// proceed(database): lets a held database go on (configure('eager', false)).
napi_value proceed(napi_env env, napi_callback_info info) {
  if (Member* member = Arguments(env, info).member()) member->worker.control().proceed();
  return nullptr;
}

// end(database): closes the connection, if it is open, and ends the thread, without waiting for either. To be called
// when every request has been answered.
napi_value end(napi_env env, napi_callback_info info) {
  if (Member* member = Arguments(env, info).member()) member->worker.stop_idle();
  return nullptr;
}

// raise(error): makes an uncaught exception of it, at once.
napi_value raise(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  if (arguments.at(0) != nullptr) napi_fatal_exception(env, arguments.at(0));
  return nullptr;
}

// stats(database, numbers): fills a Float64Array with nanoseconds SQLite was busy, for how many of them the event loop
// was idle (-1 when that is not known), bytes not delivered yet, and how many calls with SQL text found their statement
// prepared, and how many did not.
napi_value stats(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  Member* member = arguments.member();
  size_t size = 0;
  uint8_t* numbers = arguments.bytes(1, &size);
  if (member == nullptr || size < 5 * sizeof(double)) return to_value(env, false);
  const Stopwatch& stopwatch = member->worker.stopwatch();
  const StatementCache& cache = member->worker.statement_cache();
  // Idle before busy: it stands still while JavaScript runs, so the two cannot contradict each other.
  write_at<double>(numbers, sizeof(double), static_cast<double>(stopwatch.idle()));
  write_at<double>(numbers, 0, static_cast<double>(stopwatch.busy()));
  write_at<double>(numbers, 2 * sizeof(double), static_cast<double>(member->worker.results().undelivered()));
  write_at<double>(numbers, 3 * sizeof(double), static_cast<double>(cache.hits()));
  write_at<double>(numbers, 4 * sizeof(double), static_cast<double>(cache.misses()));
  return to_value(env, true);
}

// record(database, on): keeps the single spans in which SQLite was busy, or stops keeping them.
napi_value record(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  if (Member* member = arguments.member()) member->worker.stopwatch().record(arguments.boolean(1));
  return nullptr;
}

// spans(database, numbers) -> how many spans were moved into the Float64Array, as pairs of start and end in
// nanoseconds of the monotonic clock. When there is room, the last is that which has not ended yet; it comes again.
napi_value spans(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  Member* member = arguments.member();
  size_t size = 0;
  uint8_t* numbers = arguments.bytes(1, &size);
  if (member == nullptr || numbers == nullptr) return to_value(env, 0.0);
  static_assert(sizeof(Span) == 2 * sizeof(double), "spans are converted in place");
  Stopwatch& stopwatch = member->worker.stopwatch();
  // Looked at before: if it ends meanwhile, it is among those that are kept.
  Span running{};
  bool append = stopwatch.running(&running);
  const size_t room = size / sizeof(Span);
  size_t count = stopwatch.take(numbers, room);
  append = append && count < room;
  if (append && count != 0) append = read_at<Span>(numbers, (count - 1) * sizeof(Span)).start < running.start;
  if (append) write_at<Span>(numbers, count++ * sizeof(Span), running);
  for (size_t i = 0; i < count; ++i) {
    const size_t at = i * sizeof(Span);
    const Span span = read_at<Span>(numbers, at);
    write_at<double>(numbers, at, static_cast<double>(span.start));
    write_at<double>(numbers, at + sizeof(double), static_cast<double>(span.end));
  }
  return to_value(env, static_cast<double>(count));
}

// layout() -> the numbers of core/layout.h by name.
napi_value layout(napi_env env, napi_callback_info info) {
  (void)info;
  napi_value numbers = nullptr;
  if (napi_create_object(env, &numbers) != napi_ok) return nullptr;
  size_t count = 0;
  const LayoutNumber* table = layout_numbers(&count);
  for (size_t i = 0; i < count; ++i) {
    if (napi_set_named_property(env, numbers, table[i].name, to_value(env, static_cast<double>(table[i].value))) !=
        napi_ok) {
      return nullptr;
    }
  }
  return numbers;
}

struct Function {
  const char* name;
  napi_callback callback;
};

// What start() returns.
constexpr Function kDoor[] = {
    {"raise", raise},         {"open", open},     {"submit", submit}, {"take", take},
    {"watch", watch},         {"wake", wake},     {"hold", hold},     {"end", end},
    {"proceed", proceed},     {"stats", stats},   {"record", record}, {"spans", spans},
    {"interrupt", interrupt}, {"cancel", cancel},
};

bool add_function(napi_env env, napi_value object, const Function& function, void* data) {
  napi_value value = nullptr;
  return napi_create_function(env, function.name, NAPI_AUTO_LENGTH, function.callback, data, &value) == napi_ok &&
         napi_set_named_property(env, object, function.name, value) == napi_ok;
}

// start(deliver, loopTellsIdleTime) -> the door: an object with the functions above. deliver() is called, on the loop,
// when there are results to take; true asks for another call. With loopTellsIdleTime, libuv is asked how long the loop
// was idle. A program that loads the JavaScript of this package twice has two doors.
napi_value start(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  if (arguments.at(0) == nullptr) return nullptr;
  Environment* environment = Environment::create(env, arguments.at(0), arguments.boolean(1));
  napi_value door = nullptr;
  if (environment == nullptr || napi_create_object(env, &door) != napi_ok) return nullptr;
  for (const Function& function : kDoor) {
    if (!add_function(env, door, function, environment)) return nullptr;
  }
  return door;
}

}  // namespace

napi_value initialize(napi_env env, napi_value exports) {
#ifndef SQLITE_TANDEM_SYSTEM_SQLITE
  // Another copy of SQLite in the process may have taken the place of ours: calling functions of one version with
  // structures of another crashes sooner or later.
  if (std::strcmp(sqlite3_sourceid(), SQLITE_SOURCE_ID) != 0) {
    napi_throw_error(env, nullptr, "sqlite-tandem: another SQLite library is in place of the one that was built in");
    return nullptr;
  }
#endif
  if (!add_function(env, exports, {"start", start}, nullptr) ||
      !add_function(env, exports, {"layout", layout}, nullptr)) {
    return nullptr;
  }
  // Read from the library that is really linked, not from its header: the two must not differ unseen.
  napi_set_named_property(env, exports, "version", to_value(env, sqlite3_libversion()));
  napi_set_named_property(env, exports, "versionNumber",
                          to_value(env, static_cast<double>(sqlite3_libversion_number())));
  napi_set_named_property(env, exports, "sourceId", to_value(env, sqlite3_sourceid()));
  napi_set_named_property(env, exports, "processors", to_value(env, static_cast<double>(processor_count())));
  return exports;
}

}  // namespace tandem

NAPI_MODULE_INIT() { return tandem::initialize(env, exports); }
