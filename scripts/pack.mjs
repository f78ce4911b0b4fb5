// What the tests of the published package share: packing the checkout, installing a folder's lock file, running tests.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

export const root = resolve(fileURLToPath(import.meta.url), '../..');

/** Packs the checkout as it would be published, builds included, into an empty `folder`; gives the tarball's path. */
export function pack(folder) {
  npm(['pack', '--silent', '--pack-destination', folder], root);
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  if (packed.length !== 1) throw new Error(`npm pack left ${packed.length} tarballs in ${folder}.`);
  return join(folder, packed[0]);
}

/** Runs npm, silent when all goes well. */
export function npm(options, cwd) {
  // Set by npm for the scripts it runs; without it there is an npm on PATH.
  const cli = process.env.npm_execpath;
  const [command, first] = cli === undefined ? ['npm', []] : [process.execPath, [cli]];
  const ran = spawnSync(command, [...first, ...options], { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (ran.error) throw ran.error;
  if (ran.status !== 0) throw new Error(`npm ${options.join(' ')} failed in ${cwd}:\n${ran.stdout}${ran.stderr}`);
}

/** Installs exactly what the lock file of `folder` names, without scripts, unless that was done before. */
export function installLocked(folder, more = () => {}) {
  const state = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  npm(['ci', '--ignore-scripts'], folder);
  more();
  writeFileSync(stamp, state);
}

/** Runs test files, each in a process of its own, and says at the end how many tests passed and failed in each. */
export async function runTests(files, { concurrency, timeout }) {
  const waiting = [...files];
  const counts = new Map();
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { lines, ...counted } = await runFile(file, timeout);
      counts.set(file, counted);
      console.log(`${basename(file)}\n${lines.join('\n')}\n`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));

  const total = { passed: 0, failed: 0 };
  const width = Math.max(...files.map((file) => basename(file).length));
  for (const file of files) {
    const { passed, failed } = counts.get(file);
    total.passed += passed;
    total.failed += failed;
    console.log(`${basename(file).padEnd(width)}  ${passed} passed, ${failed} failed`);
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
}

/** The tests of one file: how many passed and failed, and the lines to print about them. */
async function runFile(file, timeout) {
  const lines = [];
  const counted = { passed: 0, failed: 0 };
  const names = [];
  for await (const { type, data } of run({ files: [file], timeout })) {
    const suite = data.details?.type === 'suite';
    if (type === 'test:start') names[data.nesting] = data.name;
    const name = [...names.slice(0, data.nesting), data.name].join(': ');
    if (type === 'test:stdout' || type === 'test:stderr') {
      lines.push(data.message.trimEnd());
    } else if (type === 'test:pass' && !suite) {
      // No test may be skipped in silence: what was not tested is said, and it is nothing that passed.
      if (data.skip === undefined) counted.passed += 1;
      lines.push(data.skip === undefined ? `  ✔ ${name}` : `  ﹣ ${name} (${data.skip})`);
    } else if (type === 'test:fail') {
      const { error } = data.details;
      // A suite that failed because of its tests says nothing new; one that failed by itself does.
      if (suite && error.failureType === 'subtestsFailed') continue;
      counted.failed += 1;
      lines.push(`  ✖ ${name}`, inspect(error.cause ?? error).replace(/^/gm, '      '));
    }
  }
  // A file in which nothing was tested has not passed.
  if (counted.passed + counted.failed === 0) {
    counted.failed += 1;
    lines.push('  ✖ no test ran');
  }
  return { ...counted, lines };
}
