// Random interleavings of calls against a model: every promise settles, order holds, nothing is lost or done twice.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { open } from 'sqlite-tandem/promises';
import { numbers } from '../support/database.js';
import { checkOrder, compare, Execution, fixedRows, type Outcome, programs } from './model.js';

/** More of them by `npm run test:model`. */
const runs = Number(process.env['SQLITE_TANDEM_MODEL_RUNS'] ?? 500);
/** A program that takes longer is taken for hung. */
const timeLimit = 60_000;

describe('any program of run, get, all, iterate, transaction, abort and close', () => {
  test(`behaves as on a Set: ${runs} of them`, async () => {
    const property = fc.asyncProperty(programs, async (program) => {
      const db = await open(':memory:');
      await db.exec(
        `CREATE TABLE t (v INTEGER PRIMARY KEY); CREATE TABLE fixed (v);
        INSERT INTO fixed SELECT v - 1 FROM (${numbers(fixedRows)})`,
      );
      const execution = new Execution(db);
      await execution.run(program);
      const model = new Set<number>();
      compare(execution.outcomes, model);
      checkOrder(execution.outcomes);
      if (db.isOpen) {
        const rows = await db.all('SELECT v FROM t ORDER BY v', [], { rowMode: 'value' });
        assert.deepEqual(
          rows,
          [...model].sort((a, b) => a - b),
        );
      }
      await db.close();
      assert.equal(db.stats().queueLength, 0);
    });
    await fc.assert(property, { numRuns: runs, timeout: timeLimit, endOnFailure: runs > 500 });
  });
});

describe('the comparison finds', () => {
  const outcome = (call: Outcome['call'], state: Outcome['state'], value?: unknown, settledAt = 0): Outcome => ({
    call,
    inner: [],
    late: false,
    state,
    value,
    settledAt,
  });
  const insert = { kind: 'insert', value: 1, cancellable: false } as const;
  const all = { kind: 'all', cancellable: false } as const;

  const wrong: readonly (readonly [string, readonly Outcome[]])[] = [
    ['a promise that never settles', [outcome(all, 'pending')]],
    ['a lost row', [outcome(insert, 'fulfilled', 1), outcome(all, 'fulfilled', [])]],
    ['a doubled row', [outcome({ kind: 'iterate', wanted: 2, cancellable: false }, 'fulfilled', [0, 0])]],
    ['a call that was cancelled by nobody', [outcome(all, 'aborted')]],
    [
      'a call that was executed and says it was not',
      [outcome({ ...insert, cancellable: true }, 'aborted'), outcome(all, 'fulfilled', [1])],
    ],
    ['an error that should not be', [outcome(insert, 'failed')]],
  ];
  for (const [name, outcomes] of wrong) {
    test(name, () => {
      assert.throws(() => compare(outcomes, new Set()), assert.AssertionError);
    });
  }

  test('a wrong order', () => {
    const outcomes = [outcome(all, 'fulfilled', [], 2), outcome(all, 'fulfilled', [], 1)];
    assert.throws(() => checkOrder(outcomes), assert.AssertionError);
  });
});
