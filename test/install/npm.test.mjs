// Installing with npm: under the name sqlite3, by alias and by overrides, without scripts and without a compiler.
import assert from 'node:assert/strict';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { all, bringing, satisfied, unsatisfied } from './libraries.mjs';
import { alias, checkProject, run, startWorkshop, succeed, tarball } from './project.mjs';

const cli = realpathSync(process.env.npm_execpath);

describe('npm', () => {
  let workshop;
  let installed;
  before(async () => {
    workshop = await startWorkshop();
    installed = async (manifest, ...options) => {
      const place = { cwd: workshop.project(manifest), env: workshop.environment };
      await succeed(process.execPath, [cli, 'install', '--strict-peer-deps', ...options], place);
      return place;
    };
  });
  after(() => workshop.close());

  test('installs the tarball as sqlite3 where no compiler is on PATH', async () => {
    const place = await installed({ dependencies: { sqlite3: `file:${tarball}` } });
    assert.equal((await run('/bin/sh', ['-c', 'command -v cc c++ gcc g++ clang make python3'], place)).output, '');
    await checkProject(place, ['.']);
    const { packages } = JSON.parse(readFileSync(join(place.cwd, 'package-lock.json'), 'utf8'));
    assert.deepEqual(Object.keys(packages), ['', 'node_modules/sqlite3'], 'and nothing with it');
    assert.equal(packages['node_modules/sqlite3'].hasInstallScript, undefined);
  });

  test('installs it with --ignore-scripts and --omit=optional', async () => {
    const place = await installed({ dependencies: { sqlite3: alias } }, '--ignore-scripts', '--omit=optional');
    await checkProject(place, ['.']);
  });

  test('finds that the alias satisfies the peer ranges of libraries', async () => {
    const place = await installed({ dependencies: { sqlite3: alias, ...all(satisfied) } });
    await succeed(process.execPath, [cli, 'ls', '--all'], place);
    await checkProject(place, ['.', ...Object.keys(satisfied)]);
  });

  test('gives the alias to libraries that depend on sqlite3 themselves', async () => {
    const place = await installed({ dependencies: { sqlite3: alias, ...all(bringing) } });
    await checkProject(place, ['.', ...Object.keys(bringing)]);
  });

  test('repeats the install from its lock file', async () => {
    const place = await installed({ dependencies: { sqlite3: alias, ...all(satisfied), ...all(bringing) } });
    rmSync(join(place.cwd, 'node_modules'), { recursive: true });
    await succeed(process.execPath, [cli, 'ci', '--strict-peer-deps'], place);
    await checkProject(place, ['.', ...Object.keys(satisfied), ...Object.keys(bringing)]);
  });

  test('refuses the alias alone where a library has a peer range of 6', async () => {
    const cwd = workshop.project({ dependencies: { sqlite3: alias, 'peer-6': '1.0.0' } });
    const { code, output } = await run(process.execPath, [cli, 'install'], { cwd, env: workshop.environment });
    assert.notEqual(code, 0);
    assert.match(output, /ERESOLVE/);
  });

  test('obeys overrides for every range, 6 and exact versions included', async () => {
    const libraries = { ...satisfied, ...bringing, ...unsatisfied };
    const place = await installed({
      dependencies: { sqlite3: alias, ...all(libraries) },
      overrides: { sqlite3: '$sqlite3' },
    });
    await succeed(process.execPath, [cli, 'ls', '--all'], place);
    await checkProject(place, ['.', ...Object.keys(libraries)]);
  });

  test('obeys overrides in a project that does not name sqlite3 itself', async () => {
    const libraries = { ...bringing, 'needs-exactly-5.1.7': {}, 'needs-6': {} };
    const place = await installed({ dependencies: all(libraries), overrides: { sqlite3: alias } });
    await checkProject(place, Object.keys(libraries));
  });

  test('asked the registry for nothing but sqlite-tandem, sqlite3 and the libraries', () => {
    const names = new Set(workshop.registry.requests.map((path) => path.split('/')[1]));
    const known = ['sqlite-tandem', 'sqlite3', ...Object.keys({ ...satisfied, ...bringing, ...unsatisfied })];
    assert.deepEqual(
      [...names].filter((name) => !known.includes(name)),
      [],
    );
  });
});
