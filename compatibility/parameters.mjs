// Rows about the arguments of a call: its callback and its parameters.
import { better, same, section } from './row.mjs';

const position = 'api/parameters: parameters by position > ';
const name = 'api/parameters: parameters by name > ';
const callback = 'api/parameters: the callback among the arguments > ';

export default section('Arguments and parameters', [
  same(
    'the callback',
    'Is the last argument if that is a function.',
    `${callback}is the last argument if that is a function`,
  ),
  same('the callbacks of each()', 'Are the last two arguments if both are functions, else the last.', [
    `${callback}of each() are the last two functions`,
    'api/each: each() > takes parameters in all forms',
  ]),
  same('undefined in last place', 'Is no callback, and binds nothing.', `${callback}is none when undefined comes last`),
  same(
    'null in last place',
    'Is a parameter: SQLITE_RANGE when there is no place for it.',
    `${position}null counts as one: there must be a place for it`,
  ),
  same('an array in first place', 'Holds the parameters by position. What follows it is ignored.', [
    `${position}come as a list or as an array`,
    `${position}of an array make further arguments idle`,
  ]),
  same(
    'a primitive, RegExp, Date, Buffer or typed array in first place',
    'Begins a list of parameters by position.',
    `${position}of a Date, a RegExp or a Buffer start a list`,
  ),
  same('any other object in first place', 'Holds parameters by name. What follows it is ignored.', [
    `${name}make further arguments idle`,
    `${name}of a Map, a Set or a String object are those of its enumerable keys`,
    'request/parameters: names > come from every other object: class, null prototype, Map, String, function',
  ]),
  same('the keys of the object', 'Own and inherited ones that a loop shows.', [
    `${name}may be inherited and on an object without prototype`,
    `${name}that are not enumerable or are symbols do not count`,
  ]),
  same('a key that is a number', 'Is a position, in each spelling of a 32-bit integer, cut to 16 bits.', [
    `${name}may be numbers, in each form that JavaScript reads as a whole number`,
    'request/parameters: names > that are numbers are positions of 16 bits, in all spellings',
    'request/parameters: names > that are zero, negative, fractions or beyond 32 bits are names',
  ]),
  same('a key that is a name', 'Carries its prefix `$`, `:` or `@`. Names in the style of Tcl work.', [
    `${name}carry their prefix in the key`,
    `${name}may be non-ASCII or in the style of Tcl`,
  ]),
  same('an unknown name, a position too many', 'SQLITE_RANGE "column index out of range"; nothing is executed.', [
    `${name}are not found without the prefix, and nothing is executed`,
    `${position}beyond the places are refused, and nothing is executed`,
    'compatibility/objects: an error > of SQL with a bad name of a parameter is SQLITE_RANGE',
  ]),
  same('a missing parameter', 'Is NULL.', [
    `${position}that are missing, undefined or holes are NULL`,
    `${name}that are missing or undefined are NULL`,
  ]),
  better(
    'a getter that throws',
    'Aborts the process.',
    'Its exception is thrown out of the call, and the database goes on.',
    [
      'api/parameters: parameters that throw when they are read > hand the exception to the caller, and the database goes on',
      'api/parameters: parameters that throw when they are read > thrown out of …() they leave no statement open',
    ],
  ),
  same('parameters that change after the call', 'Are taken at the call.', [
    'api/parameters: parameters that change after the call > an array, an object and the bytes of a Buffer are taken at the call',
    'api/parameters: parameters that change after the call > a buffer that is detached after the call was copied before',
  ]),
]);
