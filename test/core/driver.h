// Drives a Worker as the native door and TypeScript do, and holds what must be true of its answers at all times.
#ifndef SQLITE_TANDEM_TEST_CORE_DRIVER_H_
#define SQLITE_TANDEM_TEST_CORE_DRIVER_H_

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/worker.h"
#include "message.h"

namespace test {

// What came back for one request.
struct Answer {
  bool answered = false;
  // Native had no memory for the request itself.
  bool refused = false;
  int code = 0;
  int offset = -1;
  uint8_t flags = 0;
  std::string message;
  double changes = 0;
  double last_id = 0;
  std::vector<std::string> columns;
  // One row each, cells separated by '|': 1|0.5|'text'|x'00ff'|null; 64-bit integers end with an n.
  std::vector<std::string> rows;
  // How many records the rows came in, and the events in between.
  int records = 0;
  std::vector<std::string> events;
  // Of a statement: "readOnly explain (parameters) column:type:database.table.name ...", a dash for what there is not.
  std::string description;

  // The rows separated by ';', or "error <code>: <message>".
  std::string text() const;
};

class Driver {
 public:
  // `room` is the size of the buffer that results are taken into.
  explicit Driver(size_t room = size_t{256} << 10);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  bool started() const { return started_; }
  tandem::Worker& worker() { return *worker_; }

  // The next request gets the number behind this one.
  void number_behind(uint32_t sequence) { sequence_ = sequence; }
  // Adds a request to the batch; returns its number.
  uint32_t send(const Message& message);
  // The same for the bytes of a whole record, which gets a number.
  uint32_t send_record(std::string record);
  // Gives the batch to the worker.
  void submit();

  // Cancels a request that has been submitted.
  void cancel(uint32_t sequence) { worker_->control().cancel(sequence); }

  // Takes results until the request is answered. Submits first.
  const Answer& answer(uint32_t sequence);
  const Answer& ask(const Message& message) { return answer(send(message)); }
  std::string text(const Message& message) { return ask(message).text(); }

  // Takes results until all requests that were submitted are answered.
  void answer_all();

  // What there is at the moment, answered or not.
  const Answer& look(uint32_t sequence) { return answers_[sequence]; }

  // One call of take(); false when there was nothing.
  bool take();
  // Waits until the worker says that there is something to take; take() then gives at least a byte.
  void wait_for_results();
  // The same, but false when that takes too long.
  bool wait_for_results(std::chrono::milliseconds patience);

  // What the worker has said so far of how soon results should be taken.
  std::vector<tandem::Urgency> heard();
  // Waits until it has said so that many times.
  void wait_for(tandem::Urgency urgency, int times = 1);

  // Tells the thread to end, and waits for that.
  void stop();
  bool ended() const { return ended_.load(); }

  // Requests that have not been answered.
  size_t unanswered() const { return waiting_.size(); }
  // Lists of columns that have a number at the moment.
  size_t shapes() const { return shapes_.size(); }
  // The largest number of bytes that results needed beyond the room.
  size_t most_needed() const { return most_needed_; }

 private:
  struct Waiting {
    uint32_t sequence;
    bool quiet;
  };

  static void on_results(void* self, tandem::Urgency urgency);
  static void on_end(void* self);

  void read(const std::vector<uint8_t>& bytes, size_t size);
  void read_record(const uint8_t* record, size_t size);
  void read_description(const uint8_t* record, size_t size, Answer& answer);
  void read_shape(const uint8_t* record, size_t size);
  void read_rows(const uint8_t* record, size_t size, Answer& answer);
  Answer& answer_of(uint32_t sequence, bool final);

  tandem::Threads threads_;
  std::unique_ptr<tandem::Worker> worker_;
  bool started_ = false;
  bool stopped_ = false;
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool announced_ = false;
  std::vector<tandem::Urgency> heard_;

  std::vector<uint8_t> room_;
  size_t most_needed_ = 0;
  std::string batch_;
  uint32_t sequence_ = 0;
  // Requests of the batch that has not been submitted, and all that are not answered.
  std::vector<Waiting> batched_;
  std::deque<Waiting> waiting_;
  std::map<uint32_t, Answer> answers_;
  std::map<uint32_t, std::vector<std::string>> shapes_;
};

}  // namespace test

#endif  // SQLITE_TANDEM_TEST_CORE_DRIVER_H_
