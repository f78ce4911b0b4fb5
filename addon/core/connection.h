// One SQLite connection: executes requests, one after the other, and answers each of them once.
#ifndef SQLITE_TANDEM_CORE_CONNECTION_H_
#define SQLITE_TANDEM_CORE_CONNECTION_H_

#include <mutex>

#include "answers.h"
#include "backup.h"
#include "busy.h"
#include "control.h"
#include "hooks.h"
#include "request.h"
#include "rows.h"
#include "shapes.h"
#include "statement.h"
#include "yielder.h"

namespace tandem {

// All members on the SQLite thread, except interrupt().
class Connection {
 public:
  Connection(Control& control, ResultQueue& results, Yielder& yielder, Stopwatch& stopwatch);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { shut_down(); }

  void execute(Request request);

  // Answers what is still owed when the queue has run empty.
  void settle() { answers_.settle(); }

  // Whether the last answer was sent with the flag "held": the thread then waits for JavaScript.
  bool held() const { return held_; }

  // Finalizes everything and closes the connection without answering anybody: the end of the thread.
  void shut_down();

  // Any thread may ask it for its counts.
  const StatementCache& cache() const { return cache_; }

  // Any thread. Ends what SQLite does now, also between two looks of the progress handler.
  void interrupt();

 private:
  enum class State { kNew, kOpen, kFailed, kClosed };

  // connection.cc: requests to the connection
  void dispatch(Request& request);
  void open(Request& request);
  int open_handle(const RequestText& name, int mode);
  void close();
  void exec(Request& request);
  int run_first(const char* sql, const char** tail, KeptFailure* failed);
  void run_script(const char* script, bool in_transaction, KeptFailure* failed);
  void take_over_busy_timeout();
  void configure(Request& request);
  int distrust_file();
  void load_extension(Request& request);
  bool refuse_when_not_open();
  bool refuse_while_restoring();
  void set_handle(sqlite3* database);

  // cancelled.cc
  void answer_cancelled(Request& request);

  // execution.cc: requests to statements
  void prepare(Request& request);
  void prepare_statement(Statement& statement, const Request& request, const RequestText& sql);
  void give_back(Statement& statement);
  void once(Request& request);
  bool wait_for_shared_cache(int code, int tries);
  void prepare_new(Statement& statement, const Request& request, const RequestText& sql);
  int prepare_text(const char* sql, int size, unsigned flags, sqlite3_stmt** handle, const char** tail);
  void on_statement(Request& request);
  void execute_on(Statement& statement, Request& request);
  bool bind(Statement& statement, Request& request, bool* bound);
  void bind_only(Statement& statement, Request& request);
  void run(Statement& statement, Request& request);
  void get(Statement& statement, Request& request);
  int step_cursor(Statement& statement);
  void deliver_row(Statement& statement, const Request& request);
  bool look_ahead(Statement& statement);
  bool finish_writing(Statement& statement);
  void reset(Statement& statement);
  void finalize(Request& request);
  void rewind(Statement& statement);
  int step_first(sqlite3_stmt* handle);
  int add_row(Statement& statement);

  // cursor.cc: requests for many rows
  void rows(Statement& statement, Request& request);
  void fetch(Statement& statement, Request& request);
  int collect(Statement& statement, int code, uint64_t most_rows, uint64_t most_bytes);
  void answer_rows(Statement& statement, int code);

  // description.cc
  void describe(const Statement& statement);
  void expand_sql(Statement& statement, Request& request);

  static constexpr char kEndsTransaction[] =
      "COMMIT, END and ROLLBACK would end the transaction behind the back of transaction(): return from its function "
      "to "
      "commit, or throw to roll back";
  static constexpr Failure kBeingRestored = {SQLITE_LOCKED, -1, "a backup is being restored into this connection"};

  Failure last_failure(int code) const;
  static int on_progress(void* self);
  void fail(int code);
  void fail_and_reset(Statement& statement, int code);
  void answer_failure(Statement& statement, const KeptFailure& failed);
  void refuse(const char* message);

  Control& control_;
  Yielder& yielder_;
  Answers answers_;
  BusyWait busy_;
  Hooks hooks_;
  Backups backups_;
  RowWriter writer_;
  Shapes shapes_;
  Statements statements_;
  StatementCache cache_;
  State state_ = State::kNew;
  KeptFailure open_failed_;
  IntegerMode integers_ = kIntegersNumber;
  bool eager_ = true;
  bool untrusted_ = false;
  bool held_ = false;
  // How often the progress handler may still be called until looking ahead is given up; 0 while nobody looks ahead.
  int patience_ = 0;
  // The statement that is stepped by the present request, for the progress handler.
  sqlite3_stmt* running_ = nullptr;
  // Guards the handle against interrupt() from another thread while it is being closed.
  std::mutex handle_mutex_;
  sqlite3* database_ = nullptr;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_CONNECTION_H_
