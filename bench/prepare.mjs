// Makes sure that both rivals load; one that does not is compiled from source.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { rivals } from './bindings.mjs';
import { ask } from './child.mjs';

const directory = fileURLToPath(new URL('.', import.meta.url));
const probeTimeoutMs = 30_000;

const probe = (name) => ask(['probe', name], probeTimeoutMs);

/** Runs the rival's own install script with downloads off, also where the user's settings forbid install scripts. */
function compile(name) {
  const flags = ['--ignore-scripts=false', '--foreground-scripts', '--build-from-source'];
  const { status, error } = spawnSync('npm', ['rebuild', name, ...flags], {
    cwd: directory,
    stdio: 'inherit',
    // npm is a .cmd file on Windows, which only a shell can start.
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`npm rebuild ${name} ended with exit code ${status}`);
}

for (const name of rivals) {
  try {
    const found = await probe(name).catch((reason) => {
      process.stdout.write(`${name} does not load, compiling it: ${reason.message.split('\n')[0]}\n`);
      compile(name);
      return probe(name);
    });
    process.stdout.write(`${name} ${found.version} loads (SQLite ${found.sqlite})\n`);
  } catch (error) {
    process.stderr.write(`${name} cannot be used: ${error.message}\n`);
    process.exitCode = 1;
  }
}
