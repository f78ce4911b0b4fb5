// Installs the packed package with every package manager and checks what is in it: node scripts/test-install.mjs [file ...]
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installLocked, npm, pack, root, runTests } from './pack.mjs';

const home = join(root, 'test/install');

// Not in the lock file, because npm locks its binary only for the platforms that the registry at hand has.
const newestPnpm = 'pnpm@12.21.0';

installLocked(home, () =>
  npm(
    [
      'install',
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--prefix',
      'node_modules/.newest-pnpm',
      newestPnpm,
    ],
    home,
  ),
);

const folder = mkdtempSync(join(tmpdir(), 'sqlite-tandem-packed-'));
try {
  process.env.SQLITE_TANDEM_TARBALL = pack(folder);
  const named = process.argv.slice(2);
  const files = readdirSync(home)
    .filter((name) => name.endsWith('.test.mjs'))
    .filter((name) => named.length === 0 || named.some((part) => name.includes(part)))
    .map((name) => join(home, name));
  if (files.length === 0) throw new Error(`test-install: no test file matches ${named.join(' ')}`);
  await runTests(files, { concurrency: availableParallelism(), timeout: 300_000 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
