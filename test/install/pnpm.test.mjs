// Installing with pnpm, the version for Node 20 and the newest: by alias and by overrides, with strict peer ranges.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { all, bringing, satisfied, unsatisfied } from './libraries.mjs';
import { alias, checkProject, newestPnpm, run, startWorkshop, succeed, tarball, tool } from './project.mjs';

const programs = {
  'pnpm 10': [process.execPath, tool('pnpm-10/bin/pnpm.cjs')],
  [`pnpm ${newestPnpm.version}`]: [newestPnpm.program],
};

for (const [name, [command, ...options]] of Object.entries(programs)) {
  describe(name, () => {
    let workshop;
    before(async () => {
      workshop = await startWorkshop();
    });
    after(() => workshop.close());

    /** A project with further settings of pnpm. */
    function project(manifest, more) {
      const settings = {
        registry: workshop.registry.url,
        strictPeerDependencies: true,
        storeDir: `${workshop.folder}/store`,
        cacheDir: `${workshop.folder}/cache`,
        ...more,
      };
      return {
        // JSON is YAML too.
        cwd: workshop.project(manifest, {
          'pnpm-workspace.yaml': JSON.stringify(settings),
          '.npmrc': `registry=${workshop.registry.url}\n`,
        }),
        env: workshop.environment,
      };
    }

    async function installed(manifest, more) {
      const place = project(manifest, more);
      await succeed(command, [...options, 'install', '--no-frozen-lockfile'], place);
      return place;
    }

    test('installs the tarball as sqlite3 where no compiler is on PATH', async () => {
      await checkProject(await installed({ dependencies: { sqlite3: `file:${tarball}` } }), ['.']);
    });

    test('finds that the alias satisfies the peer ranges of libraries', async () => {
      const place = await installed({ dependencies: { sqlite3: alias, ...all(satisfied) } });
      await checkProject(place, ['.', ...Object.keys(satisfied)]);
    });

    test('gives node-sqlite3 to libraries that depend on it themselves, unless overridden', async () => {
      const place = await installed({ dependencies: { sqlite3: alias, 'needs-5.1.7': '1.0.0' } });
      await checkProject(place, ['.']);
      await assert.rejects(checkProject(place, ['needs-5.1.7']), /node-sqlite3 was installed in place/);
    });

    test('refuses the alias alone where a library has a peer range of 6', async () => {
      const place = project({ dependencies: { sqlite3: alias, 'peer-6': '1.0.0' } });
      const { code, output } = await run(command, [...options, 'install', '--no-frozen-lockfile'], place);
      assert.notEqual(code, 0);
      assert.match(output, /ERR_PNPM_PEER_DEP_ISSUES/);
    });

    // Overrides do not reach the check of peer ranges here; a rule of its own says that version 5 will do.
    test('obeys overrides and allowed versions for every range, 6 and exact versions included', async () => {
      const libraries = { ...satisfied, ...bringing, ...unsatisfied };
      const place = await installed(
        { dependencies: { sqlite3: alias, ...all(libraries) } },
        { overrides: { sqlite3: alias }, peerDependencyRules: { allowedVersions: { sqlite3: '5' } } },
      );
      await checkProject(place, ['.', ...Object.keys(libraries)]);
    });

    test('obeys overrides in a project that does not name sqlite3 itself', async () => {
      const libraries = { ...bringing, 'needs-exactly-5.1.7': {}, 'needs-6': {} };
      const place = await installed({ dependencies: all(libraries) }, { overrides: { sqlite3: alias } });
      await checkProject(place, Object.keys(libraries));
    });
  });
}

describe('pnpm 10', () => {
  test('obeys pnpm.overrides of package.json', async (t) => {
    const workshop = await startWorkshop();
    t.after(() => workshop.close());
    const place = {
      cwd: workshop.project(
        { dependencies: { 'needs-5.1.7': '1.0.0', 'needs-6': '1.0.0' }, pnpm: { overrides: { sqlite3: alias } } },
        { '.npmrc': `registry=${workshop.registry.url}\nstore-dir=${workshop.folder}/store\n` },
      ),
      env: workshop.environment,
    };
    await succeed(process.execPath, [tool('pnpm-10/bin/pnpm.cjs'), 'install', '--no-frozen-lockfile'], place);
    await checkProject(place, ['needs-5.1.7', 'needs-6']);
  });
});
