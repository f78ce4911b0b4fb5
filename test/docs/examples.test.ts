// Runs the JavaScript in the pages: each block is a program of its own, and prints what its comments say.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, test } from 'node:test';
import { comparable, type Example, run, statedOutput } from './example.js';
import { type Block, blocksOf, pages, read } from './markdown.js';

const languages = ['js', 'mjs', 'json', 'sh', 'text', 'ts'];

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

  test('that is a module begins with the setup if that is a module, too', () => {
    const module: Block = { words: ['mjs'], code: 'b;', line: 9 };
    const setup = (language: string): Block => ({ words: [language, 'setup'], code: 'a;', line: 1 });
    assert.deepEqual(examplesOf('page', [setup('mjs'), module])[0]?.code, 'a;\nb;');
    assert.deepEqual(examplesOf('page', [setup('js'), module])[0]?.code, 'b;');
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
      // A module has to import what it needs, unless the setup of its page is one, too.
      code: setup === undefined || words[0] !== setup.words[0] ? code : `${setup.code}\n${code}`,
      output: statedOutput(code),
    }));
}
