// Backup objects: init, step and finish.
#include "backup.h"

namespace tandem {

Backups::Backup* Backups::find(uint32_t id) const {
  Backup* backup = first_;
  while (backup != nullptr && backup->id != id) backup = backup->next;
  return backup;
}

Backups::Backup* Backups::add(uint32_t id) {
  Backup* backup = make<Backup>();
  if (backup == nullptr) return nullptr;
  backup->id = id;
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

const Backups::Backup* Backups::running_restore() const {
  const Backup* backup = first_;
  while (backup != nullptr) {
    if (backup->restores && backup->handle != nullptr) break;
    backup = backup->next;
  }
  return backup;
}

void Backups::execute(sqlite3* database, Request& request) {
  if (request.operation == kOperationBackupInit) return init(database, request);
  Backup* backup = find(request.statement);
  if (backup == nullptr) return answers_.error({SQLITE_MISUSE, -1, "Backup is already finished"});
  if (request.operation == kOperationBackupStep) return step(database, *backup, request);
  remove(backup);
  answers_.done();
}

// False when it has been answered with an error.
bool Backups::open(Request& request, Backup& backup) {
  backup.restores = request.body.read<uint32_t>() == 0;
  const RequestText file_name = read_text(request);
  const RequestText source_name = read_text(request);
  const RequestText destination_name = read_text(request);
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
  if (!backup.source_name.append(source_name.bytes, std::strlen(source_name.bytes) + 1) ||
      !backup.destination_name.append(destination_name.bytes, std::strlen(destination_name.bytes) + 1)) {
    answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
    return false;
  }
  const int code = sqlite3_open(file_name.bytes, &backup.file);
  if (code == SQLITE_OK) return true;
  const bool explained = backup.file != nullptr;
  answers_.error({explained ? sqlite3_extended_errcode(backup.file) : code, -1,
                  explained ? sqlite3_errmsg(backup.file) : sqlite3_errstr(code)});
  return false;
}

// A wrong database name leaves no handle. It shows as a failed step, not here: that is how programs know it.
void Backups::begin(sqlite3* database, Backup& backup) {
  backup.begun = true;
  if (database == nullptr) return;
  sqlite3* destination = backup.restores ? database : backup.file;
  sqlite3* source = backup.restores ? backup.file : database;
  backup.handle = sqlite3_backup_init(destination, reinterpret_cast<const char*>(backup.destination_name.data()),
                                      source, reinterpret_cast<const char*>(backup.source_name.data()));
}

void Backups::init(sqlite3* database, Request& request) {
  Backup* backup = add(request.statement);
  if (backup == nullptr) return answers_.error({SQLITE_NOMEM, -1, sqlite3_errstr(SQLITE_NOMEM)});
  if (!open(request, *backup)) return remove(backup);
  // SQLite watches over the source, but not over the destination: a restore would not notice that it is detached. So it
  // begins with its first step, and nothing else may run from then on.
  if (!backup->restores) begin(database, *backup);
  answers_.done();
}

// Before a restore holds its transaction, and when it has committed that, SQLite lets go of the destination: other
// requests may do with it what they like.
void Backups::pause(Backup& backup) {
  sqlite3_backup_finish(backup.handle);
  backup.handle = nullptr;
  backup.begun = backup.code == SQLITE_DONE;
}

// SQLite's code for one step.
int Backups::copy(sqlite3* database, Backup& backup, int pages) {
  if (backup.begun && backup.handle == nullptr) return backup.code;
  const Backup* restore = running_restore();
  if (restore != nullptr && restore != &backup) return SQLITE_LOCKED;
  if (!backup.begun) {
    // The end of a statement that runs now would end the restore's transaction, too.
    if (database != nullptr && sqlite3_txn_state(database, nullptr) != SQLITE_TXN_NONE) return SQLITE_LOCKED;
    begin(database, backup);
  }
  if (backup.handle == nullptr) return backup.code;
  backup.code = sqlite3_backup_step(backup.handle, pages);
  backup.remaining = sqlite3_backup_remaining(backup.handle);
  backup.page_count = sqlite3_backup_pagecount(backup.handle);
  if (backup.restores && sqlite3_txn_state(database, nullptr) == SQLITE_TXN_NONE) pause(backup);
  return backup.code;
}

void Backups::step(sqlite3* database, Backup& backup, Request& request) {
  const int pages = request.body.read<int32_t>();
  const uint32_t retry_count = request.body.read<uint32_t>();
  // Behind its end every step is answered as the last one was.
  if (backup.file != nullptr) backup.code = copy(database, backup, pages);
  // The codes that may be tried again are in the request. Programs that keep none finish for themselves; for the others
  // it ends here.
  bool ends = retry_count != 0 && backup.code != SQLITE_OK;
  for (uint32_t i = 0; ends && i < retry_count && request.body.ok(); ++i) {
    const int retry = request.body.read<int32_t>();
    ends = retry != backup.code && retry != (backup.code & 0xFF);
  }
  if (ends) close(backup);
  const bool completed = backup.code == SQLITE_DONE;
  if (!completed && (backup.file == nullptr || (backup.begun && backup.handle == nullptr))) backup.failed = true;
  const bool succeeded = completed || backup.code == SQLITE_OK;
  report(backup, succeeded);
  if (!succeeded) answers_.error({backup.code, -1, sqlite3_errstr(backup.code)});
}

// Where the backup stands; an error may follow.
void Backups::report(const Backup& backup, bool last) {
  uint8_t record[kBackupLength] = {};
  write_head(record, kBackupLength, kResultBackup, last ? answers_.final_flags() : 0, answers_.sequence());
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
