// Installing with Yarn, classic and current: by alias and by resolutions, with Plug'n'Play and without.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { all, bringing, satisfied, unsatisfied } from './libraries.mjs';
import { alias, checkProject, startWorkshop, succeed, tarball, tool } from './project.mjs';

const classic = tool('yarn-1/bin/yarn.js');
const current = tool('@yarnpkg/cli-dist/bin/yarn.js');

// How each Yarn says that a peer range is not satisfied; none of them fails because of it.
const unmet = /incorrect peer dependency|unmet peer dependency|incorrect peer|YN0060|YN0086|YN0002/;

const yarns = {
  'yarn 1': { program: classic, files: (url) => ({ '.npmrc': `registry=${url}\n`, '.yarnrc': `registry "${url}"\n` }) },
  'yarn 4 with node_modules': { program: current, files: (url) => settings(url, 'node-modules') },
  "yarn 4 with Plug'n'Play": { program: current, files: (url) => settings(url, 'pnp'), start: [current, 'node'] },
};

function settings(url, nodeLinker) {
  return {
    // An empty lock file marks the project's folder, else Yarn looks for one further up.
    'yarn.lock': '',
    '.yarnrc.yml': JSON.stringify({
      npmRegistryServer: url,
      unsafeHttpWhitelist: ['127.0.0.1'],
      nodeLinker,
      // Without it import() of a CommonJS program does not look into Plug'n'Play's map.
      pnpEnableEsmLoader: true,
      enableTelemetry: false,
      enableImmutableInstalls: false,
      enableGlobalCache: false,
    }),
  };
}

for (const [name, { program, files, start }] of Object.entries(yarns)) {
  describe(name, () => {
    let workshop;
    before(async () => {
      workshop = await startWorkshop();
    });
    after(() => workshop.close());

    async function installed(manifest) {
      const cwd = workshop.project(manifest, files(workshop.registry.url));
      const output = await succeed(process.execPath, [program, 'install'], { cwd, env: workshop.environment });
      return { place: { cwd, env: workshop.environment }, output };
    }

    const check = (place, users) => checkProject(place, users, start && [process.execPath, ...start]);

    test('installs the tarball as sqlite3 where no compiler is on PATH', async () => {
      const { place } = await installed({ dependencies: { sqlite3: `file:${tarball}` } });
      await check(place, ['.']);
    });

    test('finds that the alias satisfies the peer ranges of libraries', async () => {
      const { place, output } = await installed({ dependencies: { sqlite3: alias, ...all(satisfied) } });
      assert.doesNotMatch(output, unmet);
      await check(place, ['.', ...Object.keys(satisfied)]);
    });

    test('gives node-sqlite3 to libraries that depend on it themselves, unless resolved otherwise', async () => {
      const { place } = await installed({ dependencies: { sqlite3: alias, 'needs-5.1.7': '1.0.0' } });
      await check(place, ['.']);
      await assert.rejects(check(place, ['needs-5.1.7']), /node-sqlite3 was installed in place/);
    });

    test('warns of the alias alone where a library has a peer range of 6', async () => {
      const { output } = await installed({ dependencies: { sqlite3: alias, 'peer-6': '1.0.0' } });
      assert.match(output, unmet);
    });

    test('obeys resolutions for every range, 6 and exact versions included', async () => {
      const libraries = { ...satisfied, ...bringing, ...unsatisfied };
      const { place } = await installed({
        dependencies: { sqlite3: alias, ...all(libraries) },
        resolutions: { sqlite3: alias },
      });
      await check(place, ['.', ...Object.keys(libraries)]);
    });

    test('obeys resolutions in a project that does not name sqlite3 itself', async () => {
      const libraries = { ...bringing, 'needs-exactly-5.1.7': {}, 'needs-6': {} };
      const { place } = await installed({ dependencies: all(libraries), resolutions: { sqlite3: alias } });
      await check(place, Object.keys(libraries));
    });
  });
}
