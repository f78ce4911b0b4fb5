// The online backup of one connection to or from a file, a few pages at a time.
#ifndef SQLITE_TANDEM_CORE_BACKUP_H_
#define SQLITE_TANDEM_CORE_BACKUP_H_

#include "answers.h"
#include "request.h"
#include "sqlite.h"

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

  // Whether an unfinished backup writes into the connection itself: a restore from a file.
  bool restoring() const;

 private:
  struct Backup {
    Backup* next;
    uint32_t id;
    sqlite3* file;
    // Null once it has ended, and when there is no database of such a name.
    sqlite3_backup* handle;
    bool restores;
    // What the latest step gave: also the answer to every step behind the end.
    int code;
    bool completed;
    bool failed;
    int remaining;
    int page_count;
  };

  Backup* find(uint32_t id) const;
  Backup* add(uint32_t id);
  void remove(Backup* backup);
  void init(sqlite3* database, Request& request);
  bool open(sqlite3* database, Request& request, Backup& backup);
  void copy(Backup& backup, Request& request);
  void step(Backup& backup, Request& request);
  void close(Backup& backup);
  void report(const Backup& backup, bool last);

  Answers& answers_;
  Backup* first_ = nullptr;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_BACKUP_H_
