// The model test's two sides: a program of random calls executed on a database, and the same program on a Set.
import assert from 'node:assert/strict';
import { setImmediate as immediate } from 'node:timers/promises';
import fc from 'fast-check';
import { AbortError, type Database, SqliteError, type Transaction } from 'sqlite-tandem/promises';

/** Rows of a second table, which nobody changes. */
export const fixedRows = 150;

export type Step =
  | { readonly kind: 'insert' | 'remove'; readonly value: number; readonly cancellable: boolean }
  | { readonly kind: 'count' | 'all'; readonly cancellable: boolean }
  | { readonly kind: 'iterate'; readonly wanted: number; readonly cancellable: boolean }
  | {
      readonly kind: 'transaction';
      readonly steps: readonly Step[];
      readonly fails: boolean;
      readonly atOnce: boolean;
      readonly cancellable: boolean;
    }
  | { readonly kind: 'abort'; readonly which: number }
  | { readonly kind: 'wait'; readonly how: 'job' | 'turn' | 'all' }
  | { readonly kind: 'close' };

type Call = Exclude<Step, { kind: 'abort' | 'wait' | 'close' }>;

/** How a call ended; `inner` are the calls that the function of a transaction made. */
export interface Outcome {
  readonly call: Call;
  readonly inner: Outcome[];
  /** It was called behind close(). */
  readonly late: boolean;
  state: 'pending' | 'fulfilled' | 'failed' | 'aborted' | 'refused';
  value: unknown;
  /** When it was settled. */
  settledAt: number;
}

const mistake = new Error('the function of the transaction failed');

const { step } = fc.letrec<{ step: Step; leaf: Step; transaction: Step }>((tie) => ({
  leaf: fc.oneof(
    fc.record({
      kind: fc.constantFrom('insert' as const, 'remove' as const),
      value: fc.integer({ min: 0, max: 9 }),
      cancellable: fc.boolean(),
    }),
    fc.record({ kind: fc.constantFrom('count' as const, 'all' as const), cancellable: fc.boolean() }),
    fc.record({
      kind: fc.constant('iterate' as const),
      wanted: fc.integer({ min: 1, max: fixedRows + 1 }),
      cancellable: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('abort' as const), which: fc.nat() }),
    fc.record({
      kind: fc.constant('wait' as const),
      how: fc.constantFrom('job' as const, 'turn' as const, 'all' as const),
    }),
  ),
  transaction: fc.record({
    kind: fc.constant('transaction' as const),
    steps: fc.array(tie('step'), { maxLength: 4 }),
    fails: fc.boolean(),
    atOnce: fc.boolean(),
    cancellable: fc.boolean(),
  }),
  step: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 5, arbitrary: tie('leaf') },
    { weight: 1, arbitrary: tie('transaction') },
  ),
}));

const close: fc.Arbitrary<Step> = fc.constant({ kind: 'close' });

/** Programs; most of them end with a close() in the middle of it all. */
export const programs: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof({ weight: 20, arbitrary: step }, { weight: 1, arbitrary: close }),
  { minLength: 1, maxLength: 20 },
);

/** Executes a program. All promises are settled when it is through. */
export class Execution {
  readonly outcomes: Outcome[] = [];
  readonly #db: Database;
  readonly #controllers: AbortController[] = [];
  readonly #pending: Promise<unknown>[] = [];
  #clock = 0;
  #closed = false;

  constructor(db: Database) {
    this.#db = db;
  }

  async run(program: readonly Step[]): Promise<void> {
    for (const each of program) {
      if (each.kind === 'close') {
        this.#closed = true;
        this.#pending.push(this.#db.close());
      } else if (each.kind === 'wait') {
        await this.#wait(each.how, this.#pending);
      } else {
        this.#start(this.#db, each, this.outcomes, this.#pending);
      }
    }
    await Promise.all(this.#pending);
  }

  async #wait(how: 'job' | 'turn' | 'all', pending: readonly Promise<unknown>[]): Promise<void> {
    if (how === 'job') await Promise.resolve();
    else if (how === 'turn') await immediate();
    else await Promise.all(pending);
  }

