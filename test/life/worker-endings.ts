// Every way a worker ends, at every stage: it ends alone, with its code, and leaves nothing behind.
import path from 'node:path';
import { describe } from 'node:test';
import { expectProgram, type Program, sourceOf } from '../support/child.js';
import { codes, forEachStage, type Plan } from './endings.js';

/** Starts the worker, ends it if it does not end by itself, and prints how it ended and what it left. */
const mainProgram: Program = ({ argument, require, print }) => {
  const { source, folder } = argument as { source: string; folder: string };
  const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
  const { readdirSync: filesOf } = require('node:fs') as typeof import('node:fs');
  const worker = new Worker(source, { eval: true });
  // A stage may report more than once; a second terminate() would only add a listener to the worker.
  worker.once('message', () => void worker.terminate());
  worker.on('error', (error) => print(error.message));
  worker.on('exit', (code) => {
    print(code);
    print(filesOf(folder).filter((name) => /-(journal|wal|shm)$/.test(name)));
  });
};

export function testWorkerEndings(plan: Plan): void {
  for (const end of ['the end of the loop', 'process.exit()', 'an exception', 'terminate()'] as const) {
    describe(`${end} ends a worker that uses ${plan.name} alone`, { concurrency: 2 }, () => {
      forEachStage(plan, end, async (_t, ending) => {
        const code = end === 'terminate()' ? 1 : codes[end];
        await expectProgram(mainProgram, {
          // The threads of the worker were joined, and its databases closed, before it ended.
          output: [...(end === 'an exception' ? ['of the program'] : []), code, []],
          argument: { source: sourceOf(plan.program, ending), folder: path.dirname(ending.file) },
        });
      });
    });
  }

  describe(`process.exit() of the main thread ends a process with a worker that uses ${plan.name}`, {
    concurrency: 2,
  }, () => {
    forEachStage(plan, 'terminate()', async (_t, ending) => {
      await expectProgram(
        ({ argument, require }) => {
          const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
          new Worker(argument, { eval: true }).on('message', () => process.exit(6));
        },
        { output: [], code: 6, argument: sourceOf(plan.program, ending) },
      );
    });
  });
}
