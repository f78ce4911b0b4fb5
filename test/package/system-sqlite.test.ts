// The addon can be built against the system's SQLite, and then it is that SQLite which runs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(__dirname, '../..');
const header = '/usr/include/sqlite3.h';

// Runs in a process of its own: a binding is chosen once, when the package is loaded.
const program = `
  const sqlite3 = require('sqlite-tandem');
  const db = new sqlite3.Database(':memory:');
  db.run('create table t (v)');
  db.run('insert into t values (?)', ['from the system'], (error) => { if (error) throw error; });
  db.get('select sqlite_version() as version, v from t', (error, row) => {
    if (error) throw error;
    db.close((error) => {
      if (error) throw error;
      console.log(JSON.stringify({ constant: sqlite3.VERSION, ...row }));
    });
  });
`;

const skip = !existsSync(header) && `${header} is not installed (Debian: libsqlite3-dev)`;

test("a build with --sqlite=/usr opens databases with the system's SQLite", { skip }, (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sqlite-tandem-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));

  run(['scripts/build-addon.mjs', '--sqlite=/usr', `--out=${directory}`]);
  const binding = path.join(directory, 'build/Release/sqlite_tandem.node');

  const output = run(['-e', program], { SQLITE_TANDEM_BINDING: binding });
  const version = /^#define SQLITE_VERSION\s+"([^"]+)"/m.exec(readFileSync(header, 'utf8'))?.[1];
  assert.deepEqual(JSON.parse(output), { constant: version, version, v: 'from the system' });

  // The version could be the bundled one by chance; that the functions come from outside could not.
  if (process.platform === 'linux') {
    assert.match(execFileSync('nm', ['-D', '--undefined-only', binding], { encoding: 'utf8' }), /\bsqlite3_open_v2\b/);
  }
});

function run(options: string[], environment: Record<string, string> = {}): string {
  return execFileSync(process.execPath, options, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
}
