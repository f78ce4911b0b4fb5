// Reads the parts of the project's Markdown pages that tests compare with the code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root: string = path.resolve(__dirname, '../..');

/** A fenced block: the words behind its fence, its text, and the line on which the text begins. */
export interface Block {
  readonly words: readonly string[];
  readonly code: string;
  readonly line: number;
}

/** A table: the cells of its head and of its rows. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The pages at the root, in docs/ and in docs/api/, as paths from the root. */
export function pages(): string[] {
  return ['', 'docs/', 'docs/api/'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => folder + name),
  );
}

/** The text of a file of the project, by its path from the root. */
export function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

export function exists(file: string): boolean {
  return existsSync(path.join(root, file));
}

/** All fenced blocks. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { words: string[]; lines: string[]; line: number } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (open === undefined) {
      if (line.startsWith('```'))
        open = { words: line.slice(3).split(/\s+/).filter(Boolean), lines: [], line: index + 2 };
    } else if (line === '```') {
      blocks.push({ words: open.words, code: open.lines.join('\n'), line: open.line });
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  if (open !== undefined) throw new Error(`the block that begins on line ${open.line} has no end`);
  return blocks;
}

/** The text without its fenced blocks. */
export function proseOf(text: string): string {
  return text.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, '');
}

/** All tables. A cell may not hold a bar. */
export function tablesOf(text: string): Table[] {
  const cellsOf = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  return [...proseOf(text).matchAll(/^(\|.*\|)\n\|[ |:-]+\|\n((?:\|.*\|\n?)*)/gm)].map(([, head = '', body = '']) => ({
    head: cellsOf(head),
    rows: body.trimEnd().split('\n').map(cellsOf),
  }));
}

/** A text without the marks of code. */
export const plain = (text: string): string => text.replaceAll('`', '');

/** The texts of all headings, without the marks of code. */
export function headingsOf(text: string): string[] {
  return [...proseOf(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => plain(heading));
}
