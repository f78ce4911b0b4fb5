// Says which lines and branches of addon/core its tests reach: node scripts/coverage-core.mjs [--write]. Fails when
// something is not reached that test/core/uncovered.txt does not explain, or is reached that it says is not. --write
// enters what is missing there, without a reason. Needs g++ and gcov; what was built is kept in addon/build/core-coverage.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { coreJobs, link, root } from './core-build.mjs';
import { coverageOf } from './coverage-gcov.mjs';
import { differences, write } from './coverage-uncovered.mjs';
import { prepareSqlite } from './prepare-sqlite.mjs';

/** Tests that take minutes here and send no request that others do not: they fail the disk, or stop at any moment. */
const leftOut = /power cut|disk|can be stopped at any moment/;

const { values: given } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const folder = join(root, 'addon/build/core-coverage');

try {
  prepareSqlite();
  // Without optimisation, so that each branch is one of the source. Threads count at the same time.
  const flags = ['--coverage', '-O0', '-fprofile-update=atomic', '-fprofile-abs-path'];
  const jobs = coreJobs(folder, '', flags);
  const program = await link(folder, 'core', jobs, ['--coverage']);
  for (const file of readdirSync(folder)) if (file.endsWith('.gcda')) rmSync(join(folder, file));
  run(program);
  report(coverageOf(folder));
} catch (error) {
  console.error(`coverage-core: ${error.message}`);
  process.exitCode = 1;
}

function run(program) {
  const names = output(program, ['--list']).split('\n');
  output(
    program,
    names.filter((name) => name !== '' && !leftOut.test(name)),
  );
}

function output(program, options) {
  const { status, signal, error, stdout, stderr } = spawnSync(program, options, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`the tests failed (${signal ?? `exit code ${status}`}).\n${stdout}${stderr}`);
  return stdout;
}

function report(files) {
  const total = { lines: 0, linesReached: 0, branches: 0, branchesReached: 0 };
  for (const file of files) {
    console.log(`${file.name.padEnd(36)} ${share(file, 'lines')}   ${share(file, 'branches')}`);
    for (const name of Object.keys(total)) total[name] += file[name];
  }
  console.log(`${'all'.padEnd(36)} ${share(total, 'lines')}   ${share(total, 'branches')}`);
  if (given.write) write(files);
  const { unexplained, reached, counts } = differences(files);
  console.log(`explained in test/core/uncovered.txt: ${counts.lines} lines, ${counts.branches} branches`);
  for (const each of unexplained) console.error(`not reached, and not explained: ${each}`);
  for (const each of reached) console.error(`explained as not reached, but is reached or gone: ${each}`);
  if (unexplained.length > 0 || reached.length > 0) throw new Error('test/core/uncovered.txt is not true any more.');
}

function share(counts, what) {
  const all = counts[what];
  const reached = counts[`${what}Reached`];
  const percent = all === 0 ? 100 : (reached * 100) / all;
  return `${`${reached}/${all}`.padStart(9)} ${what} ${percent.toFixed(1).padStart(5)} %`;
}
