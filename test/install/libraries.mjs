// Tiny libraries that ask for sqlite3 with the ranges that published ones use, and the old package they must not get.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Libraries whose range a version 5.100.0 satisfies; beside each, who asks so. */
export const satisfied = {
  'peer-5': { peerDependencies: { sqlite3: '^5' } }, // promised-sqlite3
  'peer-5.0.2': { peerDependencies: { sqlite3: '^5.0.2' } },
  'peer-5.0.3': { peerDependencies: { sqlite3: '^5.0.3' } }, // TypeORM 0.3.8 to 0.3.30
  'peer-5.1.6': { peerDependencies: { sqlite3: '^5.1.6' } },
  'peer-5.1.7': { peerDependencies: { sqlite3: '^5.1.7' } },
  'peer-5-or-6': { peerDependencies: { sqlite3: '^5.0.3 || ^6.0.0' } }, // TypeORM 0.3.31
  'peer-at-least-5': { peerDependencies: { sqlite3: '>=5' } }, // drizzle-orm
  'peer-any': { peerDependencies: { sqlite3: '*' } }, // @nuxt/content
};

/** Libraries that bring sqlite3 along as a dependency of their own. */
export const bringing = {
  'needs-5.0.0': { dependencies: { sqlite3: '^5.0.0' } }, // @databases/sqlite
  'needs-5.1.7': { dependencies: { sqlite3: '^5.1.7' } }, // @keyv/sqlite, node-red-node-sqlite, sqlite-async
  'may-need-5.0.0': { optionalDependencies: { sqlite3: '^5.0.0' } }, // connect-sqlite3
};

/** Libraries whose range no version but node-sqlite3's own satisfies: these need an override. */
export const unsatisfied = {
  'needs-exactly-5.1.7': { dependencies: { sqlite3: '5.1.7' } }, // n8n
  'peer-exactly-5.1.7': { peerDependencies: { sqlite3: '5.1.7' } }, // @n8n/typeorm
  'needs-6': { dependencies: { sqlite3: '^6.0.1' } },
  'peer-6': { peerDependencies: { sqlite3: '^6.0.1' } },
};

/** The dependencies of a project on all of some libraries. */
export const all = (libraries) => Object.fromEntries(Object.keys(libraries).map((name) => [name, '1.0.0']));

/** What a program or a library does with sqlite3: all ways of loading it, from where the file lies. */
export const use = `
exports.required = () => require('sqlite3');
exports.imported = () => import('sqlite3');
exports.manifest = () => require('sqlite3/package.json');
`;

// It can be installed, so that a wrong choice of the package manager is seen as one, but it cannot be loaded.
const old = "throw new Error('node-sqlite3 was installed in place of sqlite-tandem');\n";

/** Packs all of them below `folder`; gives the tarballs. */
export function packLibraries(folder) {
  const packages = { ...satisfied, ...bringing, ...unsatisfied };
  return [
    ...Object.entries(packages).map(([name, manifest]) => pack(folder, { name, version: '1.0.0', ...manifest }, use)),
    ...['5.1.7', '6.0.1'].map((version) => pack(folder, { name: 'sqlite3', version }, old)),
  ];
}

function pack(folder, manifest, index) {
  const place = mkdtempSync(join(folder, 'library-'));
  const content = join(place, 'package');
  mkdirSync(content);
  writeFileSync(join(content, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(join(content, 'index.js'), index);
  const tarball = join(place, `${manifest.name}-${manifest.version}.tgz`);
  execFileSync('tar', ['-czf', tarball, '-C', place, 'package']);
  return tarball;
}
