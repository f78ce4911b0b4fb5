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

  // Whether a restore has begun and not ended. It holds a write transaction of its own in the connection: a statement
  // would commit it half-way, and crash what follows.
  bool restoring() const { return running_restore() != nullptr; }

 private:
  struct Backup {
    Backup* next = nullptr;
    uint32_t id = 0;
    sqlite3* file = nullptr;
    // Null before the beginning, after the end, and when there is no database of such a name. A restore has one only
    // while it holds its transaction.
    sqlite3_backup* handle = nullptr;
    bool begun = false;
    // From the file into the connection.
    bool restores = false;
    Bytes source_name;
    Bytes destination_name;
    // What the latest step gave: also the answer to every step behind the end.
    int code = SQLITE_OK;
    bool failed = false;
    int remaining = -1;
    int page_count = -1;
  };

  Backup* find(uint32_t id) const;
  const Backup* running_restore() const;
  Backup* add(uint32_t id);
  void remove(Backup* backup);
  void init(sqlite3* database, Request& request);
  bool open(Request& request, Backup& backup);
  static void begin(sqlite3* database, Backup& backup);
  static void pause(Backup& backup);
  int copy(sqlite3* database, Backup& backup, int pages);
  void step(sqlite3* database, Backup& backup, Request& request);
  static void close(Backup& backup);
  void report(const Backup& backup, bool last);

  Answers& answers_;
  Backup* first_ = nullptr;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_BACKUP_H_
