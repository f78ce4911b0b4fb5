// SQLite alone: a C program that is linked with the very library that is in our addon, as the limit of what a binding can reach.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const source = join(here, 'grouped-selects.c');
const library = join(root, 'addon/build/Release/sqlite3.a');
const program = join(root, 'build/bench/grouped-selects');

const madeAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** Path of the program; compiled when it is missing or older than what it is made of. */
export function compiled() {
  if (!existsSync(library)) throw new Error(`Error: ${library} is missing: SQLite was not built with the addon`);
  if (madeAt(program) > Math.max(madeAt(source), madeAt(library))) return program;
  mkdirSync(dirname(program), { recursive: true });
  const sqlite = ['-I', join(root, 'addon/sqlite'), library, '-lm', '-lpthread', '-ldl'];
  execFileSync(process.env.CC ?? 'cc', [
    '-std=gnu11',
    '-O2',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-o',
    program,
    source,
    ...sqlite,
  ]);
  return program;
}

export const versionOf = (path) => execFileSync(path, ['--version'], { encoding: 'utf8' }).trim();

/** { elapsed, processorTime } in milliseconds, and the rows that the query has. */
export function run(path, count, before, fill, query) {
  const output = execFileSync(path, [String(count), String(before), fill, query], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return JSON.parse(output);
}
