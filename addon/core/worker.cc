// The loop of the SQLite thread.
#include "worker.h"

namespace tandem {

Worker::Worker(const WorkerListener& listener, Threads& threads, const IdleClock& idle_clock)
    : listener_(listener),
      stopwatch_(idle_clock),
      yielder_(stopwatch_),
      requests_(control_),
      results_(control_, stopwatch_, listener.on_results, listener.context),
      connection_(control_, results_, yielder_, stopwatch_),
      threads_(threads) {}

bool Worker::start() {
  if (!results_.ok()) return false;
  thread_ = threads_.run(body, this);
  return thread_ != nullptr;
}

void Worker::execute(Batch& batch) {
  size_t position = 0;
  while (position < batch.size && !control_.stopped()) {
    Request request{kOperationWait, 0, 0, 0, Reader(nullptr, 0)};
    size_t length = 0;
    if (!parse_request(batch.bytes() + position, batch.size - position, &request, &length)) return;
    position += length;
    results_.expect_more(position < batch.size || requests_.filled());
    connection_.execute(request);
    if (connection_.held()) {
      results_.hurry();
      const Stopwatch::Pause pause(stopwatch_);
      control_.wait_to_proceed();
    } else {
      stopwatch_.lap();
      yielder_.look();
    }
  }
}

void Worker::run() {
  while (Batch* batch = requests_.pop()) {
    stopwatch_.start();
    while (batch != nullptr) {
      execute(*batch);
      release(batch);
      batch = requests_.try_pop();
    }
    results_.hurry();
    connection_.settle();
    stopwatch_.stop();
  }
  connection_.shut_down();
  listener_.on_end(listener_.context);
}

}  // namespace tandem
