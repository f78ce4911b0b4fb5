// The numbers both languages share: operations, tags, flags and offsets of the bytes that cross the native door.
//
// docs/bytes.md draws these records; src/native/layout.ts holds the same numbers, and a test compares the two through
// the table at the end of this file. All records are little-endian and start and end on multiples of eight bytes.
#ifndef SQLITE_TANDEM_CORE_LAYOUT_H_
#define SQLITE_TANDEM_CORE_LAYOUT_H_

#include <cstddef>
#include <cstdint>

namespace tandem {

// Every record begins with its own length in bytes (32 bits), then one byte of kind and one byte of flags.
constexpr uint32_t kRecordAlignment = 8;
constexpr uint32_t kRecordLengthAt = 0;
constexpr uint32_t kRecordKindAt = 4;
constexpr uint32_t kRecordFlagsAt = 5;
constexpr uint32_t kRecordSequenceAt = 8;

// --- requests: JavaScript to SQLite ---------------------------------------------------------------------------------
// One byte: 0 for the mode of INTEGERs that the connection is configured for, else 1 more than an IntegerMode.
constexpr uint32_t kRequestIntegersAt = 6;
constexpr uint32_t kRequestStatementAt = 12;
constexpr uint32_t kRequestBodyAt = 16;

enum Operation : uint8_t {
  kOperationOpen = 1,
  kOperationClose = 2,
  kOperationExec = 3,
  kOperationWait = 4,
  kOperationConfigure = 5,
  kOperationLoadExtension = 6,
  kOperationPrepare = 7,
  kOperationBind = 8,
  kOperationRun = 9,
  kOperationGet = 10,
  kOperationAll = 11,
  kOperationEach = 12,
  kOperationReset = 13,
  kOperationFinalize = 14,
  kOperationBackupInit = 15,
  kOperationBackupStep = 16,
  kOperationBackupFinish = 17,
  kOperationDescribe = 18,
  kOperationExpandedSql = 19,
  kOperationFetch = 20,
};

// No answer is wanted when the request succeeds; a later answer of the same connection implies it.
constexpr uint8_t kRequestQuiet = 1;
// The statement is finalized right after this request, or executed anew: nothing needs to stay open for a second one.
// A get begins anew, too.
constexpr uint8_t kRequestOneShot = 2;
// The text to be prepared must have exactly one statement.
constexpr uint8_t kRequestStrict = 4;
// Only inside a transaction: without one the request would be executed, and committed, by itself.
constexpr uint8_t kRequestInTransaction = 8;
// Of run, get, all and each: the SQL text stands before the parameters. It is prepared for this request alone.
constexpr uint8_t kRequestWithText = 16;

enum Option : uint32_t {
  kOptionBusyTimeout = 1,
  kOptionLimit = 2,
  kOptionEager = 3,
  kOptionIntegers = 4,
  kOptionTrace = 5,
  kOptionProfile = 6,
  kOptionChange = 7,
  kOptionHighWaterMark = 8,
  kOptionStatementCacheSize = 9,
  kOptionUntrusted = 10,
};

enum IntegerMode : uint32_t { kIntegersNumber = 0, kIntegersBigint = 1, kIntegersMixed = 2 };

// Parameters: eight bytes of head (type, whether the key is a name, key), then the name if there is one, then the
// value.
enum ParameterType : uint8_t {
  kParameterNull = 0,
  kParameterDouble = 1,
  kParameterInteger = 2,
  kParameterText = 3,
  kParameterBlob = 4,
  kParameterArray = 5,
};
// What the elements of an array are.
enum ArrayKind : uint32_t { kArrayInteger = 0, kArrayDouble = 1, kArrayText = 2 };
// A request with parameters has their number here, and whether any were given (undefined is given, but binds nothing).
constexpr uint32_t kParametersCountAt = 16;
constexpr uint32_t kParametersGivenAt = 20;
constexpr uint32_t kParametersAt = 24;
constexpr uint32_t kParameterTypeAt = 0;
constexpr uint32_t kParameterNamedAt = 1;
constexpr uint32_t kParameterKeyAt = 4;
constexpr uint32_t kParameterHeadLength = 8;

// --- results: SQLite to JavaScript ----------------------------------------------------------------------------------
enum ResultKind : uint8_t {
  kResultDone = 1,
  kResultError = 2,
  kResultRows = 3,
  kResultShape = 4,
  kResultTrace = 5,
  kResultProfile = 6,
  kResultChange = 7,
  kResultBackup = 8,
  kResultDescription = 10,
};

// The last record of its request: the request is answered.
constexpr uint8_t kResultFinal = 1;
// The SQLite thread waits until JavaScript says proceed (configure('eager', false)).
constexpr uint8_t kResultHeld = 2;
// The error is that of the statement's preparation.
constexpr uint8_t kResultPrepareFailed = 4;
// First shape after the table of shapes was emptied: older shape numbers are void.
constexpr uint8_t kResultShapesVoid = 8;
// The statement of a fetch stands behind the last row; there may be more. Without it the statement was reset.
constexpr uint8_t kResultParked = 16;

constexpr uint32_t kDoneChangesAt = 16;
constexpr uint32_t kDoneLastIdAt = 24;
constexpr uint32_t kDoneLength = 32;

constexpr uint32_t kErrorCodeAt = 12;
constexpr uint32_t kErrorOffsetAt = 16;
constexpr uint32_t kErrorMessageLengthAt = 20;
constexpr uint32_t kErrorMessageAt = 24;

constexpr uint32_t kShapeIdAt = 12;
constexpr uint32_t kShapeColumnsAt = 16;
constexpr uint32_t kShapeNamesAt = 24;

constexpr uint32_t kRowsShapeAt = 12;
constexpr uint32_t kRowsCountAt = 16;
constexpr uint32_t kRowsColumnsAt = 20;
constexpr uint32_t kRowsLatin1BlocksAt = 24;
constexpr uint32_t kRowsUtf16BlocksAt = 28;
constexpr uint32_t kRowsLatin1BytesAt = 32;
constexpr uint32_t kRowsUtf16BytesAt = 36;
constexpr uint32_t kRowsRawBytesAt = 40;
constexpr uint32_t kRowsCellsAt = 48;

constexpr uint32_t kTraceTextLengthAt = 12;
constexpr uint32_t kTraceTimeAt = 16;
constexpr uint32_t kTraceTextAt = 24;

constexpr uint32_t kChangeOperationAt = 12;
constexpr uint32_t kChangeRowIdAt = 16;
constexpr uint32_t kChangeDatabaseLengthAt = 24;
constexpr uint32_t kChangeTableLengthAt = 28;
constexpr uint32_t kChangeNamesAt = 32;

constexpr uint32_t kBackupDoneAt = 12;
constexpr uint32_t kBackupRemainingAt = 16;
constexpr uint32_t kBackupPageCountAt = 20;
constexpr uint32_t kBackupFailedAt = 24;
constexpr uint32_t kBackupLength = 32;

constexpr uint32_t kDescriptionReadOnlyAt = 12;
constexpr uint32_t kDescriptionExplainAt = 16;
constexpr uint32_t kDescriptionParametersAt = 20;
constexpr uint32_t kDescriptionColumnsAt = 24;
constexpr uint32_t kDescriptionTextsAt = 32;
// In place of a text's length: there is none.
constexpr uint32_t kDescriptionAbsent = 0xFFFFFFFF;

// One tag and one 64-bit slot for each cell. The slot holds the number, or in its low 32 bits the length: bytes of a
// blob and of text that is no UTF-8, characters of other text (UTF-16 units).
enum CellTag : uint8_t {
  kCellInt32 = 0,
  kCellNull = 1,
  kCellLatin1 = 2,
  kCellUtf16 = 3,
  kCellInteger = 4,
  kCellBlob = 5,
  kCellRawLatin1 = 6,
  kCellRawUtf8 = 7,
  kCellDouble = 8,
  kCellRawUtf16 = 9,
};

// What take() puts before the records of one connection.
constexpr uint32_t kSegmentConnectionAt = 0;
constexpr uint32_t kSegmentRecordsAt = 8;

// Text is cut from strings decoded a block at a time: a kept piece keeps its whole block alive, so blocks are small.
constexpr uint32_t kTextBlockBytes = 4096;
// Longer text is decoded by itself.
constexpr uint32_t kTextInBlockBytes = 1024;

constexpr size_t aligned(size_t size) { return (size + (kRecordAlignment - 1)) & ~size_t{kRecordAlignment - 1}; }

struct LayoutNumber {
  const char* name;
  uint32_t value;
};

// All of the above by name, for the test that compares them with TypeScript's. Any thread.
const LayoutNumber* layout_numbers(size_t* count);

}  // namespace tandem

#endif  // SQLITE_TANDEM_CORE_LAYOUT_H_
