// The JavaScript thread of a test: submits batches, takes segments, and finds the request of each record.
#include "driver.h"

#include <algorithm>

#include "harness.h"

namespace test {

using namespace tandem;

std::string Answer::text() const {
  if (refused) return "refused";
  if (!answered) return "unanswered";
  if (code != 0) return "error " + std::to_string(code) + ": " + message;
  std::string all;
  for (const std::string& row : rows) all += (all.empty() ? "" : ";") + row;
  return all;
}

Driver::Driver(size_t room) : room_(room) {
  worker_ = std::make_unique<Worker>(WorkerListener{on_results, on_end, this}, threads_);
  started_ = worker_->start();
}

Driver::~Driver() { stop(); }

void Driver::stop() {
  if (stopped_ || !started_) return;
  stopped_ = true;
  worker_->stop();
  worker_->join();
  threads_.end();
  CHECK(ended_.load());
}

void Driver::on_results(void* self, Urgency urgency) {
  Driver* driver = static_cast<Driver*>(self);
  {
    const std::lock_guard<std::mutex> lock(driver->mutex_);
    driver->announced_ = true;
    driver->heard_.push_back(urgency);
  }
  driver->changed_.notify_all();
}

void Driver::on_end(void* self) { static_cast<Driver*>(self)->ended_.store(true); }

uint32_t Driver::send(const Message& message) {
  const uint32_t sequence = ++sequence_;
  batch_ += message.record(sequence);
  batched_.push_back({sequence, message.quiet()});
  answers_[sequence] = Answer();
  return sequence;
}

uint32_t Driver::send_record(std::string record) {
  uint8_t* bytes = reinterpret_cast<uint8_t*>(record.data());
  const uint32_t sequence = ++sequence_;
  write_at<uint32_t>(bytes, kRecordSequenceAt, sequence);
  batch_ += record;
  batched_.push_back({sequence, (bytes[kRecordFlagsAt] & kRequestQuiet) != 0});
  answers_[sequence] = Answer();
  return sequence;
}

void Driver::submit() {
  if (batch_.empty()) return;
  const bool queued =
      started_ && worker_->requests().push(reinterpret_cast<const uint8_t*>(batch_.data()), batch_.size());
  for (const Waiting& request : batched_) {
    if (queued) {
      waiting_.push_back(request);
    } else {
      answers_[request.sequence].refused = true;
    }
  }
  batched_.clear();
  batch_.clear();
}

void Driver::wait_for_results() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!announced_) changed_.wait(lock);
  announced_ = false;
}

bool Driver::wait_for_results(std::chrono::milliseconds patience) {
  std::unique_lock<std::mutex> lock(mutex_);
  const bool came = changed_.wait_for(lock, patience, [this] { return announced_; });
  announced_ = false;
  return came;
}

std::vector<Urgency> Driver::heard() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return heard_;
}

void Driver::wait_for(Urgency urgency, int times) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (std::count(heard_.begin(), heard_.end(), urgency) < times) changed_.wait(lock);
}

const Answer& Driver::answer(uint32_t sequence) {
  submit();
  const Answer& wanted = answers_[sequence];
  while (!wanted.answered && !wanted.refused) {
    if (!take()) wait_for_results();
  }
  return wanted;
}

void Driver::answer_all() {
  while (unanswered() != 0) {
    if (!take()) wait_for_results();
  }
}

bool Driver::take() {
  size_t needed = 0;
  bool more = false;
  size_t size = worker_->results().take(room_.data(), room_.size(), false, &needed, &more);
  if (size == 0 && needed != 0) {
    CHECK(more);
    CHECK(needed > room_.size());
    most_needed_ = needed > most_needed_ ? needed : most_needed_;
    std::vector<uint8_t> larger(needed);
    size = worker_->results().take(larger.data(), larger.size(), false, &needed, &more);
    CHECK_EQUAL(size, larger.size());
    read(larger, size);
  } else {
    read(room_, size);
  }
  if (more) {
    const std::lock_guard<std::mutex> lock(mutex_);
    announced_ = true;
  }
  return size != 0;
}

void Driver::read(const std::vector<uint8_t>& bytes, size_t size) {
  size_t at = 0;
  while (at < size) {
    const size_t length = read_at<uint32_t>(bytes.data(), at + kRecordLengthAt);
    CHECK(length >= kRequestBodyAt && length % kRecordAlignment == 0 && length <= size - at);
    read_record(bytes.data() + at, length);
    at += length;
  }
}

