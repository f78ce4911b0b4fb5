// Rows about what other libraries rely on.
import { better, refused, same, section } from './row.mjs';

const mappers = 'compatibility/object-mappers: ';
const knex = `${mappers}knex: > `;
const sequelize = `${mappers}sequelize: > `;
const typeorm = `${mappers}typeorm: > `;
const n8n = `${mappers}n8n: > `;
const others = 'compatibility/libraries: ';
const wrapper = `${others}sqlite (the wrapper): > `;
const sessions = `${others}connect-sqlite3: > `;
const red = `${others}node-red: > `;
const tiles = `${others}mbtiles: > `;

export default section('What libraries rely on', [
  same('knex: flags', 'Any `OPEN_*` by its name is truthy; the flags are joined.', [
    `${knex}any OPEN_* name is truthy`,
    `${knex}flags found by name and joined open a database, with the callback in third place`,
  ]),
  same(
    'knex: queries',
    'A method by its name with `(sql, bindings, callback)`, where bindings may be undefined; `this.lastID`, `this.changes`.',
    [
      `${knex}methods are found by name on the connection`,
      `${knex}run() with an array of bindings tells this.lastID and this.changes`,
      `${knex}bindings may be undefined`,
      `${knex}a stream has all rows of all() at once`,
    ],
  ),
  same(
    'Sequelize: connection',
    'Flags of the module; `filename`; a `uuid` of its own; `close` with and without a callback.',
    [
      `${sequelize}flags of the module open the file, OPEN_FULLMUTEX among them`,
      `${sequelize}the connection keeps a uuid, and its filename tells whether it is in memory`,
      `${sequelize}close() may have a callback or none`,
    ],
  ),
  same(
    'Sequelize: queries',
    '`this.constructor.name` is `Statement`; ids are `lastID - changes + 1` and on; `run` without a callback; `serialize` with an async function.',
    [
      `${sequelize}this.constructor.name is Statement, and lastID - changes + 1 is the first id of an insert`,
      `${sequelize}run() without a callback takes effect before the next call`,
      `${sequelize}serialize() calls an async function, whose calls keep their order`,
    ],
  ),
  same('Sequelize: errors', 'Sets `sql`; reads `code` and the words of constraints in the message.', [
    `${sequelize}an error takes a sql of its own`,
    `${sequelize}code is SQLITE_CONSTRAINT for every constraint`,
    `${sequelize}the message names the columns behind "UNIQUE constraint failed: "`,
    `${sequelize}the message holds "FOREIGN KEY constraint failed"`,
    `${sequelize}code is SQLITE_BUSY while another connection writes`,
  ]),
  same('Sequelize: parameters', 'Keys `$name` and `$1`.', `${sequelize}parameters are named $name and $1`),
  better(
    'Sequelize 7: named imports',
    'Work with a compiler that makes them `require`.',
    'Work in every ES module.',
    `${sequelize}version 7 imports OPEN_* by name`,
  ),
  same(
    'Sequelize 7: parameters',
    'An object without a prototype.',
    `${sequelize}version 7 passes parameters in an object without a prototype`,
  ),
  better(
    'Sequelize 7: bigint',
    'Is passed as text, since a bigint is lost.',
    'Text and bigint give the same INTEGER.',
    `${sequelize}version 7 makes text of a bigint, which an INTEGER column stores exactly`,
  ),
  same('TypeORM: connection', '`verbose()` returns the module; `OPEN_URI`; flags may be left out.', [
    `${typeorm}verbose() returns the module, whose OPEN_URI makes a URI of the file name`,
    `${typeorm}the flags may be left out or undefined, and the callback is called`,
  ]),
  same(
    'TypeORM: queries',
    'Parameters may be undefined; `this.changes` is undefined after `all`; `get` of a statement pulls rows.',
    [
      `${typeorm}parameters may be an array or undefined`,
      `${typeorm}this.changes is undefined after all()`,
      `${typeorm}get() of a prepared statement pulls row by row until undefined, then finalize() lets go`,
    ],
  ),
  same(
    'TypeORM: errors',
    '`err.toString()` contains `SQLITE_BUSY:`.',
    `${typeorm}err.toString() contains SQLITE_BUSY:`,
  ),
  same("n8n's TypeORM", '`err.message` contains `SQLITE_BUSY`; one connection writes, others read.', [
    `${n8n}err.message.includes('SQLITE_BUSY')`,
    `${n8n}one connection writes and read-only connections read the same file`,
  ]),
  same('sqlite: connection', 'A mode in second place, whatever it is; `on`, `configure`, `loadExtension`.', [
    `${wrapper}the mode is always passed, the callback comes third`,
    `${wrapper}on(), configure() and loadExtension() are passed through`,
  ]),
  same(
    'sqlite: queries',
    'Parameters are spread; `bind`, `reset`, `finalize` and the others of a statement call back without an error.',
    [
      `${wrapper}every method takes parameters spread, and the callback last`,
      `${wrapper}a statement has bind, reset, finalize, run, get, all and each, whose callbacks say undefined or null`,
    ],
  ),
  better(
    'sqlite: each()',
    'Rejects with the error of complete, which never has one midway.',
    'Rejects.',
    `${wrapper}each() tells complete of an error`,
  ),
  same(
    'connect-sqlite3: calls',
    'Mode undefined without a callback; `exec` of several statements; `run` with undefined behind the array.',
    [
      `${sessions}the mode may be undefined without a callback`,
      `${sessions}exec() takes several statements, and run() no callback or undefined in its place`,
    ],
  ),
  better(
    'connect-sqlite3: times',
    'Are REAL in a column without a type.',
    'Are INTEGER, and compare with those that are REAL already.',
    `${sessions}times in a column without a type compare, those that node-sqlite3 stored as REAL too`,
  ),
  same(
    'keyv',
    '`configure` and `exec` without a callback right behind the constructor.',
    `${others}keyv: > configure() and exec() without a callback may follow the constructor at once`,
  ),
  same(
    'Node-RED',
    'Events `open` and `error`; parameters in an array or an object; the error of `loadExtension`; `close(undefined)`.',
    [
      `${red}'open' and 'error' are events when the constructor has no callback`,
      `${red}all() takes an array or an object, whichever the message holds`,
      `${red}loadExtension() calls back with the error`,
    ],
  ),
  same('mbtiles', 'Values are spread; Buffers; `serialize`; `finalize(callback)` says that all is done.', [
    `${tiles}values are spread, Buffers are blobs`,
    `${tiles}the callback of finalize() comes when all runs of the statement are done`,
  ]),
  same('db0, Nuxt Content', 'The package has the name `sqlite3`; an alias gives it.', [
    `${others}db0 and nuxt/content: > the package works under the name sqlite3, deep paths included`,
    `${others}db0 and nuxt/content: > a file that was written is read by the next connection`,
  ]),
  refused(
    'db0, Nuxt Content: StackBlitz',
    'In a WebContainer something else takes the place of the package, by its name.',
    'A native library does not run in a browser.',
    'package/exports: the module > says where its native library is',
  ),
]);