  /** Begins a call without waiting for it. */
  #start(
    on: Database | Transaction,
    each: Call | { kind: 'abort'; which: number },
    outcomes: Outcome[],
    pending: Promise<unknown>[],
  ): void {
    if (each.kind === 'abort') {
      if (this.#controllers.length !== 0) this.#controllers[each.which % this.#controllers.length]?.abort();
      return;
    }
    const late = on === this.#db && this.#closed;
    const outcome: Outcome = { call: each, inner: [], late, state: 'pending', value: undefined, settledAt: 0 };
    outcomes.push(outcome);
    const settle = (state: Outcome['state'], value: unknown): void => {
      assert.equal(outcome.state, 'pending', 'a promise is settled once');
      outcome.state = state;
      outcome.value = value;
      outcome.settledAt = ++this.#clock;
    };
    const call = this.#call(on, each, outcome.inner).then(
      (value) => settle('fulfilled', value),
      (error: unknown) => {
        if (error instanceof AbortError) settle('aborted', undefined);
        else if (error instanceof SqliteError && error.code === 'SQLITE_MISUSE') settle('refused', error.message);
        else settle('failed', error);
      },
    );
    pending.push(call);
  }

  async #call(on: Database | Transaction, each: Call, inner: Outcome[]): Promise<unknown> {
    const controller = each.cancellable ? new AbortController() : undefined;
    if (controller !== undefined) this.#controllers.push(controller);
    const options = { signal: controller?.signal };
    const value = { ...options, rowMode: 'value' } as const;
    switch (each.kind) {
      case 'insert':
        return (await on.run('INSERT INTO t VALUES (?)', [each.value], options)).lastID;
      case 'remove':
        return (await on.run('DELETE FROM t WHERE v = ?', [each.value], options)).changes;
      case 'count':
        return on.get('SELECT count(*) FROM t', [], value);
      case 'all':
        return on.all('SELECT v FROM t ORDER BY v', [], value);
      case 'iterate': {
        const rows: unknown[] = [];
        for await (const row of on.iterate('SELECT v FROM fixed ORDER BY v', [], value)) {
          if (rows.push(row) === each.wanted) break;
        }
        return rows;
      }
      case 'transaction': {
        let work: Promise<void> = Promise.resolve();
        const end = on.transaction((tx) => {
          work = this.#work(tx, each, inner);
          return work;
        }, options);
        // When it is cancelled, its promise is settled before the function has returned.
        return end.finally(() => work.catch(() => {}));
      }
    }
  }

  async #work(
    tx: Transaction,
    { steps, fails, atOnce }: Call & { kind: 'transaction' },
    inner: Outcome[],
  ): Promise<void> {
    const pending: Promise<unknown>[] = [];
    for (const each of steps) {
      if (each.kind === 'wait') await this.#wait(each.how, pending);
      else if (each.kind !== 'close') {
        this.#start(tx, each, inner, pending);
        if (!atOnce) await Promise.all(pending);
      }
    }
    await Promise.all(pending);
    if (fails) throw mistake;
  }
}

/** Compares the outcomes of calls, in the order in which they were made, with those on a Set, which is changed. */
export function compare(outcomes: readonly Outcome[], model: Set<number>, aborted = false, root = true): void {
  for (const outcome of outcomes) compareOne(outcome, model, aborted, root);
}

function compareOne(outcome: Outcome, model: Set<number>, aborted: boolean, root: boolean): void {
  const { call, state, value } = outcome;
  assert.notEqual(state, 'pending');
  if (outcome.late) return assert.equal(state, 'refused');
  if (state === 'aborted') {
    assert.ok(call.cancellable || aborted, 'only what can be cancelled is');
    // Whatever happened in a transaction that was cancelled has not happened; still its answers were right.
    compare(outcome.inner, new Set(model), true, false);
    return;
  }
  switch (call.kind) {
    case 'insert':
      if (model.has(call.value)) return assert.equal(state, 'failed');
      assert.deepEqual([state, value], ['fulfilled', call.value]);
      model.add(call.value);
      return;
    case 'remove':
      return assert.deepEqual([state, value], ['fulfilled', model.delete(call.value) ? 1 : 0]);
    case 'count':
      return assert.deepEqual([state, value], ['fulfilled', model.size]);
    case 'all':
      return assert.deepEqual([state, value], ['fulfilled', [...model].sort((a, b) => a - b)]);
    case 'iterate':
      // Its next chunk came behind close().
      if (root && state === 'refused') return assert.match(String(value), /the database is closed/);
      return assert.deepEqual(
        [state, value],
        ['fulfilled', Array.from({ length: Math.min(call.wanted, fixedRows) }, (_, i) => i)],
      );
    case 'transaction':
      return compareTransaction(outcome, call.fails, model, aborted);
  }
}

function compareTransaction(outcome: Outcome, fails: boolean, model: Set<number>, aborted: boolean): void {
  const inside = new Set(model);
  compare(outcome.inner, inside, aborted, false);
  if (fails) {
    assert.equal(outcome.state, 'failed');
    assert.equal(outcome.value, mistake);
    return;
  }
  assert.equal(outcome.state, 'fulfilled');
  model.clear();
  for (const value of inside) model.add(value);
}

/** The calls that were not cancelled and are no cursors are answered in the order in which they were made. */
export function checkOrder(outcomes: readonly Outcome[]): void {
  const times = outcomes
    .filter(({ call, state, late }) => call.kind !== 'iterate' && state !== 'aborted' && !late)
    .map(({ settledAt }) => settledAt);
  assert.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
  for (const { inner } of outcomes) checkOrder(inner);
}
