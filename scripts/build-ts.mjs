// Compiles TypeScript: src/ to lib/ (scripts/bundle.mjs), or with --tests the tests to dist-test/ (src/ must have been compiled before).
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../..');
/** One file for each source, before they are bundled. */
const modules = 'build/modules';
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

if (process.argv.includes('--tests')) {
  // Tests may look inside: types of lib/ are made for them alone, the package publishes the hand-written ones.
  tsc(['-p', 'tsconfig.json', '--declaration', '--emitDeclarationOnly', '--outDir', 'dist-test/lib-types']);
  prune('dist-test/lib-types', 'src', '.d.ts');
  tsc(['-p', 'test/tsconfig.json']);
  prune('dist-test', 'test', '.js');
} else {
  tsc(['-p', 'tsconfig.json', '--outDir', modules]);
  prune(modules, 'src', '.js');
  await bundle(join(root, modules), join(root, 'lib'));
  for (const module of ['index.mjs', 'promises.mjs'])
    copyFileSync(join(root, 'src', module), join(root, 'lib', module));
}

function tsc(options) {
  const run = spawnSync(process.execPath, [compiler, ...options], { cwd: root, stdio: 'inherit' });
  if (run.error) throw run.error;
  if (run.status !== 0) process.exit(run.status ?? 1);
}

/** Removes compiled files whose source is gone: a deleted test must not go on running. */
function prune(output, source, extension) {
  for (const file of filesBelow(join(root, output))) {
    if (!file.endsWith(extension)) continue;
    const origin = join(root, source, relative(join(root, output), file).slice(0, -extension.length));
    if (!existsSync(`${origin}.ts`) && !(output === 'dist-test' && file.includes('lib-types'))) rmSync(file);
  }
}

function filesBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
