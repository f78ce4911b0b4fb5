// Backup objects: init, step and finish.
#include "backup.h"

namespace tandem {

namespace {

// A text of the request, which ends with a NUL; null for a damaged request.
const char* read_text(Request& request) {
  const uint32_t length = request.body.read<uint32_t>();
  request.body.read<uint32_t>();
  const uint8_t* text = request.body.bytes(length);
  return text == nullptr || length == 0 ? nullptr : reinterpret_cast<const char*>(text);
}

}  // namespace

Backups::Backup* Backups::find(uint32_t id) const {
  Backup* backup = first_;
  while (backup != nullptr && backup->id != id) backup = backup->next;
  return backup;
}

Backups::Backup* Backups::add(uint32_t id) {
  Backup* backup = make<Backup>();
  if (backup == nullptr) return nullptr;
  backup->id = id;
  backup->file = nullptr;
  backup->handle = nullptr;
  backup->completed = false;
  backup->failed = false;
  backup->remaining = -1;
  backup->page_count = -1;
  backup->next = first_;
  first_ = backup;
  return backup;
}

void Backups::close(Backup& backup) {
  sqlite3_backup_finish(backup.handle);
  backup.handle = nullptr;
  sqlite3_close(backup.file);
  backup.file = nullptr;
}

void Backups::remove(Backup* backup) {
  Backup** link = &first_;
  while (*link != backup) link = &(*link)->next;
  *link = backup->next;
  close(*backup);
  destroy(backup);
}

void Backups::remove_all() {
  while (first_ != nullptr) remove(first_);
}

void Backups::execute(sqlite3* database, Request& request) {
  if (request.operation == kOperationBackupInit) return init(database, request);
  Backup* backup = find(request.statement);
  if (backup == nullptr) {
    return answers_.error({SQLITE_MISUSE, -1, "Database handle is closed"});
  }
  if (request.operation == kOperationBackupFinish) return finish(*backup);
  step(*backup, request);
}

// SQLITE_OK, or the code of the failure, which is then kept in the backup.
int Backups::open(sqlite3* database, Request& request, Backup& backup) {
  const bool file_is_destination = request.body.read<uint32_t>() != 0;
  request.body.read<uint32_t>();
  const char* file_name = read_text(request);
  const char* source_name = read_text(request);
  const char* destination_name = read_text(request);
  if (file_name == nullptr || source_name == nullptr || destination_name == nullptr) {
    backup.init_failed.keep({SQLITE_INTERNAL, -1, "damaged request"});
    return SQLITE_INTERNAL;
  }
  const int code = sqlite3_open(file_name, &backup.file);
  if (code != SQLITE_OK) {
    const char* message = backup.file != nullptr ? sqlite3_errmsg(backup.file) : sqlite3_errstr(code);
    backup.init_failed.keep({code, -1, message});
    return code;
  }
  sqlite3* destination = file_is_destination ? backup.file : database;
  sqlite3* source = file_is_destination ? database : backup.file;
  // A wrong database name shows as a failed step, not here: that is how programs know it.
  backup.handle = sqlite3_backup_init(destination, destination_name, source, source_name);
  return SQLITE_OK;
}

void Backups::init(sqlite3* database, Request& request) {
  Backup* backup = add(request.statement);
  if (backup == nullptr) return answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
  if (open(database, request, *backup) != SQLITE_OK) {
    close(*backup);
    backup->failed = true;
    return answers_.error(backup->init_failed.failure());
  }
  answer(*backup, false);
}

void Backups::step(Backup& backup, Request& request) {
  const int pages = request.body.read<int32_t>();
  const uint32_t retry_count = request.body.read<uint32_t>();
  if (backup.init_failed.code != SQLITE_OK) return answers_.error(backup.init_failed.failure());
  if (backup.completed) return answer(backup, true);
  if (backup.handle == nullptr) {
    // Finished before its end, or never begun for want of such a database.
    backup.failed = true;
    return answer(backup, false);
  }
  const int code = sqlite3_backup_step(backup.handle, pages);
  backup.remaining = sqlite3_backup_remaining(backup.handle);
  backup.page_count = sqlite3_backup_pagecount(backup.handle);
  bool retry = false;
  for (uint32_t i = 0; i < retry_count; ++i) retry = request.body.read<int32_t>() == (code & 0xFF) || retry;
  if (code == SQLITE_DONE) backup.completed = true;
  if (code != SQLITE_OK && code != SQLITE_DONE && !retry) backup.failed = true;
  // Programs that keep no retry codes finish for themselves; for the others it ends here.
  if (retry_count != 0 && (backup.completed || backup.failed)) close(backup);
  if (code == SQLITE_OK || code == SQLITE_DONE) return answer(backup, code == SQLITE_DONE);
  answers_.error({code, -1, sqlite3_errstr(code)});
}

void Backups::finish(Backup& backup) {
  if (!backup.completed) backup.failed = true;
  if (backup.init_failed.code != SQLITE_OK) {
    answers_.error(backup.init_failed.failure());
  } else {
    close(backup);
    answer(backup, backup.completed);
  }
  remove(&backup);
}

void Backups::answer(const Backup& backup, bool done) {
  uint8_t record[kBackupLength] = {};
  write_at<uint32_t>(record, kRecordLengthAt, kBackupLength);
  write_at<uint8_t>(record, kRecordKindAt, kResultBackup);
  write_at<uint8_t>(record, kRecordFlagsAt, answers_.final_flags());
  write_at<uint32_t>(record, kRecordSequenceAt, answers_.sequence());
  write_at<uint32_t>(record, kBackupDoneAt, done ? 1 : 0);
  write_at<int32_t>(record, kBackupRemainingAt, backup.remaining);
  write_at<int32_t>(record, kBackupPageCountAt, backup.page_count);
  write_at<uint32_t>(record, kBackupFailedAt, backup.failed ? 1 : 0);
  answers_.answered();
  if (!answers_.results().publish(record, sizeof(record))) answers_.results().publish_reserved(record, sizeof(record));
}

}  // namespace tandem
