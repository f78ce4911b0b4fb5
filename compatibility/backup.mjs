// Rows about Backup, cached and verbose().
import { better, same, section } from './row.mjs';

const backup = 'api/backup: a backup > ';
const begin = 'api/backup-failures: a backup that cannot begin > ';
const step = 'api/backup-failures: a step that cannot go on > ';
const all = 'api/backup: a backup that copied everything > ';
const file = 'api/cached: a file that is open > ';
const kept = 'api/cached: a database of the cache > ';
const failed = 'api/cached: a file that cannot be opened > ';
const traced = 'api/verbose: the error of a callback > ';

export default [
  section('Backup', [
    same(
      'Database#backup',
      '`(filename, [callback])`, or `(filename, sourceName, destName, filenameIsDest, [callback])`. Returns a Backup at once.',
      [
        `${backup}copies the database into the file`,
        `${backup}reads the database named first and writes the one named second`,
      ],
    ),
    same(
      'new Backup(database, filename, sourceName, destName, filenameIsDest, [callback])',
      'The same.',
      `${backup}can be made with the constructor`,
    ),
    same(
      'filenameIsDest false',
      'Restores from the file.',
      'life/backup: a restore > fills a database from a file, and the database can be used at once',
    ),
    same(
      'wrong arguments of Backup',
      'TypeErrors: "Database object expected", "Filename expected", "Source database name expected", "Destination database name expected", "Direction flag expected", "Callback expected".',
      'life/backup: a wrong argument > is a TypeError and does no harm, to garbage collection neither',
    ),
    same(
      ['Backup#filename', 'Backup#sourceName', 'Backup#destName', 'Backup#filenameIsDest'],
      'The arguments. Own, read-only, not shown in a loop.',
      `${backup}holds its arguments in properties of its own that cannot be changed`,
    ),
    same(
      ['Backup#idle', 'Backup#completed', 'Backup#failed', 'Backup#remaining', 'Backup#pageCount'],
      'Getters. The numbers are -1 before the first step.',
      `${backup}says where it stands`,
    ),
    same(
      'Backup#retryErrors',
      'Codes after which a step may be tried again: BUSY and LOCKED. Anything but an array is an Error.',
      [
        `${step}because the destination is locked can be tried again`,
        'life/backup: a wrong argument > is a TypeError and does no harm, to garbage collection neither',
      ],
    ),
    same('Backup#step', 'Copies pages, all with -1. Null and whether all is copied to the callback, on the backup.', [
      `${backup}copies what is written between its steps`,
      'life/backup: a wrong argument > is a TypeError and does no harm, to garbage collection neither',
    ]),
    same(
      'Backup#finish',
      'Returns the backup; no argument to the callback. Before the end it makes the backup fail.',
      'api/backup: finish() > before everything was copied gives the backup up',
    ),
    same('a backup at its end', 'Finishes itself when there are retryErrors; a further step says null and true.', [
      `${all}has ended: the database closes, and further calls succeed`,
      `${all}stays open without retry codes, until it is finished`,
      `${step}ends the backup when its code is not to be tried again, and every later step fails alike`,
      `${step}does not end the backup without retry codes`,
    ]),
    same(
      'calls behind finish()',
      'SQLITE_MISUSE "Backup is already finished".',
      'api/backup: finish() > is the last call: others fail, in their turn or at once',
    ),
    same(
      'a name of a database that does not exist',
      'The step says null and false, and `failed` is true.',
      `${step}because no database has that name fails without an error`,
    ),
    better('calls behind a backup that cannot begin', 'Are never answered.', 'Each gets the error.', [
      `${begin}hands its error to every callback, those of later calls too`,
      `${begin}because the database did not open gets that error`,
    ]),
    better(
      'names with NUL',
      'Are cut there.',
      'Refused with an error.',
      'api/backup-failures: a file name > with a NUL character is refused, and so is a name of a database',
    ),
  ]),
  section('cached', [
    same(
      ['sqlite3.cached', 'cached.Database'],
      'A function that gives one object for each file, with or without `new`.',
      [
        `${file}is the same object for every caller`,
        'compatibility/objects: the export > has cached.Database as a function that works with and without new',
      ],
    ),
    same('cached.objects', 'The objects by absolute path.', [
      `${failed}gives the error to every caller, and the next one tries again`,
      'api/cached: names that are no paths > a relative path stays the same file when the working directory changes',
    ]),
    same(
      'an empty name, `:memory:`',
      'Are never shared.',
      "api/cached: names that are no paths > ':memory:' and '' are never shared",
    ),
    same(
      'the callback of a further caller',
      'Null on the database: in the next tick when it is open, else after the open.',
      [
        `${file}calls back later, with null and the database`,
        `${file}calls back everybody who asked while it was being opened, in order and in their async context`,
        `${file}takes mode and callback as the constructor of Database does`,
      ],
    ),
    same(
      'the mode of a further caller',
      'Is ignored.',
      'compatibility/objects: a cached database > ignores the mode of a further caller',
    ),
    better(
      'a database that failed to open or was closed',
      'Stays in the cache for good, and callbacks are lost.',
      'Leaves the cache, and everybody is answered.',
      [
        `${kept}leaves it when it is closed: the next caller opens the file again`,
        `${kept}stays when its close is refused`,
        `${failed}gives the error to every caller, and the next one tries again`,
      ],
    ),
    better('URIs in the cache', 'Are taken for paths.', 'Stay as they are with OPEN_URI.', [
      'api/cached: names that are no paths > a URI stays as it is with OPEN_URI',
      'api/cached: names that are no paths > a URI is a path without OPEN_URI',
    ]),
  ]),
  section('verbose()', [
    same('effect', 'Holds for the whole process from the first call on.', [
      'api/verbose: verbose() > adds nothing before it is called, holds from then on, and for objects that were there before',
      'api/verbose: verbose() > returns the module, bound or not, as often as it is called, and adds nothing the second time',
    ]),
    same(
      'the stack of an error',
      'Gets a line with method and arguments, and the frames of the caller. `__augmented` is set.',
      [
        `${traced}tells where a method of the database was called`,
        `${traced}tells where a method of a statement was called`,
        `${traced}shows the arguments as they were`,
      ],
    ),
    same('methods that are wrapped', 'All of database and statement but `wait`, `loadExtension`, `backup`.', [
      'compatibility/objects: verbose() > augments the errors of exec(), but not those of loadExtension() and wait()',
      'api/verbose: verbose() > leaves the attributes and names of the methods alone',
    ]),
    same('other properties of the error', 'Stay.', `${traced}has its properties unchanged`),
    better(
      'the row callback of each()',
      'Is not augmented when there is a complete callback.',
      'Both are.',
      `${traced}is augmented once, in the row callback and in complete of each()`,
    ),
    same('`error` events', 'Are not augmented.', "api/verbose: verbose() > does not augment errors of 'error' events"),
  ]),
];
