// Runs the JavaScript in the pages: each block is a program of its own, and prints what its comments say.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type Block, blocksOf, pages, read, root } from './markdown.js';

/** An example that takes longer is taken for hung. */
const timeLimit = 30_000;
const languages = ['js', 'mjs', 'json', 'sh', 'text', 'ts'];

interface Example {
  readonly name: string;
  readonly extension: string;
  readonly code: string;
  /** The lines it says it prints. */
  readonly output: readonly string[];
}

interface Ending {
  readonly failure: string;
  readonly output: readonly string[];
}

const examples = pages().flatMap((page) => examplesOf(page, blocksOf(read(page))));

describe('each example of the documents', { concurrency: Math.max(2, availableParallelism()) }, () => {
  for (const example of examples) {
    test(`${example.name} prints what it says`, async (t) => {
      const { failure, output } = await run(t, example);
      assert.equal(failure, '');
      assert.deepEqual(comparable(output, example.output), example.output);
    });
  }
});

describe('the documents', () => {
  test('have examples where users look for them', () => {
    for (const page of ['README.md', 'docs/api.md', 'docs/migration.md', 'docs/bytes.md']) {
      assert.ok(
        examples.some(({ name }) => name.startsWith(`${page} `)),
        page,
      );
    }
  });

  test('say the language of each block', () => {
    for (const page of pages()) {
      for (const { words, line } of blocksOf(read(page))) {
        assert.ok(languages.includes(words[0] ?? ''), `${page}, line ${line}: ${words[0]}`);
      }
    }
  });
});

describe('an example', () => {
  const single = (code: string): Example => {
    const [example] = examplesOf('page', [{ words: ['js'], code, line: 1 }]);
    assert.ok(example !== undefined);
    return example;
  };

  test('says what it prints behind the line or below it', () => {
    assert.deepEqual(single('console.log(1); // -> 1\nf();\n// -> { a: 2 }\n// a -> b').output, ['1', '{ a: 2 }']);
  });

  test('begins with the setup of its page', () => {
    const setup: Block = { words: ['js', 'setup'], code: 'const a = 1;', line: 1 };
    const found = examplesOf('page', [
      setup,
      { words: ['js'], code: 'a;', line: 9 },
      { words: ['sh'], code: '', line: 20 },
    ]);
    assert.deepEqual(
      found.map(({ name, code }) => [name, code]),
      [['page line 9', 'const a = 1;\na;']],
    );
  });

  test('may leave the end open, for figures', () => {
    assert.deepEqual(comparable(['a', 'b', 'c'], ['a', '...']), ['a', '...']);
    assert.deepEqual(comparable(['b', 'c'], ['a', '...']), ['b', '...']);
    assert.deepEqual(comparable(['a'], ['a', '...']), ['a']);
    assert.deepEqual(comparable(['a', 'b'], ['a']), ['a', 'b']);
  });

  test('fails when it prints something else, writes an error, or ends badly', async (t) => {
    assert.deepEqual(await run(t, single('console.log(1);')), { failure: '', output: ['1'] });
    assert.match((await run(t, single("console.error('mistake');"))).failure, /mistake/);
    assert.match((await run(t, single('process.exitCode = 3;'))).failure, /exit code 3/);
    assert.match((await run(t, single("throw new Error('thrown');"))).failure, /thrown/);
  });
});

function examplesOf(page: string, blocks: readonly Block[]): Example[] {
  const setup = blocks.find(({ words }) => words[1] === 'setup');
  return blocks
    .filter((block) => block !== setup && ['js', 'mjs'].includes(block.words[0] ?? ''))
    .map(({ words, code, line }) => ({
      name: `${page} line ${line}`,
      extension: words[0] ?? '',
      // A module has to import what it needs.
      code: setup === undefined || words[0] === 'mjs' ? code : `${setup.code}\n${code}`,
      output: [...code.matchAll(/(?:^|\s)\/\/ -> (.*)$/gm)].map(([, printed = '']) => printed),
    }));
}

/** The output with all lines from that on which the example says '...' replaced by these dots; at least one must be there. */
function comparable(output: readonly string[], expected: readonly string[]): readonly string[] {
  const kept = expected.length - 1;
  return expected[kept] === '...' && output.length > kept ? [...output.slice(0, kept), '...'] : output;
}

/** Runs an example in a folder of its own in which the package has been installed. */
function run(t: TestContext, { extension, code }: Example): Promise<Ending> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sqlite-tandem-docs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(root, path.join(folder, 'node_modules', 'sqlite-tandem'), 'junction');
  const file = path.join(folder, `example.${extension}`);
  writeFileSync(file, code);
  const options = {
    cwd: folder,
    timeout: timeLimit,
    killSignal: 'SIGKILL',
    // The runner's own variables would make the example speak the runner's protocol.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined, FORCE_COLOR: undefined },
  } as const;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file], options, (error, stdout, stderr) => {
      const ending = error === null ? '' : `exit code ${child.exitCode}, signal ${child.signalCode}\n`;
      resolve({ failure: ending + stderr, output: stdout.split('\n').slice(0, -1) });
    });
  });
}
