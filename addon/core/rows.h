// Turns the current row of a statement into bytes, and many rows into one record.
#ifndef SQLITE_TANDEM_CORE_ROWS_H_
#define SQLITE_TANDEM_CORE_ROWS_H_

#include <cstdint>

#include "bytes.h"
#include "result_queue.h"
#include "sqlite.h"

namespace tandem {

// All members: SQLite thread.
class RowWriter {
 public:
  // Copies the current row of `statement`, which must have just returned SQLITE_ROW. SQLITE_OK, SQLITE_NOMEM, or
  // SQLITE_TOOBIG for a row whose record would pass four gigabytes.
  int append(sqlite3_stmt* statement, int columns);

  // The same for a row that no statement has made: one text, which ends with a NUL.
  int append(const char* text);

  uint32_t rows() const { return rows_; }

  // Bytes collected so far: the measure for sending a record off.
  size_t size() const {
    return numbers_.size() + tags_.size() + latin1_.bytes.size() + utf16_.bytes.size() + raw_.size();
  }

  // Publishes the rows as one record and forgets them. False when memory is exhausted (the rows are forgotten too).
  bool publish(ResultQueue& results, uint32_t sequence, uint32_t shape, uint8_t flags);

  void clear();

  // For the rows from now on.
  void set_integers(IntegerMode mode) { integers_ = mode; }

 private:
  // Texts one behind the other, in blocks of which JavaScript makes a string at once.
  struct TextBlocks {
    Bytes bytes;
    Bytes lengths;       // 32-bit length of each block
    size_t started = 0;  // where the last block begins

    // Room for a text of that many bytes; null when memory is exhausted.
    uint8_t* extend(size_t size);
    void clear();
  };

  bool append_cell(sqlite3_stmt* statement, int column, uint8_t* tag, uint8_t* slot);
  bool append_text(const uint8_t* text, size_t size, uint8_t* tag, uint8_t* slot);
  uint8_t* extend_raw_utf16(size_t size);
  bool append_blob(sqlite3_stmt* statement, int column, uint8_t* tag, uint8_t* slot);
  void append_integer(int64_t value, uint8_t* tag, uint8_t* slot) const;
  size_t record_size() const;
  void write_record(uint8_t* record, size_t size, uint32_t sequence, uint32_t shape, uint8_t flags) const;

  Bytes numbers_;
  Bytes tags_;
  TextBlocks latin1_;
  TextBlocks utf16_;
  Bytes raw_;
  uint32_t rows_ = 0;
  uint32_t columns_ = 0;
  IntegerMode integers_ = kIntegersNumber;
};

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_ROWS_H_
