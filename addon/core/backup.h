// The online backup of one connection to or from a file, a few pages at a time.
#ifndef SQLITE_TANDEM_CORE_BACKUP_H_
#define SQLITE_TANDEM_CORE_BACKUP_H_

#include "answers.h"
#include "request.h"
#include "sqlite.h"
#include "statement.h"

namespace tandem {

// The backups of one connection, by the numbers that JavaScript gives out. All members: SQLite thread. SQLite
// documentation: "SQLite Backup API".
class Backups {
 public:
  explicit Backups(Answers& answers) : answers_(answers) {}
  Backups(const Backups&) = delete;
  Backups& operator=(const Backups&) = delete;
  ~Backups() { remove_all(); }

  // kOperationBackupInit, kOperationBackupStep or kOperationBackupFinish; answers the request.
  void execute(sqlite3* database, Request& request);

  // Finishes and forgets all.
  void remove_all();

 private:
  struct Backup {
    Backup* next;
    uint32_t id;
    sqlite3* file;
    sqlite3_backup* handle;
    bool completed;
    bool failed;
    int remaining;
    int page_count;
    KeptFailure init_failed;
  };

  Backup* find(uint32_t id) const;
  Backup* add(uint32_t id);
  void remove(Backup* backup);
  void init(sqlite3* database, Request& request);
  int open(sqlite3* database, Request& request, Backup& backup);
  void step(Backup& backup, Request& request);
  void finish(Backup& backup);
  void close(Backup& backup);
  void answer(const Backup& backup, bool done);

  Answers& answers_;
  Backup* first_ = nullptr;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_BACKUP_H_
