// Rows about the module, its constants and its classes.
import { better, refused, same, section } from './row.mjs';

const constants = 'api/constants: constants > have the names and values of sqlite3';
const names = (text) => text.split(' ').map((name) => `sqlite3.${name}`);

const module = section('The module', [
  same(
    'require',
    'Gives one object. Its own properties show in a loop: 3 classes, `cached`, `verbose`, 49 constants, `path`.',
    [
      'package/exports: the module > exports the classes, cached, verbose, path, the versions and the constants, and nothing else',
      'compatibility/objects: the export > is an object whose members show in a loop, with a path to the native library',
    ],
  ),
  refused(
    'native binding',
    'The export is the object of the addon itself, to which JavaScript adds members.',
    'The export is an object of its own. The functions of the addon are not public.',
    'package/exports: the module > exports the classes, cached, verbose, path, the versions and the constants, and nothing else',
  ),
  same('sqlite3.path', 'Absolute path of the addon.', 'package/exports: the module > says where its native library is'),
  better(
    'import',
    '`import sqlite3` works; a named import is a SyntaxError.',
    'Both work, and give the same objects as `require`.',
    [
      'package/exports: import and require > give the same objects under the same names',
      'package/exports: import and require > give one class to a program that is an ES module',
      'package/exports: import and require > give one class to a CommonJS program that requires first and imports later',
    ],
  ),
  same('deep paths', '`lib/sqlite3.js`, `lib/trace.js` and `package.json` of the package can be required.', [
    'api/subclass: the deep path lib/sqlite3 > is the module, with and without the suffix',
    "api/verbose: lib/trace.js's extendTrace() > wraps the callback of any method, at the end or at the place that is named",
    'compatibility/libraries: db0 and nuxt/content: > the package works under the name sqlite3, deep paths included',
  ]),
  refused(
    'installation',
    'An install script downloads a binary or compiles one. Four packages are installed along.',
    'No install script, and no dependencies: what runs on a machine is what was installed.',
    'compatibility/libraries: db0 and nuxt/content: > the package works under the name sqlite3, deep paths included',
  ),
  same(
    'engines',
    'Node.js 20.17 or newer.',
    'compatibility/libraries: db0 and nuxt/content: > the package works under the name sqlite3, deep paths included',
  ),
  same(
    'sqlite3.verbose',
    'Returns the module. Works unbound.',
    'api/verbose: verbose() > returns the module, bound or not, as often as it is called, and adds nothing the second time',
  ),
]);

const values = section('Constants', [
  same(
    'writing',
    'A constant cannot be written.',
    'package/exports: the module > keeps its constants from being overwritten',
  ),
  same(
    names('OPEN_READONLY OPEN_READWRITE OPEN_CREATE OPEN_URI OPEN_FULLMUTEX OPEN_SHAREDCACHE OPEN_PRIVATECACHE'),
    'Flags for the mode of a database, with the values of SQLite.',
    constants,
  ),
  same(
    names('VERSION VERSION_NUMBER SOURCE_ID'),
    'Text, number and source of the SQLite in use (3.52.0 there; a newer one here).',
    [
      'api/constants: version constants > are what SQLite itself reports',
      'api/constants: version constants > agree with each other',
    ],
  ),
  same(
    names(
      'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB',
    ),
    'Primary result codes, with the values of SQLite.',
    constants,
  ),
  same(
    names(
      'LIMIT_LENGTH LIMIT_SQL_LENGTH LIMIT_COLUMN LIMIT_EXPR_DEPTH LIMIT_COMPOUND_SELECT LIMIT_VDBE_OP LIMIT_FUNCTION_ARG LIMIT_ATTACHED LIMIT_LIKE_PATTERN_LENGTH LIMIT_VARIABLE_NUMBER LIMIT_TRIGGER_DEPTH LIMIT_WORKER_THREADS',
    ),
    "Names of limits for `configure('limit', ...)`, with the values of SQLite.",
    constants,
  ),
]);

const classes = section('Classes', [
  same(
    ['sqlite3.Database', 'sqlite3.Statement', 'sqlite3.Backup'],
    'Classes with these names. Without `new` a TypeError.',
    [
      'package/exports: the module > has classes that carry their own names and need new',
      'api/arguments: a wrong receiver is a TypeError > of the classes, called without new',
    ],
  ),
  same(
    'replacing a class',
    'The classes of the export can be replaced.',
    'package/exports: the module > lets programs replace its classes',
  ),
  same('subclasses', 'The classes can be extended. Overridden methods are called, by the library too.', [
    'api/subclass: a class that extends Database > has its overridden methods called, by the library too',
    'api/subclass: classes that extend Statement and Backup > have their overridden methods called',
    'api/classes: a class that extends Database > opens, calls back on itself and keeps its members',
    'api/classes: a class that extends Statement > prepares and executes',
  ]),
  better(
    'EventEmitter',
    'Its methods are copied to each class; `instanceof EventEmitter` is false.',
    'The classes extend it, so `instanceof` is true.',
    'api/classes: Database and Statement > are event emitters',
  ),
  same(
    ['Database', 'Statement', 'Backup'].flatMap((name) =>
      ['_events', '_eventsCount', '_maxListeners'].map((member) => `${name}#${member}`),
    ),
    'Where Node.js keeps the listeners of an emitter. Programs look into it.',
    'compatibility/objects: an emitter > keeps its listeners in _events, where programs look for them',
  ),
  same(
    'attributes of methods',
    'All can be replaced. Those written in JavaScript (`run`, `get`, `all`, `each`, `map`, `prepare`, `backup`) and those of an emitter show in a loop, the others do not.',
    [
      'api/subclass: the methods > that node-sqlite3 writes in JavaScript show in a loop, as those of an emitter do; the others do not',
      'api/subclass: the methods > can all be replaced',
    ],
  ),
  same('patched prototypes', 'A replaced method of a prototype is used, also where one method calls another.', [
    'api/subclass: a patched prototype > of Statement is used by the methods of Database',
    'api/subclass: a patched prototype > of Database is used for existing objects',
    'api/classes: Database and Statement > have methods that can be replaced, and those of the prototype are used',
  ]),
]);

export default [module, values, classes];
