// Writes COMPATIBILITY.md from the rows in compatibility/: node scripts/compatibility.mjs [--check]. With --check it
// writes nothing, and fails when the page is not what the rows give.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sections } from '../compatibility/index.mjs';
import { isMember } from '../compatibility/row.mjs';

const page = join(resolve(fileURLToPath(import.meta.url), '../..'), 'COMPATIBILITY.md');
const rows = sections.flatMap((section) => section.rows);
const count = (verdict) => rows.filter((row) => row.verdict === verdict).length;

const text = `# Compatibility with node-sqlite3

What node-sqlite3 6.0.1 does, and what happens here: *same*, *better*, or *refused* with the reason. Each line names the
tests that hold it, by their titles. ${count('same')} lines are the same, ${count('better')} better, ${count('refused')} refused.

\`npm run compatibility\` writes this page from the rows in the folder \`compatibility\`. A test fails when a row names a
test that does not exist, when a public member has no row, and when this page is out of date.

${sections.map(sectionText).join('\n')}`;

if (!process.argv.includes('--check')) {
  writeFileSync(page, text);
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('compatibility: COMPATIBILITY.md is not what the rows give; "npm run compatibility" writes it.');
  process.exitCode = 1;
}

function sectionText({ title, rows }) {
  const head = rows[0].verdict === 'beyond' ? ['', 'here', 'tests'] : ['', 'node-sqlite3', 'here', 'tests'];
  const lines = [head, head.map(() => '---'), ...rows.map(cellsOf)].map((cells) => `| ${cells.join(' | ')} |\n`);
  return `## ${title}\n\n${lines.join('')}`;
}

function cellsOf({ verdict, about, there, here, tests }) {
  const first = about.map((one) => (isMember(one) ? `\`${one}\`` : cell(one))).join(' ');
  const last = tests.map(testText).join('<br>');
  if (verdict === 'beyond') return [first, cell(here), last];
  return [first, cell(there), here === '' ? verdict : `*${verdict}*: ${cell(here)}`, last];
}

/** The file as a link, then the titles. */
function testText(test) {
  const [, name, titles] = /^(\S+): (.*)$/.exec(test) ?? [];
  if (name === undefined) throw new Error(`compatibility: not a test: ${test}`);
  return `[${name}](test/${name}.test.ts): ${cell(titles)}`;
}

/** Text that neither ends a cell nor is taken for markup; what is code already stays as it is. */
function cell(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[*[\]<]|(?<![a-z0-9])_|_(?![a-z0-9])/gi, '\\$&')))
    .join('')
    .replaceAll('|', '\\|');
}
