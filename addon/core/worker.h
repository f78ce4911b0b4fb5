// The SQLite thread of one database: takes requests, executes them, publishes results, and never waits for JavaScript
// unless too much is undelivered or the program asked for it.
#ifndef SQLITE_TANDEM_CORE_WORKER_H_
#define SQLITE_TANDEM_CORE_WORKER_H_

#include "connection.h"
#include "queue.h"
#include "result_queue.h"
#include "stopwatch.h"
#include "threads.h"

namespace tandem {

// What the owner hears from the SQLite thread. Both are called on that thread with no lock held.
struct WorkerListener {
  void (*on_results)(void* context, Urgency urgency);  // there is something to take
  void (*on_end)(void* context);  // the thread is about to leave; join() does not wait for SQLite any more
  void* context;
};

// Created, used and destroyed on the JavaScript thread.
class Worker {
 public:
  // `threads` and the event loop of `idle_clock` must outlive it.
  Worker(const WorkerListener& listener, Threads& threads, const IdleClock& idle_clock = {});
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() = default;

  // False when the system gives no thread, or no memory for its results.
  bool start();

  RequestQueue& requests() { return requests_; }
  ResultQueue& results() { return results_; }
  Control& control() { return control_; }
  Stopwatch& stopwatch() { return stopwatch_; }
  const StatementCache& statement_cache() const { return connection_.cache(); }

  // Tells the thread to close its connection and end, whatever it is doing. Does not wait.
  void stop() {
    control_.stop();
    connection_.interrupt();
  }

  // The same for a thread that has nothing to do: closing may then take the time that it needs, as for a checkpoint.
  void stop_idle() { control_.stop(); }

  // Waits until the thread has nothing more to do with this; once, after stop() or stop_idle().
  void join() { threads_.give_back(thread_); }

 private:
  static void body(void* self) { static_cast<Worker*>(self)->run(); }

  // SQLite thread.
  void run();
  void execute(Batch& batch);

  WorkerListener listener_;
  Control control_;
  Stopwatch stopwatch_;
  Yielder yielder_;
  RequestQueue requests_;
  ResultQueue results_;
  Connection connection_;
  Threads& threads_;
  ReusableThread* thread_ = nullptr;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_WORKER_H_
