// Text is cut from blocks: in order, whatever the lengths, and never from more than one block.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Damage } from 'sqlite-tandem/lib/result/damage.js';
import { TextBlocks } from 'sqlite-tandem/lib/result/text.js';

/** Blocks of these texts, behind `before` soiled bytes and `skip` lengths that belong to somebody else. */
const begin = (wide: boolean, blocks: readonly string[], before = 0, skip = 0): TextBlocks => {
  const bytes = blocks.map((block) => Buffer.from(block, wide ? 'utf16le' : 'latin1'));
  const lengths = new Uint32Array([...Array(skip).fill(99), ...bytes.map(({ length }) => length)]);
  const texts = new TextBlocks(wide);
  const soiled = Buffer.concat([Buffer.alloc(before, 0xee), ...bytes, Buffer.alloc(8, 0xee)]);
  texts.begin(soiled, lengths, skip, lengths.length, before, soiled.length - 8);
  return texts;
};

const take = (texts: TextBlocks, ...units: readonly number[]): string[] => units.map((count) => texts.take(count));

describe('texts', () => {
  for (const wide of [true, false]) {
    const kind = wide ? 'UTF-16' : 'Latin-1';
    test(`of ${kind} come in the order of the bytes, across blocks`, () => {
      const texts = begin(wide, ['onetwo', 'three', 'fourfive'], 24, 3);
      assert.deepEqual(take(texts, 3, 3, 5, 4, 4), ['one', 'two', 'three', 'four', 'five']);
    });

    test(`of ${kind} may be empty anywhere: first, between, at the end of a block, last`, () => {
      const texts = begin(wide, ['ab', 'cd']);
      assert.deepEqual(take(texts, 0, 2, 0, 0, 2, 0), ['', 'ab', '', '', 'cd', '']);
    });

    test(`of ${kind} may all be empty`, () => {
      assert.deepEqual(take(begin(wide, ['']), 0, 0, 0), ['', '', '']);
    });
  }

  test('of UTF-16 are counted in its units', () => {
    const texts = begin(true, ['é語', '😀x\0', '\ufeffz']);
    assert.deepEqual(take(texts, 1, 1, 2, 2, 2), ['é', '語', '😀', 'x\0', '\ufeffz']);
  });

  test('of the next record do not continue those of the last', () => {
    const texts = begin(false, ['left over']);
    assert.equal(texts.take(4), 'left');
    texts.begin(Buffer.from('new'), new Uint32Array([3]), 0, 1, 0, 3);
    assert.equal(texts.take(3), 'new');
  });

  test('that a damaged record does not have are an error: beyond the block, the blocks, or their bytes', () => {
    const texts = begin(false, ['abc', 'def']);
    assert.equal(texts.take(2), 'ab');
    assert.throws(() => texts.take(1000), Damage);
    assert.throws(() => begin(false, []).take(1), Damage);
    assert.throws(() => begin(false, ['abc']).take(2 ** 32 - 1), Damage);
    const short = new TextBlocks(false);
    short.begin(Buffer.from('abcdef'), new Uint32Array([6]), 0, 1, 0, 3);
    assert.throws(() => short.take(1), Damage);
  });
});
