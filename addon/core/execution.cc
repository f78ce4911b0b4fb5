// Requests to prepared statements: prepare, bind, run, get, reset, finalize.
#include "connection.h"

#include "handle.h"
#include "parameters.h"
#include "script.h"

namespace tandem {

namespace {
// Looking ahead is given up after so many calls of the progress handler: about a millisecond.
constexpr int kPatience = 80;

// Whether a request to a statement steps it.
bool executes(Operation operation) {
  return operation != kOperationBind && operation != kOperationReset && operation != kOperationDescribe &&
         operation != kOperationExpandedSql;
}
}  // namespace

// --- preparing ------------------------------------------------------------------------------------------------------

// Whether another connection of this process holds a lock of the shared cache, and `tries` waits were not too many.
// SQLite does not call the busy handler for such a lock, so the wait is done here.
bool Connection::wait_for_shared_cache(int code, int tries) {
  return (code & 0xFF) == SQLITE_LOCKED && sqlite3_extended_errcode(database_) == SQLITE_LOCKED_SHAREDCACHE &&
         busy_.wait(tries);
}

int Connection::prepare_text(const char* sql, int size, unsigned flags, sqlite3_stmt** handle, const char** tail) {
  int code = sqlite3_prepare_v3(database_, sql, size, flags, handle, tail);
  for (int tries = 0; code != SQLITE_OK && wait_for_shared_cache(code, tries); ++tries) {
    code = sqlite3_prepare_v3(database_, sql, size, flags, handle, tail);
  }
  return code;
}

void Connection::prepare(Request& request) {
  const RequestText sql = read_text(request);
  if (sql.bytes == nullptr) return answers_.error({SQLITE_INTERNAL, -1, "damaged request"});
  Statement* statement = statements_.add(request.statement);
  if (statement == nullptr) return answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
  prepare_statement(*statement, request, sql);
  if (statement->failed.code == SQLITE_OK) {
    answers_.done();
  } else {
    answers_.error(statement->failed.failure(), kResultPrepareFailed);
  }
}

// Takes the statement from the cache, or prepares it; what goes wrong is kept in it.
void Connection::prepare_statement(Statement& statement, const Request& request, const RequestText& sql) {
  if (state_ == State::kFailed) return statement.failed.keep(open_failed_.failure());
  if (state_ != State::kOpen) return statement.failed.keep({SQLITE_MISUSE, -1, "Database handle is closed"});
  if (sql.has_nul) return statement.failed.keep({SQLITE_MISUSE, -1, "SQL text contains a NUL character"});
  if (backups_.restoring()) return statement.failed.keep(kBeingRestored);
  if (request.one_shot()) {
    statement.handle = cache_.take(sql.bytes, sql.length - 1, &statement.shape, &statement.text);
  }
  if (statement.handle == nullptr) prepare_new(statement, request, sql);
}

// Gives a statement to the cache if that is where it belongs; the others keep their handle.
void Connection::give_back(Statement& statement) {
  if (statement.failed.code != SQLITE_OK || statement.text.hash == 0) return;
  cache_.put(statement.handle, statement.shape, statement.text);
  statement.handle = nullptr;
}

// A request that brings its SQL text. Each way to answer it has reset the statement before: nobody who has the answer
// may meet its locks.
void Connection::once(Request& request) {
  const RequestText sql = read_text(request);
  if (sql.bytes == nullptr) return answers_.error({SQLITE_INTERNAL, -1, "damaged request"});
  Statement statement;
  prepare_statement(statement, request, sql);
  if (statement.failed.code == SQLITE_OK) {
    execute_on(statement, request);
  } else {
    answers_.error(statement.failed.failure(), kResultPrepareFailed);
  }
  give_back(statement);
  sqlite3_finalize(statement.handle);
}

void Connection::prepare_new(Statement& statement, const Request& request, const RequestText& sql) {
  // SQLite executes this pragma when it is prepared, and once more when a changed schema has it prepared again.
  statement.sets_busy_timeout = is_busy_timeout_pragma(sql.bytes);
  if (statement.sets_busy_timeout) {
    statement.text = {};
    busy_.before_pragma(database_);
  }
  // A statement that stays takes its memory elsewhere than from the small stock of the connection.
  const bool stays = !request.one_shot() || statement.text.hash != 0;
  const unsigned flags = stays ? SQLITE_PREPARE_PERSISTENT : 0;
  const char* tail = nullptr;
  const int code = prepare_text(sql.bytes, static_cast<int>(sql.length), flags, &statement.handle, &tail);
  if (code != SQLITE_OK) {
    statement.failed.keep(last_failure(code));
  } else if (request.strict()) {
    statement.refuse_other_than_one(sql.bytes, tail);
  }
  if (statement.sets_busy_timeout) take_over_busy_timeout();
}

void Connection::finalize(Request& request) {
  Statement* statement = statements_.find(request.statement);
  const bool failed = statement != nullptr && statement->failed.code != SQLITE_OK;
  if (failed && !request.quiet()) {
    answers_.error(statement->failed.failure(), kResultPrepareFailed);
    return statements_.remove(request.statement);
  }
  // Before the answer: the end of a statement that has rows left is an event (profile) of this request.
  if (statement != nullptr) give_back(*statement);
  statements_.remove(request.statement);
  answers_.done();
}

void Connection::on_statement(Request& request) {
  Statement* statement = statements_.find(request.statement);
  if (statement == nullptr) {
    // Its preparation ran out of memory, or the connection was closed since.
    if (refuse_when_not_open()) return;
    return answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)}, kResultPrepareFailed);
  }
  if (statement->failed.code != SQLITE_OK) {
    return answers_.error(statement->failed.failure(), kResultPrepareFailed);
  }
  if (executes(request.operation) && refuse_while_restoring()) return;
  execute_on(*statement, request);
}

