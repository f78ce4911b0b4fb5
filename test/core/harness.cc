// Runs the registered tests: all of them, or those whose names contain one of the arguments; --list names them.
#include "harness.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <unistd.h>

namespace test {

namespace {

struct Test {
  const char* name;
  void (*body)();
};

// In a function, since the registrations of other files run before the constructors of this one.
std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

const char* running = "no test";

// Whether no moment of failure may be left out.
bool thorough() { return std::getenv("SQLITE_TANDEM_EVERY_FAULT") != nullptr; }

// How many times slower than alone the program runs in a tool that interprets it: scripts/test-core.mjs --valgrind.
long slowness() {
  const char* given = std::getenv("SQLITE_TANDEM_SLOWNESS");
  const long factor = given == nullptr ? 1 : std::strtol(given, nullptr, 10);
  return factor > 1 ? factor : 1;
}

// A test that takes longer hangs; slow machines and sanitizers are allowed for.
unsigned seconds_for_each() { return (thorough() ? 3600U : 240U) * static_cast<unsigned>(slowness()); }

void on_alarm(int) {
  constexpr char kText[] = "hangs: ";
  static_cast<void>(!write(STDERR_FILENO, kText, sizeof(kText) - 1));
  static_cast<void>(!write(STDERR_FILENO, running, std::strlen(running)));
  static_cast<void>(!write(STDERR_FILENO, "\n", 1));
  // With a core for those who collect them.
  std::abort();
}

bool wanted(const char* name, int count, char** filters) {
  if (count == 0) return true;
  for (int i = 0; i < count; ++i) {
    if (std::strstr(name, filters[i]) != nullptr) return true;
  }
  return false;
}

}  // namespace

Registration::Registration(const char* name, void (*body)()) { tests().push_back({name, body}); }

long stride(long usual) {
  if (thorough()) return 1;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return usual * 5 * slowness();
#else
  return usual * slowness();
#endif
}

void fail(const char* file, int line, const std::string& text) {
  std::fprintf(stderr, "not ok %s\n%s:%d: %s\n", running, file, line, text.c_str());
  std::fflush(nullptr);
  // Not exit(): destructors would wait for threads that may never end.
  std::_Exit(1);
}

}  // namespace test

int main(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::signal(SIGALRM, test::on_alarm);
  const bool list = count == 2 && std::strcmp(arguments[1], "--list") == 0;
  int run = 0;
  for (const test::Test& each : test::tests()) {
    if (list) {
      std::printf("%s\n", each.name);
    } else if (test::wanted(each.name, count - 1, arguments + 1)) {
      test::running = each.name;
      alarm(test::seconds_for_each());
      each.body();
      alarm(0);
      std::printf("ok %s\n", each.name);
      ++run;
    }
  }
  if (list || run > 0) return 0;
  std::fprintf(stderr, "no test has such a name\n");
  return 1;
}
