// Holds docs/bytes.md to the layout: its tables state every number by name, and its drawings show the same offsets.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { blocksOf, plain, read, tablesOf } from './markdown.js';

const page = read('docs/bytes.md');
const numbers: Readonly<Record<string, number>> = layout;
const charactersPerByte = 8;

/** A field in a drawing: the words of its drawing, its label, and the offset at which it is drawn. */
interface Field {
  readonly prefixes: readonly string[];
  readonly label: string;
  readonly offset: number;
}

describe('the tables of docs/bytes.md', () => {
  const stated = tablesOf(page)
    .filter(({ head }) => head[0] === 'name' && head[1] === 'value')
    .flatMap(({ rows }) => rows.map(([name = '', value = '']) => [plain(name), Number(value)] as const));

  test('state each number of the layout, and no other', () => {
    assert.deepEqual(stated.map(([name]) => name).sort(), Object.keys(numbers).sort());
  });

  test('state the values of the layout', () => {
    assert.deepEqual(Object.fromEntries(stated), { ...numbers });
  });
});

describe('the drawings of docs/bytes.md', () => {
  const drawings = blocksOf(page).filter(({ words }) => words[1] === 'drawing');
  const fields = drawings.flatMap(({ words, code }) => fieldsOf(words.slice(2), code));

  test('show fields of the layout at their offsets', () => {
    assert.deepEqual(fields.map(describeField).filter(Boolean), []);
  });

  test('show every offset of the layout', () => {
    const drawn = new Set(fields.map((field) => nameOf(field)));
    assert.deepEqual(
      Object.keys(numbers).filter((name) => name.endsWith('At') && !drawn.has(name)),
      [],
    );
  });

  test('are told apart when they are right or wrong', () => {
    const problems = (...lines: string[]): (string | undefined)[] =>
      fieldsOf(['done', 'record'], lines.join('\n')).map(describeField);
    assert.deepEqual(problems(' 0 | length                        | kind  | flags |  [0]          |'), ['', '', '']);
    assert.deepEqual(problems('16 | changes                                                       |'), ['']);
    assert.deepEqual(problems('24 | changes                                                       |'), [
      'doneChangesAt is 16, drawn at 24',
    ]);
    assert.deepEqual(problems(' 8 | what                                                          |'), [
      'what is no field of done, record',
    ]);
  });
});

/** One line of a drawing shows eight bytes: their offset, then a bar before each field. Labels in brackets are no fields. */
function fieldsOf(prefixes: readonly string[], drawing: string): Field[] {
  return drawing.split('\n').flatMap((line) => {
    const start = /^ *(\d+) \|/.exec(line);
    if (start === null) return [];
    const bars = start[0].length - 1;
    return [...line.matchAll(/\| (\w+) /g)].map(({ 1: label = '', index }) => ({
      prefixes,
      label,
      offset: Number(start[1]) + (index - bars) / charactersPerByte,
    }));
  });
}

function nameOf({ prefixes, label }: Field): string | undefined {
  const capital = label.charAt(0).toUpperCase() + label.slice(1);
  return [`${label}At`, ...prefixes.map((prefix) => `${prefix}${capital}At`)].find((name) =>
    Object.hasOwn(numbers, name),
  );
}

/** What is wrong with a field; empty when nothing is. */
function describeField(field: Field): string {
  const name = nameOf(field);
  if (name === undefined) return `${field.label} is no field of ${field.prefixes.join(', ')}`;
  return numbers[name] === field.offset ? '' : `${name} is ${numbers[name]}, drawn at ${field.offset}`;
}
