// Threads that serve one database after another, and end when there is none for a while.
#include "core/threads.h"

#include <array>
#include <future>
#include <thread>

#include "harness.h"

using namespace tandem;
using namespace test;

namespace {

const Rest kNever{std::chrono::hours{24}};
const Rest kAtOnce{std::chrono::milliseconds{0}};

// A body that says which thread ran it, and when that thread has ended.
struct Work {
  std::promise<std::thread::id> ran;
  std::promise<void> thread_ended;

  static void body(void* self) {
    Work* work = static_cast<Work*>(self);
    work->thread_ended.set_value_at_thread_exit();
    work->ran.set_value(std::this_thread::get_id());
  }
};

}  // namespace

TEST("a body gets the thread that the one before has left") {
  Threads threads(kNever);
  Work first;
  Work second;
  threads.give_back(threads.run(Work::body, &first));
  threads.give_back(threads.run(Work::body, &second));
  CHECK(first.ran.get_future().get() == second.ran.get_future().get());
  threads.end();
}

TEST("bodies that run at the same time have threads of their own, of which a few are kept") {
  constexpr size_t kMany = 9;
  Threads threads(kNever);
  std::array<Work, kMany> works;
  std::array<ReusableThread*, kMany> running{};
  for (size_t i = 0; i < kMany; ++i) running[i] = threads.run(Work::body, &works[i]);
  for (ReusableThread* thread : running) threads.give_back(thread);
  int ended = 0;
  for (Work& work : works) {
    // Whoever is not kept has been waited for by now, so that this does not depend on time.
    if (work.thread_ended.get_future().wait_for(std::chrono::seconds(0)) == std::future_status::ready) ++ended;
  }
  CHECK_EQUAL(ended, 5);
  threads.end();
}

TEST("a thread without work ends by itself, and the next body gets another") {
  Threads threads(kAtOnce);
  Work first;
  threads.give_back(threads.run(Work::body, &first));
  first.thread_ended.get_future().wait();
  Work second;
  threads.give_back(threads.run(Work::body, &second));
  second.ran.get_future().wait();
  second.thread_ended.get_future().wait();
  threads.end();
}

TEST("a body that comes while its thread is about to end runs all the same") {
  Threads threads(kAtOnce);
  for (int i = 0; i < 300; ++i) {
    int runs = 0;
    threads.give_back(threads.run([](void* count) { ++*static_cast<int*>(count); }, &runs));
    CHECK_EQUAL(runs, 1);
  }
  threads.end();
}

TEST("a thread without work tells its owner once, and runs what comes after that") {
  struct Owner {
    std::promise<void> told;
    static void on_rest(void* self) { static_cast<Owner*>(self)->told.set_value(); }
  };
  Owner owner;
  Threads threads({kNever.idle, Owner::on_rest, &owner});
  Work first;
  Work second;
  threads.give_back(threads.run(Work::body, &first));
  // A promise is kept once: were it told again, the program would end here.
  owner.told.get_future().wait();
  owner.told = {};
  threads.give_back(threads.run(Work::body, &second));
  owner.told.get_future().wait();
  CHECK(first.ran.get_future().get() == second.ran.get_future().get());
  threads.end();
}
