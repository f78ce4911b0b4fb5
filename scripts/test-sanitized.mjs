// Runs the compiled tests with an addon that AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer watch:
// node scripts/test-sanitized.mjs [part of a path ...]. "npm run test:sanitized" builds the rest before. Needs g++ and
// glibc; what was built is kept in addon/build/sanitized.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cxx, filesOf, job, link, ownFlags, root, sanitizing, sqliteJob } from './core-build.mjs';
import { prepareSqlite } from './prepare-sqlite.mjs';
import { findingsIn } from './sanitizer-findings.mjs';

const sanitizers = 'address,undefined';
const folder = join(root, 'addon/build/sanitized');

/** Tests that say nothing about this addon, or cannot say it here, by their path; each with its reason. */
const excluded = {
  'compatibility/libraries': 'compares with other native libraries, which are not ours to check',
  'core/': 'runs the core without Node, with sanitizers of its own',
  'fuzz/': 'is a program without Node, with sanitizers of its own',
  'package/symbols': 'reads the symbols of the addon that is published',
  'package/system-sqlite': 'builds another addon with node-gyp and loads that one',
};

/** How many times longer than usual the tests wait before they say that something hangs. */
const slowness = 5;

const asanOptions = [
  // What is undefined traps, and is reported as that.
  'handle_sigill=1',
  // A fault ends its process at once, by a signal that no test expects. Leaks do not, since Node leaves memory behind
  // in each process: which ones are ours is decided here, from the reports.
  'abort_on_error=1:exitcode=0:detect_leaks=1',
  'detect_stack_use_after_return=1:strict_string_checks=1',
  // As malloc: Node and SQLite have an answer to memory that is not there.
  'allocator_may_return_null=1',
  // What was freed is kept for a while, to see who still uses it; with more of it, tests of memory that is given back fail.
  'quarantine_size_mb=32',
  // Enough for the frames of the addon that led to an allocation. At the end of a process, each frame of generated code
  // costs the search for leaks one reading of all mappings, which made minutes of them.
  'malloc_context_size=6',
  // Reading the symbols of Node takes each process seconds; only the frames of the addon are wanted.
  'symbolize=0',
];

try {
  prepareSqlite();
  const addon = await build('sqlite_tandem', [...filesOf('addon/core', '.cc'), ...filesOf('addon/napi', '.cc')], true);
  const planted = await build('planted', [join(root, 'test/sanitized/planted.cc')], false);
  provePlantedFaultsAreFound(planted);
  testAll(addon);
} catch (error) {
  console.error(`test-sanitized: ${error.message}`);
  process.exitCode = 1;
}

function build(name, sources, withSqlite) {
  const place = join(folder, name);
  const flags = [
    ...ownFlags(sanitizers),
    ...['-fPIC', '-fvisibility=hidden', '-DNAPI_VERSION=8', '-DNODE_API_NO_EXTERNAL_BUFFERS_ALLOWED'],
    // Its messages would go to the error stream of processes that nobody reads: beside AddressSanitizer, the other
    // library forgets the file it should write.
    '-fsanitize-undefined-trap-on-error',
    ...['-isystem', nodeHeaders()],
  ];
  const headers = [...filesOf('addon/core', '.h'), ...filesOf('addon/napi', '.h')];
  const jobs = sources.map((source) => job(place, cxx, source, flags, headers));
  if (withSqlite) jobs.unshift(sqliteJob(place, sanitizers, undefined, ['-fPIC']));
  // As in addon/binding.gyp.
  const options = ['-shared', ...sanitizing(sanitizers), '-Wl,-Bsymbolic', '-Wl,-z,nodelete'];
  return link(place, name, jobs, options, '.node');
}

function nodeHeaders() {
  const prefix = process.env.npm_config_nodedir ?? resolve(process.execPath, '../..');
  const headers = join(prefix, 'include/node');
  if (!existsSync(join(headers, 'node_api.h'))) {
    throw new Error(`there is no node_api.h in ${headers}; name the folder of Node's headers in npm_config_nodedir.`);
  }
  return headers;
}

/** The faults happen in a process of a process, and nobody looks at its exit code: as in the worst of the tests. */
function provePlantedFaultsAreFound(planted) {
  const expected = {
    use_after_free: /heap-use-after-free.*planted\.cc/s,
    undefined_behaviour: /: ILL on .*undefined_behaviour.*planted\.cc/s,
    leak: /Direct leak of 24 .*planted\.cc/s,
  };
  for (const [fault, words] of Object.entries(expected)) {
    const inner = `require(${JSON.stringify(planted)}).${fault}()`;
    const outer = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(inner)}])`;
    const { status, found } = watched(planted, ['-e', outer]);
    if (status !== 0) throw new Error(`the process around the planted ${fault} ended with ${status}.`);
    if (found.length !== 1 || !words.test(found[0])) {
      throw new Error(`the planted ${fault} should be found once:\n${found.join('\n') || 'nothing was'}`);
    }
  }
  console.log(`The ${Object.keys(expected).length} planted faults are found.`);
}

function testAll(addon) {
  const parts = process.argv.slice(2);
  const limit = `--test-timeout=${slowness * 300_000}`;
  const left = Object.keys(excluded).map((path) => `--without=${path}`);
  const { status, found } = watched(addon, [join(root, 'scripts/test.mjs'), ...left, ...parts, limit]);
  for (const [path, reason] of Object.entries(excluded)) console.log(`not run: ${path} ${reason}`);
  console.log(`findings: ${found.length}`);
  for (const finding of found) console.error(finding);
  if (found.length > 0) throw new Error('the sanitizers found something.');
  if (status !== 0) throw new Error('the tests failed.');
}

/** Runs node with the addon, and collects what was reported of it by that process and all that came of it. */
function watched(addon, options) {
  const reports = mkdtempSync(join(tmpdir(), 'sqlite-tandem-sanitized-'));
  try {
    const { status, signal, error } = spawnSync(process.execPath, options, {
      stdio: 'inherit',
      env: {
        ...process.env,
        ASAN_OPTIONS: [...asanOptions, `log_path=${reports}/report`].join(':'),
        LD_PRELOAD: library('libasan.so'),
        SQLITE_TANDEM_BINDING: addon,
        SQLITE_TANDEM_SLOWNESS: String(slowness),
      },
    });
    if (error) throw error;
    const texts = readdirSync(reports).map((file) => readFileSync(join(reports, file), 'utf8'));
    return { status: status ?? signal, found: texts.flatMap((text) => findingsIn(text, addon)) };
  } finally {
    rmSync(reports, { recursive: true });
  }
}

function library(name) {
  const { stdout, error } = spawnSync(cxx, [`-print-file-name=${name}`], { encoding: 'utf8' });
  if (error) throw error;
  if (!existsSync(stdout.trim())) throw new Error(`${cxx} has no ${name}; the sanitizers of g++ are needed.`);
  return stdout.trim();
}
