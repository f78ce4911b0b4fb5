// Compares what the tests of the core do not reach with test/core/uncovered.txt, which says of each line of it why.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './core-build.mjs';

const list = join(root, 'test/core/uncovered.txt');
const unexplainedHeading = '# Not explained yet.';

/**
 * What is `unexplained`, what is explained in vain since it is `reached`, and the `counts` of what is explained: whole
 * lines, and branches of lines that are reached.
 */
export function differences(files) {
  const left = entriesOf(readFileSync(list, 'utf8'));
  const unexplained = [];
  const counts = { lines: 0, branches: 0 };
  for (const { key, where, ran, branches } of missedIn(files)) {
    const at = left.findIndex((entry) => entry.key === key && entry.explained);
    if (at === -1) {
      unexplained.push(`${where} ${key}`);
      continue;
    }
    left.splice(at, 1);
    if (ran) counts.branches += branches;
    else counts.lines += 1;
  }
  const reached = left.filter(({ sometimes, explained }) => explained && !sometimes).map(({ key }) => key);
  return { unexplained, reached, counts };
}

/** Takes out of the list what is reached by now, and adds what is not, for someone to explain. */
export function write(files) {
  const missed = missedIn(files).map(({ key }) => key);
  const kept = [];
  let sometimes = false;
  for (const line of readFileSync(list, 'utf8').trimEnd().split('\n')) {
    if (line.startsWith('#')) sometimes = line.startsWith('# Sometimes');
    const at = missed.indexOf(line);
    if (at !== -1) missed.splice(at, 1);
    if (at !== -1 || sometimes || line.startsWith('#') || line === '') kept.push(line);
  }
  if (missed.length > 0) kept.push(...(kept.includes(unexplainedHeading) ? [] : ['', unexplainedHeading]), ...missed);
  writeFileSync(list, `${kept.join('\n')}\n`);
}

/** Without numbers of lines, so that a change elsewhere in the file changes nothing here. */
function missedIn(files) {
  return files.flatMap(({ name, missed }) =>
    missed.map(({ number, text, ran, branches }) => ({
      key: `${name}: ${ran ? `${branches} not taken` : 'not reached'}: ${text}`,
      where: `line ${number}:`,
      ran,
      branches,
    })),
  );
}

/** Lines below a reason; below one that begins with "Sometimes", they may also be reached. */
function entriesOf(text) {
  let heading = '';
  const entries = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) heading = line;
    else if (line !== '') {
      entries.push({
        key: line,
        sometimes: heading.startsWith('# Sometimes'),
        explained: heading !== '' && heading !== unexplainedHeading,
      });
    }
  }
  return entries;
}
