// Lets memory run out: the allocation with a given number fails, alone or with all that follow.
#ifndef SQLITE_TANDEM_TEST_CORE_EXHAUST_H_
#define SQLITE_TANDEM_TEST_CORE_EXHAUST_H_

namespace test {

enum class Whose { kNobodys, kOurs, kSqlites };

// From now on the allocation number `after` (from 1) of any thread fails, and all later ones if `persistently`.
void exhaust(Whose memory, long after, bool persistently);

// How many allocations have failed since then.
long failures();

// Ends it. Returns how many allocations have failed.
long plenty();

// While this lives, the thread that made it has memory, whatever the others have.
class Spared {
 public:
  Spared();
  Spared(const Spared&) = delete;
  Spared& operator=(const Spared&) = delete;
  ~Spared();
};

// Asked by each allocation.
bool exhausted(Whose memory);

}  // namespace test

#endif  // SQLITE_TANDEM_TEST_CORE_EXHAUST_H_