void Connection::execute_on(Statement& statement, Request& request) {
  if (executes(request.operation) && request.in_transaction()) {
    const char* sql = sqlite3_sql(statement.handle);
    if (sql != nullptr && ends_transaction(sql)) return refuse(kEndsTransaction);
  }
  if (statement.sets_busy_timeout) busy_.before_pragma(database_);
  running_ = statement.handle;
  switch (request.operation) {
    case kOperationBind:
      bind_only(statement, request);
      break;
    case kOperationRun:
      run(statement, request);
      break;
    case kOperationGet:
      get(statement, request);
      break;
    case kOperationReset:
      reset(statement);
      break;
    case kOperationFetch:
      fetch(statement, request);
      break;
    case kOperationDescribe:
      describe(statement);
      break;
    case kOperationExpandedSql:
      expand_sql(statement, request);
      break;
    default:
      rows(statement, request);
      break;
  }
  running_ = nullptr;
  if (statement.sets_busy_timeout) take_over_busy_timeout();
}

// --- binding and stepping -------------------------------------------------------------------------------------------

void Connection::rewind(Statement& statement) {
  sqlite3_reset(statement.handle);
  statement.finished = false;
  statement.ahead = false;
  statement.ahead_failed.code = SQLITE_OK;
  statement.walked = false;
}

// *bound says whether the request had parameters. False when it has been answered with an error.
bool Connection::bind(Statement& statement, Request& request, bool* bound) {
  const uint32_t count = request.body.read<uint32_t>();
  *bound = request.body.read<uint32_t>() != 0;
  if (!*bound) return true;
  rewind(statement);
  // SQL without a statement in it has no handle; binding then reports misuse.
  if (statement.handle != nullptr) sqlite3_clear_bindings(statement.handle);
  const char* why = nullptr;
  const int code = bind_parameters(statement.handle, request.body, count, &why);
  if (code == SQLITE_OK) return true;
  if (why != nullptr) {
    answers_.error({code, -1, why});
  } else if ((code & 0xFF) == SQLITE_RANGE) {
    answers_.error({code, -1, sqlite3_errstr(code)});
  } else {
    fail(code);
  }
  return false;
}

// The first step of an execution: the one that meets the locks of others.
int Connection::step_first(sqlite3_stmt* handle) {
  int code = sqlite3_step(handle);
  for (int tries = 0; code != SQLITE_ROW && code != SQLITE_DONE && wait_for_shared_cache(code, tries); ++tries) {
    sqlite3_reset(handle);
    code = sqlite3_step(handle);
  }
  return code;
}

void Connection::bind_only(Statement& statement, Request& request) {
  bool bound = false;
  if (bind(statement, request, &bound)) answers_.done();
}

// The error is read first, for the reset replaces it, and told last: nobody who has it may still meet a lock of this
// statement, and the events of its end (profile) belong before the answer.
void Connection::fail_and_reset(Statement& statement, int code) {
  KeptFailure failed;
  failed.keep(last_failure(code));
  rewind(statement);
  answer_failure(statement, failed);
}

// SQLite prepares a kept statement anew when the schema has changed. Where that fails, the call gets what it would get
// without the cache: its statement could not be prepared.
void Connection::answer_failure(Statement& statement, const KeptFailure& failed) {
  if (statement.text.kept && (failed.code & 0xFF) == SQLITE_ERROR) {
    StatementHandle again;
    const int code = prepare_text(sqlite3_sql(statement.handle), -1, 0, again.out(), nullptr);
    if (code != SQLITE_OK) {
      statement.failed.keep(last_failure(code));
      return answers_.error(statement.failed.failure(), kResultPrepareFailed);
    }
  }
  answers_.error(failed.failure());
}