// Those before it were quiet and have succeeded; it is the oldest then, and stays so until it is answered.
Answer& Driver::answer_of(uint32_t sequence, bool final) {
  while (!waiting_.empty() && waiting_.front().sequence != sequence) {
    CHECK(waiting_.front().quiet);
    answers_[waiting_.front().sequence].answered = true;
    waiting_.pop_front();
  }
  if (waiting_.empty()) fail(__FILE__, __LINE__, "a record for " + std::to_string(sequence) + ", which is answered");
  if (final) waiting_.pop_front();
  Answer& answer = answers_[sequence];
  CHECK(!answer.answered);
  answer.answered = final;
  return answer;
}

void Driver::read_record(const uint8_t* record, size_t size) {
  const uint8_t kind = record[kRecordKindAt];
  const uint8_t flags = record[kRecordFlagsAt];
  const uint32_t sequence = read_at<uint32_t>(record, kRecordSequenceAt);
  if (kind == kResultShape) return read_shape(record, size);
  Answer& answer = answer_of(sequence, (flags & kResultFinal) != 0);
  const auto text = [record, size](size_t at, size_t length) {
    CHECK(length <= size && at <= size - length);
    return std::string(reinterpret_cast<const char*>(record) + at, length);
  };
  answer.flags = flags;
  switch (kind) {
    case kResultDone:
      CHECK_EQUAL(size, size_t{kDoneLength});
      answer.changes = read_at<double>(record, kDoneChangesAt);
      answer.last_id = read_at<double>(record, kDoneLastIdAt);
      break;
    case kResultError:
      answer.code = read_at<int32_t>(record, kErrorCodeAt);
      answer.offset = read_at<int32_t>(record, kErrorOffsetAt);
      answer.message = text(kErrorMessageAt, read_at<uint32_t>(record, kErrorMessageLengthAt));
      CHECK(answer.code != 0);
      break;
    case kResultRows:
      read_rows(record, size, answer);
      break;
    case kResultTrace:
      answer.events.push_back("trace " + text(kTraceTextAt, read_at<uint32_t>(record, kTraceTextLengthAt)));
      break;
    case kResultProfile:
      CHECK(read_at<double>(record, kTraceTimeAt) >= 0);
      answer.events.push_back("profile " + text(kTraceTextAt, read_at<uint32_t>(record, kTraceTextLengthAt)));
      break;
    case kResultChange: {
      const uint32_t database = read_at<uint32_t>(record, kChangeDatabaseLengthAt);
      const uint32_t table = read_at<uint32_t>(record, kChangeTableLengthAt);
      answer.events.push_back("change " + std::to_string(read_at<int32_t>(record, kChangeOperationAt)) + " " +
                              text(kChangeNamesAt, database) + "." + text(kChangeNamesAt + database, table) + " " +
                              std::to_string(static_cast<int64_t>(read_at<double>(record, kChangeRowIdAt))));
      break;
    }
    case kResultBackup:
      answer.events.push_back("backup " + std::to_string(read_at<uint32_t>(record, kBackupDoneAt)) + " " +
                              std::to_string(read_at<int32_t>(record, kBackupRemainingAt)) + " of " +
                              std::to_string(read_at<int32_t>(record, kBackupPageCountAt)));
      break;
    case kResultDescription:
      read_description(record, size, answer);
      break;
    default:
      fail(__FILE__, __LINE__, "a record of kind " + std::to_string(kind));
  }
}

void Driver::read_description(const uint8_t* record, size_t size, Answer& answer) {
  size_t at = kDescriptionTextsAt;
  const auto text = [record, size, &at] {
    const uint32_t length = read_at<uint32_t>(record, at);
    at += sizeof(length);
    if (length == kDescriptionAbsent) return std::string("-");
    CHECK(length <= size - at);
    at += length;
    return std::string(reinterpret_cast<const char*>(record) + at - length, length);
  };
  std::string& told = answer.description;
  told = std::to_string(read_at<uint32_t>(record, kDescriptionReadOnlyAt)) + " " +
         std::to_string(read_at<uint32_t>(record, kDescriptionExplainAt)) + " (";
  const uint32_t parameters = read_at<uint32_t>(record, kDescriptionParametersAt);
  for (uint32_t i = 0; i < parameters; ++i) told += (i == 0 ? "" : ",") + text();
  told += ")";
  const uint32_t columns = read_at<uint32_t>(record, kDescriptionColumnsAt);
  for (uint32_t i = 0; i < columns; ++i) {
    told += " " + text();
    for (const char* before : {":", ":", ".", "."}) told += before + text();
  }
  CHECK(at <= size && size - at < kRecordAlignment);
}

}  // namespace test
