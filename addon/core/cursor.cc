// Requests for many rows: all and each take all of them, fetch takes some and parks the cursor in between.
#include <cstdint>

#include "connection.h"

namespace tandem {

namespace {
// Rows are sent off when so many bytes have come together: decoding them then overlaps with stepping the next ones.
constexpr size_t kRowsBytes = size_t{64} << 10;
}  // namespace

// Takes rows, from the one on which a step with `code` left the statement, in records of about kRowsBytes; the last
// rows stay in the writer. SQLITE_ROW when one of the limits is reached, else SQLite's code for the end.
int Connection::collect(Statement& statement, int code, uint64_t most_rows, uint64_t most_bytes) {
  uint64_t sent = 0;
  while (code == SQLITE_ROW) {
    const int added = add_row(statement);
    if (added != SQLITE_OK) {
      writer_.clear();
      return added;
    }
    statement.walked = true;
    if (--most_rows == 0 || sent + writer_.size() >= most_bytes) return SQLITE_ROW;
    if (writer_.size() >= kRowsBytes) {
      sent += writer_.size();
      if (!writer_.publish(answers_.results(), answers_.sequence(), statement.shape.id, 0)) return SQLITE_NOMEM;
      // Rows that are large and cheap to make would pass many marks before the progress handler is asked. But what
      // writes has made its changes: only SQLite itself can end it so that they are taken back.
      if (control_.should_abort() && sqlite3_stmt_readonly(statement.handle) != 0) return SQLITE_INTERRUPT;
    }
    code = sqlite3_step(statement.handle);
  }
  return code;
}

// Answers with the rows that are left in the writer. A statement that has come to its end, or failed, is reset.
void Connection::answer_rows(Statement& statement, int code) {
  const bool parked = code == SQLITE_ROW;
  const bool failed = !parked && code != SQLITE_DONE;
  // The error first, before another call on the connection replaces it.
  KeptFailure failure;
  if (failed) failure.keep(last_failure(code));
  if (!parked) rewind(statement);
  const bool rest = writer_.rows() != 0;
  const int last = answers_.final_flags() | (parked ? kResultParked : 0);
  const uint8_t flags = failed ? 0 : static_cast<uint8_t>(last);
  if (rest && !writer_.publish(answers_.results(), answers_.sequence(), statement.shape.id, flags)) {
    rewind(statement);
    return answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
  }
  if (failed) return answer_failure(statement, failure);
  if (rest) {
    answers_.answered();
  } else {
    answers_.done();
  }
}

void Connection::rows(Statement& statement, Request& request) {
  bool bound = false;
  if (!bind(statement, request, &bound)) return;
  rewind(statement);
  const int code = collect(statement, step_first(statement.handle), UINT64_MAX, UINT64_MAX);
  answer_rows(statement, code);
  // A get() behind it finds no row, as behind its own last one.
  statement.finished = code == SQLITE_DONE;
}

void Connection::fetch(Statement& statement, Request& request) {
  bool bound = false;
  if (!bind(statement, request, &bound)) return;
  uint64_t most_rows = request.body.read<uint32_t>();
  uint64_t most_bytes = request.body.read<uint32_t>();
  if (!request.body.ok()) {
    rewind(statement);
    return answers_.error({SQLITE_INTERNAL, -1, "damaged request"});
  }
  if (statement.ahead_failed.code != SQLITE_OK) {
    answers_.error(statement.ahead_failed.failure());
    return rewind(statement);
  }
  if (statement.finished) rewind(statement);
  // What writes has made all its changes with the first row, but they are committed at its end: parked, it would keep
  // everybody else from writing.
  if (sqlite3_stmt_readonly(statement.handle) == 0) most_rows = most_bytes = UINT64_MAX;
  if (most_rows == 0) most_rows = 1;
  answer_rows(statement, collect(statement, step_cursor(statement), most_rows, most_bytes));
}

}  // namespace tandem
