// Backup objects: init, step and finish.
#include "backup.h"

namespace tandem {

namespace {

// A text of the request, which ends with a NUL.
struct Text {
  const char* bytes;  // null for a damaged request
  bool has_nul;       // within the text
};

Text read_text(Request& request) {
  const uint32_t length = request.body.read<uint32_t>();
  const char* text = reinterpret_cast<const char*>(request.body.bytes(length));
  if (text == nullptr || length == 0) return {nullptr, false};
  return {text, std::memchr(text, 0, length - 1) != nullptr};
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
  backup->restores = false;
  backup->code = SQLITE_OK;
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

bool Backups::restoring() const {
  for (const Backup* backup = first_; backup != nullptr; backup = backup->next) {
    if (backup->restores && backup->handle != nullptr) return true;
  }
  return false;
}

void Backups::execute(sqlite3* database, Request& request) {
  if (request.operation == kOperationBackupInit) return init(database, request);
  Backup* backup = find(request.statement);
  if (backup == nullptr) return answers_.error({SQLITE_MISUSE, -1, "Backup is already finished"});
  if (request.operation == kOperationBackupStep) return step(*backup, request);
  remove(backup);
  answers_.done();
}

// False when it has been answered with an error.
bool Backups::open(sqlite3* database, Request& request, Backup& backup) {
  backup.restores = request.body.read<uint32_t>() == 0;
  const Text file_name = read_text(request);
  const Text source_name = read_text(request);
  const Text destination_name = read_text(request);
  if (file_name.bytes == nullptr || source_name.bytes == nullptr || destination_name.bytes == nullptr) {
    answers_.error({SQLITE_INTERNAL, -1, "damaged request"});
    return false;
  }
  if (file_name.has_nul) {
    answers_.error({SQLITE_CANTOPEN, -1, "file name contains a NUL character"});
    return false;
  }
  if (source_name.has_nul || destination_name.has_nul) {
    answers_.error({SQLITE_MISUSE, -1, "database name contains a NUL character"});
    return false;
  }
  const int code = sqlite3_open(file_name.bytes, &backup.file);
  if (code != SQLITE_OK) {
    const bool explained = backup.file != nullptr;
    answers_.error({explained ? sqlite3_extended_errcode(backup.file) : code, -1,
                    explained ? sqlite3_errmsg(backup.file) : sqlite3_errstr(code)});
    return false;
  }
  sqlite3* destination = backup.restores ? database : backup.file;
  sqlite3* source = backup.restores ? backup.file : database;
  // A wrong database name shows as a failed step, not here: that is how programs know it.
  backup.handle = sqlite3_backup_init(destination, destination_name.bytes, source, source_name.bytes);
  return true;
}

void Backups::init(sqlite3* database, Request& request) {
  Backup* backup = add(request.statement);
  if (backup == nullptr) return answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
  if (open(database, request, *backup)) return answers_.done();
  remove(backup);
}

// One step of SQLite's. The codes that may be tried again are in the request.
void Backups::copy(Backup& backup, Request& request) {
  const int pages = request.body.read<int32_t>();
  const uint32_t retry_count = request.body.read<uint32_t>();
  backup.code = sqlite3_backup_step(backup.handle, pages);
  backup.remaining = sqlite3_backup_remaining(backup.handle);
  backup.page_count = sqlite3_backup_pagecount(backup.handle);
  // Programs that keep no such codes finish for themselves; for the others it ends here.
  bool ends = retry_count != 0 && backup.code != SQLITE_OK;
  for (uint32_t i = 0; ends && i < retry_count; ++i) {
    const int retry = request.body.read<int32_t>();
    ends = retry != backup.code && retry != (backup.code & 0xFF);
  }
  if (ends) close(backup);
}

void Backups::step(Backup& backup, Request& request) {
  if (backup.handle != nullptr) copy(backup, request);
  if (backup.code == SQLITE_DONE) {
    backup.completed = true;
  } else if (backup.handle == nullptr) {
    backup.failed = true;
  }
  const bool succeeded = backup.code == SQLITE_OK || backup.code == SQLITE_DONE;
  report(backup, succeeded);
  if (!succeeded) answers_.error({backup.code, -1, sqlite3_errstr(backup.code)});
}

// Where the backup stands; an error may follow.
void Backups::report(const Backup& backup, bool last) {
  uint8_t record[kBackupLength] = {};
  write_at<uint32_t>(record, kRecordLengthAt, kBackupLength);
  write_at<uint8_t>(record, kRecordKindAt, kResultBackup);
  write_at<uint8_t>(record, kRecordFlagsAt, last ? answers_.final_flags() : 0);
  write_at<uint32_t>(record, kRecordSequenceAt, answers_.sequence());
  write_at<uint32_t>(record, kBackupDoneAt, backup.code == SQLITE_DONE ? 1 : 0);
  write_at<int32_t>(record, kBackupRemainingAt, backup.remaining);
  write_at<int32_t>(record, kBackupPageCountAt, backup.page_count);
  write_at<uint32_t>(record, kBackupFailedAt, backup.failed ? 1 : 0);
  const bool published = answers_.results().publish(record, sizeof(record));
  if (!last) return;
  answers_.answered();
  if (!published) answers_.results().publish_reserved(record, sizeof(record));
}

}  // namespace tandem
