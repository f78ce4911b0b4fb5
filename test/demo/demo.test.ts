// Runs the demo, small, as `npm start` does: figures of both modes, and a picture with spans of both lanes.
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../support/database.js';

const root = path.resolve(__dirname, '../..');

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Classes of the elements around it, the outermost first. */
  readonly inside: readonly string[];
}

describe('the demo', () => {
  test('prints both modes, draws both lanes of both, and leaves no file but the picture', (t) => {
    const folder = temporaryFolder(t);
    const temporary = path.join(folder, 'temporary');
    const picture = path.join(folder, 'new folder', 'timeline.svg');
    mkdirSync(temporary);

    const output = demo(['--scale', '0.05', '--svg', picture], temporary);
    assertFigures(output);
    assert.ok(output.includes(picture), 'it says where the picture is');
    assert.deepEqual(readdirSync(temporary), [], 'the database is gone');
    assertPicture(readFileSync(picture, 'utf8'));
  });

  test('refuses a scale that is no number from 0 to 1', (t) => {
    for (const scale of ['0', '2', 'half']) {
      const { status, stdout, stderr } = run(['--scale', scale], temporaryFolder(t));
      assert.notEqual(status, 0, scale);
      assert.match(stderr, /--scale must be a number/);
      assert.equal(stdout, '');
    }
  });
});

describe('the check of the picture', () => {
  test('refuses what is not well-formed', () => {
    for (const wrong of [
      '<a>',
      '</a>',
      '<a></b>',
      '<a b=c/>',
      '<a>&</a>',
      '<a>b < c</a>',
      '<a/><b/>',
      'text',
      '<a b="&"/>',
    ]) {
      assert.throws(() => elementsOf(wrong), assert.AssertionError, wrong);
    }
  });

  test('finds the elements and what is around them', () => {
    assert.deepEqual(elementsOf('<a class="x">text &#38; <b c="1" d="2"/></a>\n'), [
      { name: 'a', attributes: { class: 'x' }, inside: [] },
      { name: 'b', attributes: { c: '1', d: '2' }, inside: ['x'] },
    ]);
  });
});

function run(args: readonly string[], temporary: string): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [path.join(root, 'demo/run.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
}

/** What the demo printed, which must have succeeded. */
function demo(args: readonly string[], temporary: string): string {
  const { status, signal, stdout, stderr } = run(args, temporary);
  assert.equal(stderr, '');
  assert.equal(signal, null);
  assert.equal(status, 0);
  return stdout;
}

function assertFigures(output: string): void {
  assert.match(output, /50 x 500 rows +eager off +eager on\n/);
  for (const label of ['elapsed', 'per SELECT', "SQLite's thread busy", 'both at the same time']) {
    assert.match(output, new RegExp(`^ +${label} +[\\d.]+ ms +[\\d.]+ ms`, 'm'));
  }
  assert.match(output, /^ +event-loop utilisation +[01]\.\d\d +[01]\.\d\d$/m);
  for (const query of ['nearest 10 to a point', 'a country as GeoJSON', 'names with a prefix']) {
    assert.match(output, new RegExp(`^ +${query} +\\d+ +[\\d,]+ +\\d+ ms +\\d+ ms +[\\d.]+x as fast`, 'm'));
  }
  assert.match(output, /CC BY 4\.0/);
  assert.doesNotMatch(output, /NaN|Infinity|undefined|\[object/);
  assert.ok(!output.includes('\u001B'), 'there are no colours, since it is no terminal');
  const lanes = output.split('\n').filter((line) => /^ +(SQLite|event loop) +[▁▂▃▄▅▆▇█]/.test(line));
  assert.equal(lanes.length, 8, 'two lanes in two modes of two workloads');
  const tooLong = output.split('\n').filter((line) => line.length > 100 && !line.includes('timeline.svg'));
  assert.deepEqual(tooLong, [], 'it fits a terminal');
}

function assertPicture(svg: string): void {
  const elements = elementsOf(svg);
  assert.equal(elements[0]?.name, 'svg');
  const width = number(elements[0], 'width');
  for (const mode of ['eager-off', 'eager-on']) {
    const panels = elements.filter(({ name, attributes }) => name === 'g' && attributes['class'] === mode);
    assert.equal(panels.length, 2, `${mode} of two workloads`);
    for (const lane of ['sqlite', 'loop']) {
      const spans = elements.filter(
        ({ name, attributes, inside }) =>
          name === 'rect' && inside.at(-1) === mode && attributes['class']?.split(' ')[0] === lane,
      );
      assert.ok(spans.length > 1, `${mode}: ${lane} has spans`);
      assert.ok(
        spans.some((span) => number(span, 'width') > 0),
        `${mode}: ${lane} has visible spans`,
      );
      for (const span of spans) {
        const x = number(span, 'x');
        assert.ok(x >= 0 && x + number(span, 'width') <= width, 'spans are inside the picture');
      }
    }
  }
}

function number(element: Element | undefined, attribute: string): number {
  const text = element?.attributes[attribute] ?? '';
  assert.match(text, /^\d+(\.\d+)?$/, `${attribute} of ${element?.name}`);
  return Number(text);
}

/** The elements of an XML document in their order; fails where it is not well-formed. */
function elementsOf(xml: string): Element[] {
  const found: Element[] = [];
  const open: { name: string; label: string }[] = [];
  let at = 0;
  for (const tag of xml.matchAll(/<(\/?)([a-z?][\w:]*)((?:\s+[\w:-]+="[^"<]*")*)\s*([/?]?)>/gi)) {
    const [text, closing, name = '', attributes = '', end] = tag;
    assertText(xml.slice(at, tag.index), open.length > 0);
    at = tag.index + text.length;
    if (name.startsWith('?')) {
      assert.ok(end === '?' && tag.index === 0, 'the declaration comes first');
    } else if (closing === '/') {
      assert.equal(open.pop()?.name, name, `</${name}> closes the innermost element`);
    } else {
      assert.ok(open.length > 0 || found.length === 0, 'there is one outermost element');
      const element = { name, attributes: attributesOf(attributes), inside: open.map(({ label }) => label) };
      found.push(element);
      if (end !== '/') open.push({ name, label: element.attributes['class'] ?? '' });
    }
  }
  assertText(xml.slice(at), false);
  assert.deepEqual(open, [], 'every element is closed');
  assert.ok(found.length > 0, 'there is an element');
  return found;
}

/** Text between tags: nothing that begins a tag or an entity, and only white space outside the outermost element. */
function assertText(text: string, inside: boolean): void {
  assert.doesNotMatch(text, inside ? /<|&(?!#\d+;)/ : /\S/);
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([\w:-]+)="([^"]*)"/g)) {
    assertText(value, true);
    assert.ok(!Object.hasOwn(attributes, name), `${name} is there once`);
    attributes[name] = value;
  }
  return attributes;
}
