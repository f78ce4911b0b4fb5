// Rows about values: what becomes of each type on its way into SQLite and back.
import { better, same, section } from './row.mjs';

const stored = 'api/values: a JavaScript value is stored as > …: …';
const reads = 'api/values: a value of SQLite reads as > ';
const columns = 'api/columns: column names > ';

export default section('Values', [
  same('string', 'TEXT. NUL is kept; half of a surrogate pair becomes U+FFFD.', [
    stored,
    'api/text: text > of … comes back as it was',
    'api/text: text > with a lone surrogate is stored with a replacement character',
  ]),
  same('integer of 32 bits', 'INTEGER; -0 becomes 0.', [
    stored,
    'api/values: a JavaScript value is stored as > minus zero: without its sign',
  ]),
  better('integer beyond 32 bits', 'REAL: a TEXT column gets `2147483648.0`.', 'INTEGER when it is a safe integer.', [
    stored,
    'api/values: a JavaScript value is stored as > an integer beyond 32 bits, as text: without a fraction',
  ]),
  same('any other number, infinities', 'REAL.', stored),
  same('NaN, invalid Date', 'NULL.', stored),
  same('boolean', 'INTEGER 1 or 0.', stored),
  same('null, undefined, hole of an array', 'NULL.', [
    stored,
    'request/parameters: positions > undefined and holes are given, but bind nothing',
  ]),
  better('bigint', 'NULL.', 'INTEGER of 64 bits. Beyond: RangeError at the call.', [
    'api/integers: a bigint parameter > … is stored as that integer',
    'api/integers: a bigint parameter > is found again as a key beyond the safe integers',
    'api/arguments: a parameter that cannot be stored is refused at the call > a bigint beyond 64 bits with a RangeError, a symbol with a TypeError, and the callback is not called',
  ]),
  better(
    'symbol',
    'NULL.',
    'TypeError at the call.',
    'api/arguments: a parameter that cannot be stored is refused at the call > a bigint beyond 64 bits with a RangeError, a symbol with a TypeError, and the callback is not called',
  ),
  better('Date', 'REAL: its milliseconds.', 'INTEGER: its milliseconds.', stored),
  better(
    'Date of another realm',
    'Text `[object Object]`.',
    'As one of this realm.',
    'api/values: a JavaScript value is stored as > values of another realm: as those of this one',
  ),
  same('RegExp', 'TEXT: its source with flags.', stored),
  same('Buffer, typed array', 'BLOB: a copy of the bytes.', [
    stored,
    'api/text: a blob > of … bytes comes back as it was',
  ]),
  better(
    'DataView, ArrayBuffer',
    'A DataView throws; an ArrayBuffer is the text `[object Object]`.',
    'BLOB of the bytes they show, in first place too.',
    [stored, 'api/values: a JavaScript value is stored as > DataView and ArrayBuffer as the only argument: blob'],
  ),
  same('any other object, function, array inside an array', 'The text `[object Object]`. No method of it is called.', [
    stored,
    'api/parameters: parameters that throw when they are read > an object never gets its own conversions called',
  ]),
  better(
    'INTEGER',
    'A number, rounded beyond 2^53.',
    "The same unless `configure('integers', 'bigint' or 'mixed')` asks for exact ones.",
    [
      'api/integers: an integer reads as > the nearest number by default',
      'api/integers: an integer reads as > a bigint with integers set to bigint',
      'api/integers: an integer reads as > a bigint only beyond the safe integers with integers set to mixed',
      'api/integers: an integer reads as > a number again with integers set to number',
      'api/integers: an integer reads as > what was configured at the time of the call',
    ],
  ),
  same('REAL', 'A number; infinities are kept.', [
    `${reads}infinities as infinities`,
    `${reads}the same number for every kind of real`,
    'compatibility/objects: a row > is a plain object, and one with a REAL of no fraction has an integer',
  ]),
  same('TEXT', 'A string of its full length.', [
    `${reads}number, string, Buffer and null`,
    'api/text: text > that is no valid UTF-8 reads with replacement characters',
  ]),
  same('BLOB', 'A Buffer of its own, which may be empty.', [
    `${reads}number, string, Buffer and null`,
    'api/text: a blob > is memory of its receiver: writing to it changes nothing else',
  ]),
  same('NULL', 'null.', `${reads}number, string, Buffer and null`),
  same('a row', 'A plain object with its properties in the order of the columns.', [
    `${reads}a plain object with properties in the order of the columns`,
    'compatibility/objects: a row > is a plain object, and one with a REAL of no fraction has an integer',
  ]),
  same(
    'columns that look like integers',
    'Come first, as in every object.',
    `${columns}that look like integers come first, as in every object`,
  ),
  same('columns of one name', 'The last one wins.', [
    `${columns}that are equal: the last column wins, the others keep their values`,
    `${columns}that are equal in a join`,
  ]),
  same('a column without a name', 'Has the empty name.', `${columns}that are empty`),
  better('a column named __proto__', 'Does not become a property of its own.', 'Is a property like any other.', [
    `${columns}__proto__ with an object as its value would be one, but is a value like any other`,
    `${columns}of members of Object.prototype are own properties`,
  ]),
]);
