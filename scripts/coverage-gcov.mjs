// Reads what gcov counted, and adds up what the compiler counted apart for each object that contains a line.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './core-build.mjs';

const core = join(root, 'addon/core/');

/**
 * For each file of addon/core: its name, how many `lines` and `branches` it has, how many of them are reached
 * (`linesReached`, `branchesReached`), and `missed`: what is not, by line, as { number, text, ran, branches }, where
 * `branches` says how many ways out of the line were never taken.
 */
export function coverageOf(folder) {
  const counted = new Map();
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.gcda')) continue;
    for (const { file: name, lines } of gcov(folder, file)) {
      if (name.startsWith(core)) add(counted, name.slice(root.length + 1), lines);
    }
  }
  return [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, functions]) => summaryOf(name, functions));
}

function gcov(folder, file) {
  const options = ['--json-format', '--branch-probabilities', '--stdout', file];
  const { status, error, stdout, stderr } = spawnSync('gcov', options, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error) throw new Error(`gcov, which comes with gcc, is needed: ${error.message}`);
  if (status !== 0) throw new Error(`gcov cannot read ${file}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => JSON.parse(line).files);
}

/** A function of a header is in many objects, but only one copy of it is in the program and counts. */
function add(counted, name, lines) {
  const functions = counted.get(name) ?? new Map();
  counted.set(name, functions);
  for (const { line_number: number, function_name: of, count, branches } of lines) {
    const key = `${number} ${of}`;
    const known = functions.get(key);
    // What only an exception would take is no branch here: there are none.
    const taken = branches.filter((branch) => !branch.throw).map((branch) => branch.count);
    if (known === undefined) {
      functions.set(key, { number, count, taken });
    } else {
      known.count += count;
      if (known.taken.length !== taken.length) throw new Error(`${name}:${number} has other branches elsewhere.`);
      taken.forEach((more, index) => {
        known.taken[index] += more;
      });
    }
  }
}

function summaryOf(name, functions) {
  const lines = new Map();
  for (const { number, count, taken } of functions.values()) {
    const line = lines.get(number) ?? { number, count: 0, ways: [] };
    lines.set(number, line);
    line.count += count;
    // The copies of a template have the same branches; it is enough that one of them takes each.
    if (line.ways.length === taken.length) line.ways = line.ways.map((way, index) => way + taken[index]);
    else line.ways.push(...taken);
  }
  const text = readFileSync(join(root, name), 'utf8').split('\n');
  const all = [...lines.values()].sort((a, b) => a.number - b.number);
  const ways = all.flatMap((line) => line.ways);
  return {
    name,
    lines: all.length,
    linesReached: all.filter(({ count }) => count > 0).length,
    branches: ways.length,
    branchesReached: ways.filter((way) => way > 0).length,
    missed: all
      .map(({ number, count, ways: of }) => ({
        number,
        text: text[number - 1].trim(),
        ran: count > 0,
        branches: of.filter((way) => way === 0).length,
      }))
      .filter(({ ran, branches }) => !ran || branches > 0),
  };
}
