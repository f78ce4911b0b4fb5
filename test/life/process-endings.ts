// Every way a process ends, at every stage: its exit code, and what it leaves behind.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { expectProgram } from '../support/child.js';
import { codes, forEachStage, leftBeside, type Plan } from './endings.js';

export function testProcessEndings(plan: Plan): void {
  for (const end of ['the end of the loop', 'process.exit()', 'an exception', 'SIGTERM'] as const) {
    describe(`${end} ends a process that uses ${plan.name}`, { concurrency: 2 }, () => {
      forEachStage(plan, end, async (_t, ending) => {
        await expectProgram(plan.program, {
          output: [],
          argument: ending,
          ...(end === 'SIGTERM' ? { signal: end } : { code: codes[end] }),
          ...(end === 'an exception' ? { stderr: /Error: of the program/ } : {}),
        });
        // Nobody has killed it, so it has cleaned up.
        if (end === 'the end of the loop') assert.deepEqual(leftBeside(ending.file), []);
      });
    });
  }
}
