// Feeds hostile bytes to addon/core: node scripts/fuzz.mjs [requests | databases] [seconds] searches with libFuzzer,
// from the kept corpus on; --replay [--build] runs the kept corpus alone, compiled by g++ with sanitizers. What is found
// is left in addon/build/fuzz as crash-*. The search needs clang: scripts/fuzz-tools.sh installs it on Debian.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { command, compileMissing, cxx, filesOf, hashOf, job, ownFlags, root, sqliteJob } from './core-build.mjs';
import { prepareSqlite } from './prepare-sqlite.mjs';

const all = ['requests', 'databases'];
const searching = { cc: process.env.FUZZ_CC ?? 'clang-14', cxx: process.env.FUZZ_CXX ?? 'clang++-14' };
const sanitizers = 'address,undefined';
/** One input that takes longer hangs; machines that do other things as well are allowed for. */
const secondsForEach = 60;
const megabytes = 3000;

const { values: given, positionals } = parseArgs({
  options: {
    replay: { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

try {
  const targets = all.filter((target) => positionals.length === 0 || positionals.includes(target));
  if (targets.length === 0) throw new Error(`there is ${all.join(' and ')}, not ${positionals[0]}.`);
  const seconds = Number(positionals.find((argument) => /^\d+$/.test(argument)) ?? 60);
  prepareSqlite();
  for (const target of targets) {
    const program = await build(target);
    if (given.build) continue;
    if (given.replay) run(program, [corpusOf(target)]);
    else search(program, target, seconds);
  }
} catch (error) {
  console.error(`fuzz: ${error.message}`);
  process.exitCode = 1;
}

/** Returns the path of the program. */
async function build(target) {
  const folder = join(root, 'addon/build', given.replay ? 'fuzz-replay' : 'fuzz');
  mkdirSync(folder, { recursive: true });
  const compiler = given.replay ? cxx : searching.cxx;
  const flags = [...ownFlags(sanitizers), ...(given.replay ? [] : ['-fsanitize=fuzzer-no-link'])];
  const headers = ['addon/core', 'test/core', 'test/fuzz'].flatMap((each) => filesOf(each, '.h'));
  const sources = [
    ...filesOf('addon/core', '.cc'),
    ...['driver', 'message', 'rows'].map((name) => join(root, `test/core/${name}.cc`)),
    ...['support', target].map((name) => join(root, `test/fuzz/${name}.cc`)),
    ...(given.replay ? [join(root, 'test/fuzz/replay.cc')] : []),
    ...(!given.replay && target === 'requests' ? [join(root, 'test/fuzz/mutate.cc')] : []),
  ];
  // The sanitized SQLite of the core's own tests does for the replay.
  const sqlite = given.replay
    ? sqliteJob(join(root, 'addon/build/core-address-undefined'), sanitizers)
    : sqliteJob(folder, sanitizers, searching.cc, ['-fsanitize=fuzzer-no-link']);
  const jobs = [sqlite, ...sources.map((source) => job(folder, compiler, source, flags, headers))];
  await compileMissing(jobs);
  const objects = jobs.map(({ object }) => object);
  const program = join(folder, `${target}-${hashOf(objects)}`);
  if (!existsSync(program)) {
    const linked = given.replay ? sanitizers : `${sanitizers},fuzzer`;
    const libraries = process.platform === 'linux' ? ['-ldl', '-lm'] : [];
    await command(compiler, ['-pthread', `-fsanitize=${linked}`, ...objects, ...libraries, '-o', `${program}.new`]);
    renameSync(`${program}.new`, program);
  }
  return program;
}

/** New inputs that reach new code are collected beside what was built; the kept corpus is only read. */
function search(program, target, seconds) {
  const folder = join(root, 'addon/build/fuzz');
  const found = join(folder, `found-${target}`);
  mkdirSync(found, { recursive: true });
  console.log(`fuzz: ${target} for ${seconds} seconds`);
  run(program, [
    `-max_total_time=${seconds}`,
    `-timeout=${secondsForEach}`,
    `-rss_limit_mb=${megabytes}`,
    `-max_len=${target === 'requests' ? 4096 : 65536}`,
    `-dict=${join(root, 'test/fuzz/sql.dict')}`,
    `-artifact_prefix=${folder}/`,
    '-print_final_stats=1',
    '-verbosity=0',
    found,
    corpusOf(target),
  ]);
}

function corpusOf(target) {
  const folder = join(root, 'test/fuzz/corpus', target);
  if (readdirSync(folder).length === 0) throw new Error(`${folder} is empty.`);
  return folder;
}

function run(program, options) {
  const { status, signal, error } = spawnSync(program, options, {
    stdio: 'inherit',
    env: {
      ...process.env,
      ASAN_OPTIONS: 'detect_leaks=1:detect_stack_use_after_return=0:allocator_may_return_null=1',
      UBSAN_OPTIONS: 'print_stacktrace=1',
    },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${basename(program)} found something (${signal ?? `exit code ${status}`}).`);
}
