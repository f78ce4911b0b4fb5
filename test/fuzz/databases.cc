// Fuzz target: database files, with a WAL or a rollback journal beside them. They are opened, checked, read, written,
// copied and closed through the core; every request must be answered.
//
// An input is the database file, the file beside it, the length of that one (32 bits), and a byte of choices.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include "../core/harness.h"
#include "core/bytes.h"
#include "core/sqlite.h"
#include "support.h"

namespace {

using namespace tandem;
using namespace test;

constexpr size_t kEndLength = 5;
constexpr uint8_t kWal = 1;
constexpr uint8_t kJournal = 2;
constexpr uint8_t kUntrusted = 4;
constexpr uint32_t kMostTables = 12;
constexpr int kMostCancelled = 2;

std::string folder;

void remove_folder() {
  for (const char* name :
       {"/copy.db", "/copy.db-journal", "/test.db", "/test.db-journal", "/test.db-wal", "/test.db-shm"}) {
    unlink((folder + name).c_str());
  }
  rmdir(folder.c_str());
}

void write_file(const std::string& name, const uint8_t* bytes, size_t size) {
  std::FILE* file = std::fopen((folder + name).c_str(), "wb");
  CHECK(file != nullptr);
  CHECK(std::fwrite(bytes, 1, size, file) == size);
  CHECK(std::fclose(file) == 0);
}

// The files of the input; returns its choices.
uint8_t write_files(const uint8_t* data, size_t size) {
  for (const char* name : {"/test.db-journal", "/test.db-wal", "/test.db-shm", "/copy.db"}) {
    unlink((folder + name).c_str());
  }
  if (size < kEndLength) {
    write_file("/test.db", data, size);
    return 0;
  }
  size -= kEndLength;
  const uint8_t choices = data[size + 4];
  const size_t second = (choices & (kWal | kJournal)) == 0 ? 0 : read_at<uint32_t>(data, size) % (size + 1);
  write_file("/test.db", data, size - second);
  if ((choices & kWal) != 0) write_file("/test.db-wal", data + size - second, second);
  if ((choices & kJournal) != 0) write_file("/test.db-journal", data + size - second, second);
  return choices;
}

// SQL for each table of the schema, made by SQLite itself, so that names need no quotes of ours.
std::vector<std::string> statements(Patient& driver) {
  const std::string sql = "select value from (select name from sqlite_schema where type in ('table', 'view') limit " +
                          std::to_string(kMostTables) +
                          "), json_each(json_array(format('select * from \"%w\"', name),"
                          " format('select * from \"%w\" order by 1 desc limit 3', name),"
                          " format('insert into \"%w\" default values', name),"
                          " format('update \"%w\" set rowid = rowid + 100 where rowid < 3', name),"
                          " format('delete from \"%w\" where rowid %% 2', name),"
                          " format('select count(*) from \"%w\" where \"%w\" match ''a''', name, name)))";
  driver.ask_patiently(prepare(1, sql));
  std::vector<std::string> found;
  for (std::string row : driver.ask_patiently(all(1)).rows) {
    if (row.size() >= 2 && row.front() == '\'') found.push_back(row.substr(1, row.size() - 2));
  }
  driver.ask_patiently(finalize(1));
  return found;
}

void read_and_write(Patient& driver) {
  for (const std::string& sql : statements(driver)) {
    // A view that never ends would take a while with each of them.
    if (driver.cancelled() >= kMostCancelled) return;
    driver.ask_patiently(prepare(1, sql));
    driver.ask_patiently(get(1));
    driver.ask_patiently(get(1));
    driver.ask_patiently(all(1));
    driver.ask_patiently(each(1));
    driver.ask_patiently(finalize(1));
  }
}

void copy(Patient& driver) {
  driver.ask_patiently(Message(kOperationBackupInit, 2).word(1).text(folder + "/copy.db").text("main").text("main"));
  driver.ask_patiently(Message(kOperationBackupStep, 2).word(5).word(0));
  driver.ask_patiently(Message(kOperationBackupStep, 2).word(UINT32_MAX).word(0));
  driver.ask_patiently(Message(kOperationBackupFinish, 2));
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  limit_memory();
  const bool memory = access("/dev/shm", W_OK) == 0;
  const char* temporary = std::getenv("TMPDIR");
  folder = std::string(memory ? "/dev/shm" : temporary != nullptr ? temporary : "/tmp") + "/sqlite-tandem-fuzz-XXXXXX";
  CHECK(mkdtemp(folder.data()) != nullptr);
  std::atexit(remove_folder);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const uint8_t choices = write_files(data, size);
  Patient driver;
  if (!driver.started()) return 0;
  driver.ask_patiently(open(folder + "/test.db"));
  if ((choices & kUntrusted) != 0) driver.ask_patiently(configure(kOptionUntrusted, 1));
  driver.ask_patiently(configure(kOptionLimit, 1 << 20, SQLITE_LIMIT_LENGTH));
  for (const char* sql : {"pragma integrity_check(3)", "select * from sqlite_schema", "pragma foreign_key_check"}) {
    driver.ask_patiently(prepare(1, sql));
    driver.ask_patiently(all(1));
    driver.ask_patiently(finalize(1));
  }
  driver.ask_patiently(exec("begin"));
  read_and_write(driver);
  driver.ask_patiently(exec((choices & 8) != 0 ? "rollback" : "commit"));
  copy(driver);
  driver.ask_patiently(exec("reindex; analyze; pragma wal_checkpoint(truncate)"));
  driver.ask_patiently(exec("vacuum"));
  driver.ask_patiently(close());
  return 0;
}
