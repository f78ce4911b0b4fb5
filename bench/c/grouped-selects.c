// The selects of the origin's script by SQLite alone: no Node.js, no threads, nothing made of the rows.
//
//   grouped-selects COUNT BEFORE FILL QUERY   prints a line of JSON: milliseconds that COUNT executions took, after
//                                             BEFORE untimed ones, and the rows of the first
//   grouped-selects --version                 prints the version of SQLite
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sqlite3.h"

static sqlite3* db;

static void check(int code) {
  if (code == SQLITE_OK) return;
  fprintf(stderr, "%s\n", sqlite3_errmsg(db));
  exit(1);
}

static double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Every value is fetched, as any binding must.
static long long execute(sqlite3_stmt* statement) {
  long long sum = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    sum += sqlite3_column_int64(statement, 0);
    const unsigned char* text = sqlite3_column_text(statement, 1);
    sum += text[sqlite3_column_bytes(statement, 1) - 1];
  }
  check(sqlite3_reset(statement));
  return sum;
}

static void print_rows(sqlite3_stmt* statement) {
  const char* separator = "";
  while (sqlite3_step(statement) == SQLITE_ROW) {
    printf("%s{\"id\":%lld,\"text\":\"%s\"}", separator, sqlite3_column_int64(statement, 0),
           (const char*)sqlite3_column_text(statement, 1));
    separator = ",";
  }
  check(sqlite3_reset(statement));
}

int main(int count, char** arguments) {
  if (count == 2 && strcmp(arguments[1], "--version") == 0) return puts(sqlite3_libversion()) < 0;
  if (count != 5) return 2;
  sqlite3_stmt* statement;
  check(sqlite3_open(":memory:", &db));
  check(sqlite3_exec(db, arguments[3], NULL, NULL, NULL));
  check(sqlite3_prepare_v2(db, arguments[4], -1, &statement, NULL));

  long long sum = 0;
  for (long left = atol(arguments[2]); left > 0; --left) sum += execute(statement);
  const double start = seconds_of(CLOCK_MONOTONIC);
  const double processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (long left = atol(arguments[1]); left > 0; --left) sum += execute(statement);
  const double elapsed = (seconds_of(CLOCK_MONOTONIC) - start) * 1e3;
  const double processor_time = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor) * 1e3;

  printf("{\"elapsed\":%.6f,\"processorTime\":%.6f,\"sum\":%lld,\"rows\":[", elapsed, processor_time, sum);
  print_rows(statement);
  puts("]}");
  check(sqlite3_finalize(statement));
  check(sqlite3_close(db));
  return 0;
}
