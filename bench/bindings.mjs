// Names the bindings that are compared, and says how each of them is loaded.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const ours = 'sqlite-tandem';

// `api` chooses which half of a workload runs: `callback` is the API of npm sqlite3, `sync` that of better-sqlite3.
const table = {
  [ours]: { api: 'callback', entry: '..', manifest: '../package.json' },
  sqlite3: { api: 'callback', entry: 'sqlite3', manifest: 'sqlite3/package.json' },
  'better-sqlite3': { api: 'sync', entry: 'better-sqlite3', manifest: 'better-sqlite3/package.json' },
};

export const names = Object.keys(table);
export const rivals = names.filter((name) => name !== ours);
export const apiOf = (name) => table[name].api;
export const load = (name) => require(table[name].entry);

const versionQuery = 'SELECT sqlite_version() AS version';

// Runs a query instead of only loading: an addon that loads but cannot open a database is of no use here.
export async function probe(name) {
  const binding = load(name);
  const sqlite = await sqliteVersion[table[name].api](binding);
  return { version: require(table[name].manifest).version, sqlite };
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
  sync: (Database) => {
    const db = new Database(':memory:');
    const { version } = db.prepare(versionQuery).get();
    db.close();
    return version;
  },
};
