// Requests as JavaScript writes them, for tests of what executes them.
#ifndef SQLITE_TANDEM_TEST_CORE_MESSAGE_H_
#define SQLITE_TANDEM_TEST_CORE_MESSAGE_H_

#include <cstdint>
#include <string>

#include "core/layout.h"

namespace test {

// One request record. The body is built up by the functions below; the sequence number comes when it is sent.
class Message {
 public:
  explicit Message(tandem::Operation operation, uint32_t statement = 0, uint8_t flags = 0);

  Message& word(uint32_t value);
  Message& number(double value);
  Message& integer(int64_t value);
  Message& bytes(const std::string& value);  // then padding
  Message& text(const std::string& value);   // with length and NUL, then padding

  // Parameters, by position from 1 or by name.
  Message& bind_null(uint32_t position);
  Message& bind(uint32_t position, double value);
  Message& bind(uint32_t position, int64_t value);
  Message& bind(uint32_t position, const std::string& value);
  Message& bind_blob(uint32_t position, const std::string& value);
  // To be completed by the elements.
  Message& bind_array(uint32_t position, tandem::ArrayKind kind, uint32_t count);
  Message& bind_named(const std::string& name, int64_t value);

  // The mode of INTEGERs in the rows of this request.
  Message& integers(tandem::IntegerMode mode);

  bool quiet() const { return quiet_; }
  tandem::Operation operation() const { return operation_; }

  // The record with its length and number filled in.
  std::string record(uint32_t sequence) const;

 private:
  friend Message once(tandem::Operation operation, const std::string& sql, uint8_t flags);

  void pad();
  void head(tandem::ParameterType type, uint32_t position);
  void count();

  tandem::Operation operation_;
  bool quiet_;
  std::string record_;
  // Where the number of parameters stands.
  size_t count_at_ = tandem::kParametersCountAt;
};

Message open(const std::string& name = ":memory:", uint32_t mode = 6);
Message close();
Message exec(const std::string& sql, uint8_t flags = 0);
Message wait(uint8_t flags = 0);
Message configure(tandem::Option option, double value, uint32_t id = 0, uint8_t flags = 0);
Message prepare(uint32_t statement, const std::string& sql, uint8_t flags = 0);
// A run, get, all or each that brings its SQL text, with no parameters yet.
Message once(tandem::Operation operation, const std::string& sql, uint8_t flags = 0);
// With no parameters yet.
Message bind(uint32_t statement, uint8_t flags = 0);
Message run(uint32_t statement, uint8_t flags = 0);
Message get(uint32_t statement, uint8_t flags = 0);
Message all(uint32_t statement, uint8_t flags = 0);
Message each(uint32_t statement, uint8_t flags = 0);
// To be completed, behind the parameters, by word(most rows) and word(most bytes).
Message fetch(uint32_t statement, uint8_t flags = 0);
Message reset(uint32_t statement, uint8_t flags = 0);
Message describe(uint32_t statement, uint8_t flags = 0);
Message expanded_sql(uint32_t statement, uint8_t flags = 0);
Message finalize(uint32_t statement, uint8_t flags = 0);

}  // namespace test

#endif  // SQLITE_TANDEM_TEST_CORE_MESSAGE_H_
