// Writes docs/benchmarks.html from what `npm run bench -- --json FILE` measured: node bench/report-html.mjs FILE ... [--out FILE]
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { page } from './html/page.mjs';

const usage = `usage: node bench/report-html.mjs FILE ... [--out FILE]

  FILE   what \`npm run bench -- --json FILE\` or bench/growth.mjs wrote; several of them, such as one for each Node.js, stand below each other
  --out  the page; docs/benchmarks.html unless told`;

const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
if (positionals.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  const out = values.out ?? fileURLToPath(new URL('../docs/benchmarks.html', import.meta.url));
  writeFileSync(out, page(positionals.map((file) => JSON.parse(readFileSync(file, 'utf8')))));
  process.stdout.write(`${out}\n`);
}
