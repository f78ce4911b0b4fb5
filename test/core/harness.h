// A test harness without dependencies: tests register themselves, and a failed check ends the program with its place.
#ifndef SQLITE_TANDEM_TEST_CORE_HARNESS_H_
#define SQLITE_TANDEM_TEST_CORE_HARNESS_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace test {

struct Registration {
  Registration(const char* name, void (*body)());
};

// Prints place and text and ends the program with code 1.
[[noreturn]] void fail(const char* file, int line, const std::string& text);

inline std::string show(const std::string& value) { return "\"" + value + "\""; }
inline std::string show(const char* value) { return show(std::string(value)); }
inline std::string show(bool value) { return value ? "true" : "false"; }
inline std::string show(double value) { return std::to_string(value); }
template <typename T>
std::string show(T value) {
  return std::to_string(value);
}

template <typename Actual, typename Expected>
void check_equal(const char* file, int line, const char* text, const Actual& actual, const Expected& expected) {
  if (!(actual == expected)) fail(file, line, std::string(text) + " is " + show(actual) + ", not " + show(expected));
}

// A generator of numbers that differ, but are the same in every run.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}

  // From 0 to below `limit`.
  uint32_t below(uint32_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<uint32_t>(state_ >> 33) % limit;
  }

 private:
  uint64_t state_;
};

// How far apart the moments are at which a test lets something fail: `usual` in the suite, several times as much under
// a sanitizer, which makes everything slow, and 1 when the program was asked to be thorough (scripts/test-core.mjs
// --every).
long stride(long usual);

}  // namespace test

#define TEST_JOIN_(a, b) a##b
#define TEST_JOIN(a, b) TEST_JOIN_(a, b)
#define TEST(sentence)                                                                                              \
  static void TEST_JOIN(test_at_line_, __LINE__)();                                                                 \
  static const test::Registration TEST_JOIN(registration_, __LINE__)(sentence, TEST_JOIN(test_at_line_, __LINE__)); \
  static void TEST_JOIN(test_at_line_, __LINE__)()

#define CHECK(condition) ((condition) ? static_cast<void>(0) : test::fail(__FILE__, __LINE__, #condition))
#define CHECK_EQUAL(actual, expected) test::check_equal(__FILE__, __LINE__, #actual, actual, expected)

#endif  // SQLITE_TANDEM_TEST_CORE_HARNESS_H_
