// Joins the compiled modules into a few files: to open a file costs more than to compile most of the modules.
//
// Each module stays a function of its own in the bundle, which runs when it is first required. So a module has one
// state, whichever file it is reached through, and what a program does not use is not run.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** The first that claims a module gets it. Bundles lie as deep as src/native/binding.ts, which looks for the addon. */
const bundles = [
  { file: 'bundle/promises.js', claims: (name) => name.startsWith('promises') },
  { file: 'bundle/callbacks.js', claims: () => true },
];

const bundleOf = (name) => bundles.find(({ claims }) => claims(name)).file;

/** A module that hands on what the bundle has under that name; `path` leads to the bundle. */
const handOn = (path, name) => `module.exports = require(${JSON.stringify(path)})[${JSON.stringify(name)}];\n`;

/**
 * Writes bundles of the CommonJS modules below the folder `modules` into the folder `lib`, which is emptied before, and
 * for each module a file of its name that gives what its bundle has.
 */
export async function bundle(modules, lib) {
  const names = readdirSync(modules, { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .map((name) => name.replaceAll('\\', '/'));
  rmSync(lib, { recursive: true, force: true });
  for (const { file } of bundles) {
    const own = names.filter((name) => bundleOf(name) === file);
    await writeBundle(modules, own, join(lib, file));
  }
  for (const name of names) {
    const path = relative(dirname(name), bundleOf(name)).replaceAll('\\', '/');
    const file = join(lib, name);
    mkdirSync(dirname(file), { recursive: true });
    const exported = exportedNames(readFileSync(join(modules, name), 'utf8'));
    writeFileSync(file, `${handOn(path.startsWith('.') ? path : `./${path}`, name)}${exported}`);
  }
}

/** A line that does nothing, by which Node.js finds the names that `import` may ask a CommonJS module for. */
function exportedNames(compiled) {
  const names = new Set(Array.from(compiled.matchAll(/\bexports\.(\w+) = /g), ([, name]) => name));
  return names.size === 0 ? '' : `0 && (module.exports = { ${[...names].join(', ')} });\n`;
}

/** One bundle: an object with the modules of these names, each of which runs when it is first asked for. */
function writeBundle(modules, names, outfile) {
  const getters = names.map(
    (name) => `get ${JSON.stringify(name)}() { return require(${JSON.stringify(`./${name}`)}); },\n`,
  );
  return build({
    stdin: { contents: `module.exports = {\n${getters.join('')}};\n`, resolveDir: modules },
    bundle: true,
    platform: 'node',
    target: 'node20.17',
    format: 'cjs',
    outfile,
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
    logLevel: 'warning',
    plugins: [otherBundles(modules, new Set(names)), keepClasses(modules)],
  });
}

/** A module of another bundle is taken from there. */
function otherBundles(modules, names) {
  return {
    name: 'other-bundles',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, namespace }) => {
        if (namespace === 'other') return { path, external: true };
        const name = relative(modules, resolve(resolveDir, path)).replaceAll('\\', '/');
        return names.has(name) ? undefined : { path: name, namespace: 'other' };
      });
      onLoad({ filter: /./, namespace: 'other' }, ({ path }) => ({
        contents: handOn(`./${bundleOf(path).slice('bundle/'.length)}`, path),
      }));
    },
  };
}

/**
 * A bundler makes `var Rows = class _Rows` of a class at the top of a module, which errors and util.inspect() then show.
 * In a block it stays what it is.
 */
function keepClasses(modules) {
  const { layout } = createRequire(import.meta.url)(join(modules, 'native', 'layout.js'));
  return {
    name: 'keep-classes',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) =>
        path.startsWith(modules)
          ? { contents: `'use strict'; {\n${withNumbers(readFileSync(path, 'utf8'), layout)}\n}` }
          : undefined,
      );
    },
  };
}

/**
 * The compiled module with numbers in the place of `layout.name`. Code that runs a few times only, which V8 does not
 * optimize, would look up two properties for each, and all of them would have to be read first.
 */
function withNumbers(compiled, layout) {
  const written = compiled.replace(/\blayout_js_1\.layout\.(\w+)/g, (_, name) => {
    if (!Number.isInteger(layout[name]) || layout[name] < 0) throw new Error(`src/native/layout.ts has no ${name}`);
    return String(layout[name]);
  });
  return written.includes('layout_js_1.') ? written : written.replace(/^const layout_js_1 = require\(.*\);$/m, '');
}
