// The tarball itself: what is in it, that its types fit its code, and that it can be built where it has no binary.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run, succeed, tarball, tool } from './project.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the tarball', () => {
  let folder;
  let unpacked;
  let files;
  let manifest;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sqlite-tandem-tarball-'));
    execFileSync('tar', ['-xzf', tarball, '-C', folder]);
    unpacked = join(folder, 'package');
    manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
    files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^package\//, ''));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('has code, types, a binary, the sources of the binary and documents, and nothing else', () => {
    const kinds = {
      code: /^lib\/[\w/-]+\.m?js$/,
      types: /^types\/[\w/-]+\.d\.m?ts$/,
      binary: /^prebuilds\/[a-z0-9]+-[a-z0-9]+\/node\.napi(\.musl)?\.node$/,
      sources: /^addon\/(core|napi)\/[\w/-]+\.(cc|h)$/,
      sqlite: /^addon\/sqlite\/(sqlite3\.c|sqlite3\.h|sqlite3ext\.h)$/,
      build: /^(addon\/(binding\.gyp|sqlite\.gypi|exports\.map)|scripts\/(build-addon|prepare-sqlite)\.mjs)$/,
      documents: /^(docs\/[\w/-]+\.md|README\.md|CHANGELOG\.md|LICENSE)$/,
      examples: /^examples\/[\w/-]+\.mjs$/,
      manifest: /^package\.json$/,
    };
    const kindOf = (file) => Object.keys(kinds).find((kind) => kinds[kind].test(file));
    assert.deepEqual(
      files.filter((file) => kindOf(file) === undefined),
      [],
    );
    const found = new Set(files.map(kindOf));
    assert.deepEqual([...found].sort(), Object.keys(kinds).sort());
    for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE']) assert.ok(files.includes(name), name);
    assert.ok(files.includes(`prebuilds/${process.platform}-${process.arch}/${binaryName()}`));
  });

  test('runs nothing when it is installed and needs no other package', () => {
    // npm compiles a package with a binding.gyp at its root, even without an install script.
    assert.ok(!files.includes('binding.gyp'));
    const scripts = Object.keys(manifest.scripts);
    assert.deepEqual(
      scripts.filter((name) => /^(pre|post)?(install|prepare)$/.test(name)),
      [],
    );
    for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies']) {
      assert.equal(manifest[kind], undefined, kind);
    }
  });

  test('is at most 4 MB and 2 MB more for each platform beside this one', () => {
    const platforms = files.filter((file) => file.startsWith('prebuilds/')).length;
    const size = statSync(tarball).size;
    assert.ok(size < 4e6 + 2e6 * (platforms - 1), `${size} bytes with ${platforms} binaries`);
  });

  test('has a binary without symbols for debuggers', {
    skip: process.platform !== 'linux' && 'reads an ELF file',
  }, () => {
    const file = join(unpacked, 'prebuilds', `${process.platform}-${process.arch}`, binaryName());
    const sections = execFileSync('readelf', ['-SW', file], { encoding: 'utf8' });
    assert.match(sections, / \.dynsym /);
    assert.doesNotMatch(sections, / \.symtab | \.debug_/);
  });

  test('has a version that the ranges of libraries for sqlite3 allow', () => {
    const [major, minor] = manifest.version.split('.').map(Number);
    // ^5.1.7 is the highest range in use below 6; a minor number far above keeps clear of node-sqlite3's own.
    assert.equal(major, 5);
    assert.ok(minor >= 100);
  });

  test('is clean for publint', async () => {
    await succeed(process.execPath, [tool('publint/src/cli.js'), 'run', tarball, '--strict'], here());
  });

  test('has the right types for CommonJS and ES modules', async () => {
    const cli = tool('@arethetypeswrong/cli/dist/index.js');
    await succeed(process.execPath, [cli, tarball, '--format', 'ascii', '--no-color', '--no-emoji'], here());
  });

  test('says where it looked for a binary when there is none', async () => {
    const bare = copy('bare');
    rmSync(join(bare, 'prebuilds'), { recursive: true });
    const { code, output } = await run(process.execPath, ['-e', "require('./lib/index.js')"], here(bare));
    assert.equal(code, 1);
    const needed = [
      `${process.platform}-${process.arch}`,
      binaryName(),
      'npm run build:addon',
      'SQLITE_TANDEM_BINDING',
    ];
    for (const part of needed) assert.ok(output.includes(part), `${part} in ${output}`);
  });

  // Without optimisation, which takes most of the time and changes nothing about the question whether a file is missing.
  test('has all sources of the binary', async () => {
    const bare = copy('source');
    rmSync(join(bare, 'prebuilds'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    await succeed(process.execPath, ['scripts/build-addon.mjs', '--debug'], { cwd: bare, env: process.env });
    const binding = join(bare, 'addon/build/Debug/sqlite_tandem.node');
    assert.ok(existsSync(binding));
    const program = "console.log(require('./lib/index.js').VERSION)";
    const place = { cwd: bare, env: { ...process.env, SQLITE_TANDEM_BINDING: binding } };
    assert.match(await succeed(process.execPath, ['-e', program], place), /^3\.\d+\.\d+\n$/);
  });

  const here = (cwd = folder) => ({ cwd, env: { PATH: process.env.PATH, HOME: folder } });

  function copy(name) {
    const place = join(folder, name);
    execFileSync('cp', ['-r', unpacked, place]);
    return place;
  }
});

function binaryName() {
  const musl = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  return musl ? 'node.napi.musl.node' : 'node.napi.node';
}
