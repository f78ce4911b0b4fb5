// Programs that run in a process or a worker of their own, since they may crash, hang or end their process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type sqlite3 from 'sqlite-tandem';
import { patience } from './patience.js';

/** A program that takes longer, in milliseconds, is taken for hung; in the long form of test/life they take their time. */
const TIME_LIMIT = process.env['SQLITE_TANDEM_LONG'] === '1' ? 3_600_000 : patience(120_000);

/** What a program gets; it must not use anything else from around it, for only its text travels. */
export interface Kit {
  readonly sqlite3: typeof sqlite3;
  /** Path of the package, for a program that loads it somewhere else. */
  readonly path: string;
  readonly require: NodeJS.Require;
  /** What the test handed over; it went through JSON. */
  readonly argument: never;
  /** Adds one value to the output. */
  readonly print: (value: unknown) => void;
}

/** A program in the form of a function that is sent as text. */
export type Program = (kit: Kit) => void;

export interface Expectation {
  /** Values the program prints, one after the other. */
  readonly output: readonly unknown[];
  /** The order of the output is free; `output` is in the order of the lines' text. */
  readonly sorted?: boolean;
  /** Exit code; 0 unless said. */
  readonly code?: number;
  /** The signal that ends it, in place of an exit code. */
  readonly signal?: NodeJS.Signals;
  /** What the error stream says; nothing unless said. */
  readonly stderr?: RegExp;
  readonly argument?: unknown;
  readonly nodeOptions?: readonly string[];
  readonly cwd?: string;
}

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly hung: boolean;
}

/** Path of the package under test. */
export const packagePath: string = require.resolve('sqlite-tandem');

/** JavaScript that runs a program; fit for `node -e` and for a worker. */
export function sourceOf(program: Program, argument: unknown = null): string {
  return `'use strict';
    const path = ${JSON.stringify(packagePath)};
    const print = (value) => require('node:fs').writeSync(1, JSON.stringify(value) + '\\n');
    (${program.toString()})({ sqlite3: require(path), path, require, argument: ${JSON.stringify(argument)}, print });`;
}

/** Runs a program in a process of its own and asserts how it ended and what it printed. */
export async function expectProgram(program: Program, expectation: Expectation): Promise<void> {
  const ending = await run(program, expectation);
  assertEnding(ending, expectation);
  const output = printed(ending, expectation.sorted);
  assert.deepEqual(output, expectation.output, ending.stderr);
}

/** Runs a program, asserts that it ended as it should, and returns what it printed. */
export async function outputOf(program: Program, expectation: Omit<Expectation, 'output'> = {}): Promise<unknown[]> {
  const ending = await run(program, expectation);
  assertEnding(ending, expectation);
  return printed(ending);
}

function assertEnding(ending: Ending, expectation: Omit<Expectation, 'output'>): void {
  const said = `\n-- stdout\n${ending.stdout}\n-- stderr\n${ending.stderr}`;
  assert.ok(!ending.hung, `the program did not end within ${TIME_LIMIT / 1000} seconds${said}`);
  const signal = expectation.signal ?? null;
  assert.equal(ending.signal, signal, `the program was killed by ${ending.signal}, not ${signal}${said}`);
  assert.equal(ending.code, signal === null ? (expectation.code ?? 0) : null, `exit code${said}`);
  assert.match(ending.stderr, expectation.stderr ?? /^$/);
}

function printed(ending: Ending, sorted = false): unknown[] {
  const lines = ending.stdout.split('\n').filter((line) => line !== '');
  if (sorted) {
    lines.sort();
  }
  return lines.map((line): unknown => JSON.parse(line));
}

function run(program: Program, options: Omit<Expectation, 'output'>): Promise<Ending> {
  const args = [...(options.nodeOptions ?? []), '-e', sourceOf(program, options.argument)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The runner's own variables would make the child speak the runner's protocol.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let stdout = '';
  let stderr = '';
  let hung = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const limit = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, TIME_LIMIT);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ code, signal, stdout, stderr, hung });
    });
  });
}
