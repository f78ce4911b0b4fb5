// Writes request records byte by byte, as docs/bytes.md draws them.
#include "message.h"

#include "core/bytes.h"

namespace test {

using namespace tandem;

namespace {

template <typename T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename T>
void put(std::string& bytes, size_t at, T value) {
  write_at<T>(reinterpret_cast<uint8_t*>(bytes.data()), at, value);
}

// With room for parameters: their number, and whether there are any.
Message with_parameters(Operation operation, uint32_t statement, uint8_t flags) {
  Message message(operation, statement, flags);
  return message.word(0).word(0);
}

}  // namespace

Message::Message(Operation operation, uint32_t statement, uint8_t flags)
    : operation_(operation), quiet_((flags & kRequestQuiet) != 0), record_(kRequestBodyAt, '\0') {
  put<uint8_t>(record_, kRecordKindAt, operation);
  put<uint8_t>(record_, kRecordFlagsAt, flags);
  put<uint32_t>(record_, kRequestStatementAt, statement);
}

void Message::pad() { record_.resize(aligned(record_.size())); }

Message& Message::word(uint32_t value) {
  append(record_, value);
  return *this;
}

Message& Message::number(double value) {
  append(record_, value);
  return *this;
}

Message& Message::integer(int64_t value) {
  append(record_, value);
  return *this;
}

Message& Message::bytes(const std::string& value) {
  record_ += value;
  pad();
  return *this;
}

Message& Message::text(const std::string& value) {
  append(record_, static_cast<uint32_t>(value.size() + 1));
  record_ += value;
  record_ += '\0';
  pad();
  return *this;
}

void Message::count() {
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(record_.data());
  put<uint32_t>(record_, count_at_, read_at<uint32_t>(bytes, count_at_) + 1);
  put<uint32_t>(record_, count_at_ + kParametersGivenAt - kParametersCountAt, 1);
}

void Message::head(ParameterType type, uint32_t position) {
  count();
  append(record_, static_cast<uint32_t>(type));
  append(record_, position);
}

Message& Message::bind_null(uint32_t position) {
  head(kParameterNull, position);
  return *this;
}

Message& Message::bind(uint32_t position, double value) {
  head(kParameterDouble, position);
  return number(value);
}

Message& Message::bind(uint32_t position, int64_t value) {
  head(kParameterInteger, position);
  return integer(value);
}

Message& Message::bind(uint32_t position, const std::string& value) {
  head(kParameterText, position);
  return integer(static_cast<int64_t>(value.size())).bytes(value);
}

Message& Message::bind_blob(uint32_t position, const std::string& value) {
  head(kParameterBlob, position);
  return integer(static_cast<int64_t>(value.size())).bytes(value);
}

Message& Message::bind_array(uint32_t position, ArrayKind kind, uint32_t count) {
  head(kParameterArray, position);
  return word(kind).word(count);
}

Message& Message::bind_named(const std::string& name, int64_t value) {
  count();
  append(record_, static_cast<uint32_t>(kParameterInteger) | (uint32_t{1} << 8));
  append(record_, static_cast<uint32_t>(name.size() + 1));
  bytes(name + '\0');
  return integer(value);
}

Message& Message::integers(IntegerMode mode) {
  put<uint8_t>(record_, kRequestIntegersAt, static_cast<uint8_t>(1 + mode));
  return *this;
}

std::string Message::record(uint32_t sequence) const {
  std::string record = record_;
  record.resize(aligned(record.size()));
  put<uint32_t>(record, kRecordLengthAt, static_cast<uint32_t>(record.size()));
  put<uint32_t>(record, kRecordSequenceAt, sequence);
  return record;
}

Message open(const std::string& name, uint32_t mode) {
  Message message(kOperationOpen);
  return message.word(mode).text(name);
}

Message close() { return Message(kOperationClose); }

Message exec(const std::string& sql, uint8_t flags) {
  Message message(kOperationExec, 0, flags);
  return message.text(sql);
}

Message wait(uint8_t flags) { return Message(kOperationWait, 0, flags); }

Message configure(Option option, double value, uint32_t id, uint8_t flags) {
  Message message(kOperationConfigure, 0, flags);
  return message.word(option).word(id).number(value);
}

Message prepare(uint32_t statement, const std::string& sql, uint8_t flags) {
  Message message(kOperationPrepare, statement, flags);
  return message.text(sql);
}

Message once(Operation operation, const std::string& sql, uint8_t flags) {
  Message message(operation, 0, static_cast<uint8_t>(flags | kRequestWithText));
  message.text(sql);
  message.count_at_ = message.record_.size();
  return message.word(0).word(0);
}

Message bind(uint32_t statement, uint8_t flags) { return with_parameters(kOperationBind, statement, flags); }
Message run(uint32_t statement, uint8_t flags) { return with_parameters(kOperationRun, statement, flags); }
Message get(uint32_t statement, uint8_t flags) { return with_parameters(kOperationGet, statement, flags); }
Message all(uint32_t statement, uint8_t flags) { return with_parameters(kOperationAll, statement, flags); }
Message each(uint32_t statement, uint8_t flags) { return with_parameters(kOperationEach, statement, flags); }
Message fetch(uint32_t statement, uint8_t flags) { return with_parameters(kOperationFetch, statement, flags); }
Message reset(uint32_t statement, uint8_t flags) { return Message(kOperationReset, statement, flags); }
Message describe(uint32_t statement, uint8_t flags) { return Message(kOperationDescribe, statement, flags); }
Message expanded_sql(uint32_t statement, uint8_t flags) {
  return with_parameters(kOperationExpandedSql, statement, flags);
}
Message finalize(uint32_t statement, uint8_t flags) { return Message(kOperationFinalize, statement, flags); }

}  // namespace test