void Connection::run(Statement& statement, Request& request) {
  bool bound = false;
  if (!bind(statement, request, &bound)) return;
  rewind(statement);
  int code = step_first(statement.handle);
  while (code == SQLITE_ROW) code = sqlite3_step(statement.handle);
  if (code != SQLITE_DONE) return fail_and_reset(statement, code);
  const int64_t changes = sqlite3_changes64(database_);
  const int64_t last_id = sqlite3_last_insert_rowid(database_);
  // Before the answer: nobody who has it may still meet a lock of this statement.
  sqlite3_reset(statement.handle);
  statement.finished = true;
  answers_.done(changes, last_id);
}

int Connection::add_row(Statement& statement) {
  const int code = shapes_.update(statement.handle, &statement.shape, answers_.results(), answers_.sequence());
  return code != SQLITE_OK ? code : writer_.append(statement.handle, statement.shape.columns);
}

// The row that is next to be delivered.
int Connection::step_cursor(Statement& statement) {
  const int code = statement.ahead ? SQLITE_ROW : step_first(statement.handle);
  statement.ahead = false;
  return code;
}

void Connection::get(Statement& statement, Request& request) {
  bool bound = false;
  if (!bind(statement, request, &bound)) return;
  if (request.one_shot()) rewind(statement);
  if (statement.ahead_failed.code != SQLITE_OK) {
    answers_.error(statement.ahead_failed.failure());
    rewind(statement);
    return;
  }
  if (statement.finished) return answers_.done();
  const int code = step_cursor(statement);
  if (code == SQLITE_ROW) return deliver_row(statement, request);
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement.handle);
    statement.finished = true;
    return answers_.done();
  }
  fail_and_reset(statement, code);
}

void Connection::deliver_row(Statement& statement, const Request& request) {
  const int code = add_row(statement);
  if (code != SQLITE_OK) {
    writer_.clear();
    rewind(statement);
    return answers_.error({code, -1, sqlite3_errstr(code)});
  }
  if (sqlite3_stmt_readonly(statement.handle) == 0) {
    if (!finish_writing(statement)) return;
  } else if (request.one_shot()) {
    rewind(statement);
  } else if (statement.looks_ahead && !statement.walked && !look_ahead(statement)) {
    return;
  }
  statement.walked = true;
  if (writer_.publish(answers_.results(), answers_.sequence(), statement.shape.id, answers_.final_flags())) {
    answers_.answered();
  } else {
    answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
  }
}

// A statement that writes and returns rows (RETURNING) has made all its changes with the first row, but whether they
// are committed shows at its end: only then may the row be reported. False when it has been answered with an error.
bool Connection::finish_writing(Statement& statement) {
  int code = SQLITE_ROW;
  while (code == SQLITE_ROW) code = sqlite3_step(statement.handle);
  if (code != SQLITE_DONE) {
    writer_.clear();
    fail_and_reset(statement, code);
    return false;
  }
  sqlite3_reset(statement.handle);
  statement.finished = true;
  return true;
}

// Behind its first row, a statement is stepped once more, so that one whose only row was delivered gives its locks
// back. A row found this way waits for the next get(), and so does an error. A search that takes long is given up, for
// the row must not wait for it, and not begun again for this statement. It is then executed again up to its first row,
// at once: its cursor must stand there, open, since who changes or removes each row that get() has passed must meet the
// next one and no other. For the same reason there is no search behind later rows. False when the request was cancelled
// and has been answered with that.
bool Connection::look_ahead(Statement& statement) {
  patience_ = kPatience;
  int code = sqlite3_step(statement.handle);
  const bool given_up = patience_ == 0;
  patience_ = 0;
  statement.ahead = code == SQLITE_ROW;
  if (given_up && (code & 0xFF) == SQLITE_INTERRUPT) {
    statement.looks_ahead = false;
    const Hooks::Pause pause(hooks_);
    sqlite3_reset(statement.handle);
    code = step_first(statement.handle);
  }
  if (code == SQLITE_ROW) return true;
  if ((code & 0xFF) == SQLITE_INTERRUPT) {
    writer_.clear();
    fail_and_reset(statement, code);
    return false;
  }
  if (code == SQLITE_DONE) {
    statement.finished = true;
  } else {
    statement.ahead_failed.keep(last_failure(code));
  }
  sqlite3_reset(statement.handle);
  return true;
}

void Connection::reset(Statement& statement) {
  rewind(statement);
  answers_.done();
}

}  // namespace tandem
