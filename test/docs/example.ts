// Runs examples: programs that print what their comments say, in a folder of its own with the package installed.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { patience } from '../support/patience.js';
import { root } from './markdown.js';

/** An example that takes longer is taken for hung. */
const timeLimit = patience(30_000);

export interface Example {
  readonly name: string;
  readonly extension: string;
  readonly code: string;
  /** The lines it says it prints. */
  readonly output: readonly string[];
}

export interface Ending {
  readonly failure: string;
  readonly output: readonly string[];
}

/** The lines that a program says it prints: what stands behind its arrows. */
export function statedOutput(code: string): string[] {
  return [...code.matchAll(/(?:^|\s)\/\/ -> (.*)$/gm)].map(([, printed = '']) => printed);
}

/** The output with all lines from that on which the example says '...' replaced by these dots; at least one must be there. */
export function comparable(output: readonly string[], expected: readonly string[]): readonly string[] {
  const kept = expected.length - 1;
  return expected[kept] === '...' && output.length > kept ? [...output.slice(0, kept), '...'] : output;
}

/** Runs an example in a folder of its own in which the package has been installed. */
export function run(t: TestContext, { extension, code }: Example): Promise<Ending> {
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
