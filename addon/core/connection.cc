// Requests to the connection: open, close, exec, configure, extensions.
#include "connection.h"

#include <climits>

#include "handle.h"
#include "script.h"
#include "untrusted.h"

namespace tandem {

namespace {

// SQLite looks at the progress handler after this many of its instructions: often enough to cancel within microseconds,
// seldom enough not to be measurable.
constexpr int kProgressInstructions = 1000;

// The value of an option as an int; what has none there, such as a NaN, becomes the nearest or 0.
int to_int(double value) {
  if (!(value > INT_MIN)) return value <= INT_MIN ? INT_MIN : 0;
  return value < INT_MAX ? static_cast<int>(value) : INT_MAX;
}

// The same for a number of bytes.
size_t to_size(double value) {
  constexpr size_t kMost = size_t{1} << (sizeof(size_t) * 8 - 1);
  if (!(value > 0)) return 0;
  return value < static_cast<double>(kMost) ? static_cast<size_t>(value) : kMost;
}

IntegerMode integer_mode(double value) {
  const int number = to_int(value);
  if (number == kIntegersBigint) return kIntegersBigint;
  return number == kIntegersMixed ? kIntegersMixed : kIntegersNumber;
}

}  // namespace

Connection::Connection(Control& control, ResultQueue& results, Yielder& yielder, Stopwatch& stopwatch)
    : control_(control),
      yielder_(yielder),
      answers_(results),
      busy_(control, stopwatch),
      hooks_(answers_),
      backups_(answers_) {}

Failure Connection::last_failure(int code) const {
  if (database_ == nullptr) return {code, -1, sqlite3_errstr(code)};
  // A wait for a lock that was cancelled ends with the lock's code.
  if (((code & 0xFF) == SQLITE_BUSY || (code & 0xFF) == SQLITE_LOCKED) && control_.should_abort()) {
    return {SQLITE_INTERRUPT, -1, sqlite3_errstr(SQLITE_INTERRUPT)};
  }
  // SQLite keeps no text for misuse: it would show that of the last proper call. SQL without any statement ends here.
  if ((code & 0xFF) == SQLITE_MISUSE) return {code, -1, state_ == State::kOpen ? "not an error" : sqlite3_errstr(code)};
  const int extended = sqlite3_extended_errcode(database_);
  const bool matches = (extended & 0xFF) == (code & 0xFF);
  return {matches ? extended : code, sqlite3_error_offset(database_),
          matches ? sqlite3_errmsg(database_) : sqlite3_errstr(code)};
}

int Connection::on_progress(void* self) {
  Connection* connection = static_cast<Connection*>(self);
  // SQLite also asks behind the end of a statement. What it changed has been committed then, and an error would say the
  // contrary.
  if (connection->running_ != nullptr && sqlite3_stmt_busy(connection->running_) == 0) return 0;
  if (connection->control_.should_abort()) return 1;
  connection->yielder_.look();
  return connection->patience_ != 0 && --connection->patience_ == 0 ? 1 : 0;
}

void Connection::fail(int code) { answers_.error(last_failure(code)); }

void Connection::refuse(const char* message) { answers_.error({SQLITE_MISUSE, -1, message}); }

void Connection::set_handle(sqlite3* database) {
  std::lock_guard<std::mutex> lock(handle_mutex_);
  database_ = database;
}

void Connection::interrupt() {
  std::lock_guard<std::mutex> lock(handle_mutex_);
  if (database_ != nullptr) sqlite3_interrupt(database_);
}

bool Connection::refuse_when_not_open() {
  if (state_ == State::kOpen) return false;
  if (state_ == State::kFailed) {
    answers_.error(open_failed_.failure());
  } else {
    refuse("Database handle is closed");
  }
  return true;
}

bool Connection::refuse_while_restoring() {
  if (!backups_.restoring()) return false;
  answers_.error(kBeingRestored);
  return true;
}

void Connection::execute(Request request) {
  held_ = !eager_ && !request.quiet();
  answers_.begin(request.sequence, request.quiet(), held_ ? kResultHeld : 0);
  writer_.set_integers(request.integer_mode(integers_));
  if (!control_.begin(request.sequence)) {
    answer_cancelled(request);
  } else if (request.in_transaction() && database_ != nullptr && sqlite3_get_autocommit(database_) != 0) {
    answers_.error({SQLITE_ABORT_ROLLBACK, -1, "the transaction has been rolled back or committed already"});
  } else {
    dispatch(request);
  }
  control_.end();
}

void Connection::dispatch(Request& request) {
  switch (request.operation) {
    case kOperationOpen:
      return open(request);
    case kOperationPrepare:
      return prepare(request);
    case kOperationFinalize:
      return finalize(request);
    case kOperationRun:
    case kOperationGet:
    case kOperationAll:
    case kOperationEach:
      return request.with_text() ? once(request) : on_statement(request);
    case kOperationBind:
    case kOperationFetch:
    case kOperationDescribe:
    case kOperationExpandedSql:
    case kOperationReset:
      return on_statement(request);
    case kOperationBackupStep:
    case kOperationBackupFinish:
      return backups_.execute(database_, request);
    default:
      break;
  }
  if (refuse_when_not_open()) return;
  switch (request.operation) {
    case kOperationClose:
      return close();
    case kOperationExec:
      return exec(request);
    case kOperationWait:
      return answers_.done();
    case kOperationConfigure:
      return configure(request);
    case kOperationLoadExtension:
      return load_extension(request);
    case kOperationBackupInit:
      return backups_.execute(database_, request);
    default:
      return answers_.error({SQLITE_INTERNAL, -1, "unknown operation"});
  }
}

int Connection::open_handle(const RequestText& name, int mode) {
  if (name.bytes == nullptr || name.has_nul) return SQLITE_CANTOPEN;
  // Only this thread uses the connection, so SQLite need not lock it.
  const int flags = (mode & ~SQLITE_OPEN_FULLMUTEX) | SQLITE_OPEN_NOMUTEX;
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(name.bytes, &database, flags, nullptr);
  set_handle(database);
  return code;
}

void Connection::open(Request& request) {
  // A second handle would have no owner.
  if (state_ != State::kNew) return refuse("Database is already open");
  const int mode = request.body.read<int32_t>();
  const RequestText name = read_text(request);
  const int code = open_handle(name, mode);
  if (code != SQLITE_OK) {
    Failure failure =
        name.has_nul ? Failure{SQLITE_CANTOPEN, -1, "file name contains a NUL character"} : last_failure(code);
    failure.offset = -1;
    open_failed_.keep(failure);
    sqlite3* database = database_;
    set_handle(nullptr);
    sqlite3_close(database);
    state_ = State::kFailed;
    answers_.error(open_failed_.failure());
    return;
  }
  state_ = State::kOpen;
  busy_.install(database_);
  sqlite3_progress_handler(database_, kProgressInstructions, on_progress, this);
  answers_.done();
}

void Connection::close() {
  // SQLite refuses only for a backup that reads from the connection. One that writes into it would lose its handle.
  if (backups_.restoring()) {
    constexpr char kText[] = "unable to close due to unfinalized statements or unfinished backups";
    return answers_.error({SQLITE_BUSY, -1, kText});
  }
  hooks_.detach(database_);
  cache_.clear();
  // The handle leaves interrupt()'s sight first: interrupting a connection that is being closed is undefined.
  sqlite3* database = database_;
  set_handle(nullptr);
  const int code = sqlite3_close(database);
  if (code != SQLITE_OK) {
    set_handle(database);
    hooks_.attach(database_);
    fail(code);
    return;
  }
  state_ = State::kClosed;
  statements_.remove_all();
  answers_.done();
}

void Connection::shut_down() {
  statements_.remove_all();
  cache_.clear();
  backups_.remove_all();
  if (database_ != nullptr) hooks_.detach(database_);
  sqlite3* database = database_;
  set_handle(nullptr);
  // The interrupt that ended the thread stays until the next statement begins. It would end the checkpoint of the close
  // as well, and the WAL would be left behind.
  if (database != nullptr) sqlite3_exec(database, "select 1", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  state_ = State::kClosed;
}

// SQLite's code for the first statement of a script, which *tail then stands behind.
int Connection::run_first(const char* sql, const char** tail, KeptFailure* failed) {
  StatementHandle statement;
  int code = prepare_text(sql, -1, 0, statement.out(), tail);
  if (code == SQLITE_OK && statement.get() != nullptr) {
    running_ = statement.get();
    int stepped = step_first(statement.get());
    while (stepped == SQLITE_ROW) stepped = sqlite3_step(statement.get());
    running_ = nullptr;
    if (stepped != SQLITE_DONE) code = stepped;
  }
  // Before the statement goes, and the error with it.
  if (code != SQLITE_OK) failed->keep(last_failure(code));
  return code;
}

// Stops at the first statement that fails. Everything is finalized on return, so the events of all ends are out.
void Connection::run_script(const char* script, bool in_transaction, KeptFailure* failed) {
  const char* sql = script;
  while (*sql != '\0') {
    // Short statements never reach the progress handler, and a new one forgets an interrupt of the last.
    if (control_.should_abort()) return failed->keep({SQLITE_INTERRUPT, -1, sqlite3_errstr(SQLITE_INTERRUPT)});
    if (in_transaction && ends_transaction(sql)) return failed->keep({SQLITE_MISUSE, -1, kEndsTransaction});
    const bool pragma = is_busy_timeout_pragma(sql);
    if (pragma) busy_.before_pragma(database_);
    const char* tail = nullptr;
    const int code = run_first(sql, &tail, failed);
    if (pragma) take_over_busy_timeout();
    if (code != SQLITE_OK) {
      if (failed->offset >= 0) failed->offset += static_cast<int>(sql - script);
      return;
    }
    // As sqlite3_exec() does: listeners get a statement without the blanks before it.
    sql = tail + std::strspn(tail, " \t\n\v\f\r");
  }
}

void Connection::exec(Request& request) {
  const RequestText sql = read_text(request);
  if (sql.bytes == nullptr) return answers_.error({SQLITE_INTERNAL, -1, "damaged request"});
  if (sql.has_nul) return refuse("SQL text contains a NUL character");
  if (refuse_while_restoring()) return;
  KeptFailure failed;
  run_script(sql.bytes, request.in_transaction(), &failed);
  if (failed.code == SQLITE_OK) {
    answers_.done();
  } else {
    answers_.error(failed.failure());
  }
}

void Connection::take_over_busy_timeout() {
  Hooks::Pause pause(hooks_);
  busy_.after_pragma(database_);
}

void Connection::configure(Request& request) {
  const uint32_t option = request.body.read<uint32_t>();
  const int32_t id = request.body.read<int32_t>();
  const double value = request.body.read<double>();
  if (!request.body.ok()) return answers_.error({SQLITE_INTERNAL, -1, "damaged request"});
  switch (option) {
    case kOptionBusyTimeout:
      busy_.set_timeout(to_int(value));
      break;
    case kOptionLimit:
      // A new limit may forbid what is kept.
      cache_.clear();
      sqlite3_limit(database_, id, to_int(value));
      break;
    case kOptionEager:
      eager_ = value != 0;
      break;
    case kOptionIntegers:
      integers_ = integer_mode(value);
      break;
    case kOptionHighWaterMark:
      answers_.results().set_high_water_mark(to_size(value));
      break;
    case kOptionStatementCacheSize:
      cache_.resize(static_cast<uint32_t>(to_int(value)));
      break;
    case kOptionTrace:
    case kOptionProfile:
    case kOptionChange:
      hooks_.set(database_, static_cast<Option>(option), value != 0);
      break;
    case kOptionUntrusted: {
      // What is kept was prepared in trust.
      cache_.clear();
      const int code = distrust_file();
      if (code != SQLITE_OK) return fail(code);
      break;
    }
    default:
      return answers_.error({SQLITE_INTERNAL, -1, "unknown option"});
  }
  answers_.done();
}

int Connection::distrust_file() {
  Hooks::Pause pause(hooks_);
  untrusted_ = true;
  return distrust(database_);
}

void Connection::load_extension(Request& request) {
  const RequestText path = read_text(request);
  if (path.bytes == nullptr) return answers_.error({SQLITE_INTERNAL, -1, "damaged request"});
  if (path.has_nul) return refuse("extension path contains a NUL character");
  if (refuse_while_restoring()) return;
  if (untrusted_) return answers_.error({SQLITE_AUTH, -1, "extensions cannot be loaded beside an untrusted file"});
  // Enabled for this call only, and only in C: the SQL function load_extension() stays forbidden.
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
  char* message = nullptr;
  const int code = sqlite3_load_extension(database_, path.bytes, nullptr, &message);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  if (code == SQLITE_OK) {
    answers_.done();
  } else {
    answers_.error({code, -1, message != nullptr ? message : sqlite3_errstr(code)});
  }
  sqlite3_free(message);
}

}  // namespace tandem
