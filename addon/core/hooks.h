// The events trace, profile and change: SQLite's hooks, copied into the results of the request that caused them.
#ifndef SQLITE_TANDEM_CORE_HOOKS_H_
#define SQLITE_TANDEM_CORE_HOOKS_H_

#include "answers.h"
#include "sqlite.h"

namespace tandem {

// All members: SQLite thread. An event for which there is no memory is dropped; the request itself is not harmed.
class Hooks {
 public:
  explicit Hooks(Answers& answers) : answers_(answers) {}

  // Switches kOptionTrace, kOptionProfile or kOptionChange.
  void set(sqlite3* database, Option option, bool on);

  // Puts the hooks that are on into the connection, and takes them out.
  void attach(sqlite3* database);
  void detach(sqlite3* database);

  // No events while this lives: for statements that are ours and not the user's.
  class Pause {
   public:
    explicit Pause(Hooks& hooks) : hooks_(hooks) { hooks_.paused_ = true; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause() { hooks_.paused_ = false; }

   private:
    Hooks& hooks_;
  };

 private:
  static int on_trace(unsigned kind, void* self, void* statement, void* detail);
  static void on_change(void* self, int operation, const char* database, const char* table, sqlite3_int64 row_id);

  void trace(sqlite3_stmt* statement, const char* text);
  void publish_text(ResultKind kind, const char* text, double milliseconds);
  void change(int operation, const char* database, const char* table, int64_t row_id);

  Answers& answers_;
  Bytes record_;
  bool trace_ = false;
  bool profile_ = false;
  bool change_ = false;
  bool paused_ = false;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_HOOKS_H_
