// Names the bindings that are compared, and says how each of them is loaded.
import { createRequire } from 'node:module';
import { compiled, versionOf } from './c/alone.mjs';

const require = createRequire(import.meta.url);

export const ours = 'sqlite-tandem';
/** No binding: what SQLite takes when a C program drives it. */
export const alone = 'SQLite alone';

// From this Node.js on, better-sqlite3 is the release that is installed beside it, and node:sqlite takes part.
export const newerNode = 26;
const majorOf = (version) => Number(/^v?(\d+)/.exec(version)[1]);
const isNewer = majorOf(process.version) >= newerNode;
const betterSqlite3 = isNewer ? './node-26/node_modules/better-sqlite3' : 'better-sqlite3';

// `api` chooses which half of a workload runs: `callback` is the API of npm sqlite3, `sync` that of better-sqlite3, of
// which node:sqlite has all that the workloads use. Those with `way` are not bindings of their own but other ways to use
// ours, measured beside it where a workload has a half for them: `promises` is the promise API, and `promisified` the
// callback API with each call wrapped into a promise.
const table = {
  [ours]: { api: 'callback', entry: '..', manifest: '../package.json' },
  promises: { api: 'promises', entry: '../lib/promises.js', manifest: '../package.json', way: true },
  promisified: { api: 'promisified', entry: '..', manifest: '../package.json', way: true },
  sqlite3: { api: 'callback', entry: 'sqlite3', manifest: 'sqlite3/package.json' },
  'better-sqlite3': { api: 'sync', entry: betterSqlite3, manifest: `${betterSqlite3}/package.json` },
  'node:sqlite': { api: 'sync', entry: 'node:sqlite', member: 'DatabaseSync', from: newerNode },
  [alone]: { api: 'alone' },
};

export const allNames = Object.keys(table);
/** Whether it is another way to use our binding. */
export const isWay = (name) => table[name]?.way === true;
/** Whether it is a binding, ours or a rival, and not something that is only shown beside them. */
export const isBinding = (name) => name !== alone && !isWay(name);
/** All columns of a Node.js of that version. */
export const columnsIn = (version) => allNames.filter((name) => majorOf(version) >= (table[name].from ?? 0));
/** The bindings alone. */
export const namesIn = (version) => columnsIn(version).filter(isBinding);
/** Those that are installed by npm for the Node.js that runs this. */
export const rivals = namesIn(process.version).filter((name) => name !== ours && table[name].manifest);
export const apiOf = (name) => table[name].api;

export function load(name) {
  if (name === alone) return compiled();
  const { entry, member } = table[name];
  return member ? require(entry)[member] : require(entry);
}

const versionQuery = 'SELECT sqlite_version() AS version';

// Runs a query instead of only loading: an addon that loads but cannot open a database is of no use here.
export async function probe(name) {
  const { api, manifest } = table[name];
  const sqlite = await sqliteVersion[api](load(name));
  if (name === alone) return { version: sqlite, sqlite };
  // What comes with Node.js has its version.
  return { version: manifest ? require(manifest).version : process.version.slice(1), sqlite };
}

const sqliteVersion = {
  callback: (sqlite3) =>
    new Promise((resolve, reject) => {
      const db = new sqlite3.Database(':memory:', (openError) => {
        if (openError) return reject(openError);
        db.get(versionQuery, (queryError, row) => {
          db.close((closeError) => {
            const error = queryError ?? closeError;
            return error ? reject(error) : resolve(row.version);
          });
        });
      });
    }),
  promises: async ({ open }) => {
    const db = await open(':memory:');
    const { version } = await db.get(versionQuery);
    await db.close();
    return version;
  },
  sync: (Database) => {
    const db = new Database(':memory:');
    const { version } = db.prepare(versionQuery).get();
    db.close();
    return version;
  },
};
sqliteVersion.promisified = sqliteVersion.callback;
sqliteVersion.alone = versionOf;
