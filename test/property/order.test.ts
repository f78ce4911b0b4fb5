// Random calls on one database: each callback is called once, in the order of the calls, and sees what came before it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import sqlite3 from 'sqlite-tandem';
import { send } from '../support/calls.js';
import { check } from './check.js';

type Step =
  | { readonly on: 'database'; readonly method: 'run' | 'get' | 'all' | 'each' | 'exec' | 'wait' | 'fail' | 'close' }
  | { readonly on: 'statement'; readonly method: string; readonly which: number }
  | { readonly on: 'new statement'; readonly sql: string }
  | { readonly on: 'event'; readonly event: 'trace' | 'profile' | 'change'; readonly listens: boolean }
  | { readonly on: 'option'; readonly eager: boolean }
  | { readonly on: 'loop'; readonly wait: 'job' | 'turn' };

const queries = ['select n as v from c', 'update c set n = n + 1', 'values (1), (2), (3)', 'no statement'];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    on: fc.constant('database' as const),
    method: fc.constantFrom('run', 'run', 'get', 'all', 'each', 'exec', 'wait', 'fail', 'close'),
  }),
  fc.record({
    on: fc.constant('statement' as const),
    method: fc.constantFrom('run', 'get', 'all', 'each', 'bind', 'reset', 'map', 'finalize', 'finalize'),
    which: fc.nat({ max: 3 }),
  }),
  fc.record({ on: fc.constant('new statement' as const), sql: fc.constantFrom(...queries) }),
  fc.record({
    on: fc.constant('event' as const),
    event: fc.constantFrom('trace' as const, 'profile' as const, 'change' as const),
    listens: fc.boolean(),
  }),
  fc.record({ on: fc.constant('option' as const), eager: fc.boolean() }),
  fc.record({ on: fc.constant('loop' as const), wait: fc.constantFrom('job' as const, 'turn' as const) }),
);

interface Prepared {
  readonly statement: sqlite3.Statement;
  readonly sql: string;
  finalized: boolean;
}

interface Call {
  readonly name: string;
  answers: number;
  /** Answered before the call returned: only refusals of what is closed or finalized may be. */
  atOnce: boolean;
}

type Check = (error: unknown, result: unknown) => void;

/** How long a run may take before the calls without an answer are named. */
const PATIENCE = 20_000;

/** Makes the calls, and keeps a model of what each must be answered. */
class Play {
  readonly #db = new sqlite3.Database(':memory:');
  readonly #statements: Prepared[] = [];
  readonly #calls: Call[] = [];
  /** Indices of calls, in the order of their answers. */
  readonly #answered: number[] = [];
  readonly #problems: unknown[] = [];
  #unanswered = 0;
  #current = -1;
  #counter = 0;
  #closed = false;
  #whenDone: () => void = () => undefined;

  constructor() {
    // For configure() on a closed database, which has no callback.
    this.#db.on('error', () => undefined);
    this.#call(this.#db, 'exec', ['create table c(n); insert into c values(0)'], (error) => assert.equal(error, null));
  }

  /** The callback of the next call. */
  #callback(name: string, check: Check): (...args: unknown[]) => void {
    const index = this.#calls.length;
    const call: Call = { name, answers: 0, atOnce: false };
    this.#calls.push(call);
    this.#unanswered++;
    return (error, result) => {
      call.answers++;
      call.atOnce = this.#current === index;
      if (!call.atOnce) this.#answered.push(index);
      try {
        assert.ok(!call.atOnce || error instanceof Error, 'only errors come at once');
        check(error, result);
      } catch (problem) {
        this.#problems.push([index, name, problem]);
      }
      if (--this.#unanswered === 0) this.#whenDone();
    };
  }

  #call(target: object, method: string, args: readonly unknown[], check: Check): unknown {
    const callback = this.#callback(`${target.constructor.name}.${method}(${args.join()})`, check);
    this.#current = this.#calls.length - 1;
    const index = this.#current;
    // Rows of each() come when all calls before it have been answered, and it has not.
    const onRow = (error: unknown): void => {
      if (error !== null) return;
      const rest = this.#calls.slice(0, index).filter(({ answers }) => answers !== 1);
      if (rest.length > 0 || this.#calls[index]?.answers !== 0) this.#problems.push([index, 'a row out of order']);
    };
    const result = send(target, method, ...args, ...(method === 'each' ? [onRow] : []), callback);
    this.#current = -1;
    return result;
  }

  #onDatabase(method: string): void {
    const db = this.#db;
    const refused = this.#closed;
    const plain: Check = (error) => assert.equal(error instanceof Error, refused, String(error));
    if (method === 'run' || method === 'exec') {
      if (!refused) this.#counter++;
      this.#call(db, method, ['update c set n = n + 1'], plain);
    } else if (method === 'fail') {
      this.#call(db, 'all', ['no statement'], (error) => assert.ok(error instanceof Error));
    } else if (method === 'wait') {
      this.#call(db, 'wait', [], plain);
    } else if (method === 'close') {
      const busy = this.#statements.some(({ finalized, sql }) => !finalized && sql !== 'no statement');
      this.#call(db, 'close', [], (error) => assert.equal(error instanceof Error, refused || busy, String(error)));
      this.#closed ||= !busy;
    } else {
      this.#call(db, method, ['select n as v from c'], this.#query(method, refused));
    }
  }

  /** What the one row of the counter must be, after all the calls that have been made up to now. */
  #query(method: string, refused: boolean): Check {
    const v = this.#counter;
    return (error, result) => {
      assert.equal(error instanceof Error, refused, String(error));
      if (refused) return;
      if (method === 'get') assert.deepEqual(result, { v });
      if (method === 'all') assert.deepEqual(result, [{ v }]);
      if (method === 'each') assert.equal(result, 1);
      if (method === 'map') assert.deepEqual(result, { [v]: undefined });
    };
  }

  #onStatement(method: string, which: number): void {
    const prepared = this.#statements.at(-1 - which);
    if (prepared === undefined) return;
    const { statement, sql } = prepared;
    // Whether get() starts anew depends on where the cursor is, which is not modelled.
    const known = method !== 'get';
    if (!known && sql.startsWith('update')) return;
    const refused = prepared.finalized || sql === 'no statement' || this.#closed;
    if (['run', 'all', 'each', 'map'].includes(method) && sql.startsWith('update') && !refused) this.#counter++;
    const plain: Check = (error) => assert.equal(error instanceof Error, refused, String(error));
    if (method === 'finalize') {
      // Closing has made an end of all statements, so there may be nothing to complain about.
      const unknown = this.#closed && !prepared.finalized;
      prepared.finalized = true;
      if (unknown) return void this.#call(statement, method, [], () => undefined);
    }
    this.#call(statement, method, [], known && sql.startsWith('select') ? this.#query(method, refused) : plain);
  }

  #prepare(sql: string): void {
    const refused = this.#closed || sql === 'no statement';
    const check: Check = (error) => assert.equal(error instanceof Error, refused, String(error));
    const statement = this.#call(this.#db, 'prepare', [sql], check) as sqlite3.Statement;
    // On a closed database there is nothing to finalize.
    this.#statements.push({ statement, sql, finalized: false });
  }

  #listen(event: 'trace' | 'profile' | 'change', listens: boolean): void {
    if (listens) this.#db.on(event, () => undefined);
    else this.#db.removeAllListeners(event);
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const one of steps) {
      if (one.on === 'database') this.#onDatabase(one.method);
      else if (one.on === 'statement') this.#onStatement(one.method, one.which);
      else if (one.on === 'new statement') this.#prepare(one.sql);
      else if (one.on === 'event') this.#listen(one.event, one.listens);
      else if (one.on === 'option') this.#db.configure('eager', one.eager);
      else await (one.wait === 'turn' ? turn() : Promise.resolve());
    }
    this.#statements.forEach(({ finalized }, i) => {
      if (!finalized) this.#onStatement('finalize', this.#statements.length - 1 - i);
    });
    this.#onDatabase('close');
    await this.#done();
    assert.deepEqual(this.#problems, []);
    assert.deepEqual(
      this.#calls.filter(({ answers }) => answers !== 1),
      [],
      'each callback was called once',
    );
    assert.deepEqual(
      this.#answered,
      this.#answered.toSorted((a, b) => a - b),
      'callbacks came in the order of the calls',
    );
  }

  async #done(): Promise<void> {
    if (this.#unanswered === 0) return;
    await new Promise<void>((resolve, reject) => {
      const limit = setTimeout(() => {
        const left = this.#calls.filter(({ answers }) => answers === 0).map(({ name }) => name);
        reject(new Error(`never answered: ${left.join()}`));
      }, PATIENCE);
      this.#whenDone = () => {
        clearTimeout(limit);
        resolve();
      };
    });
    // Whatever is answered twice is so by now.
    await turn();
  }
}

test('any calls in any order are answered once, in their order, and each sees what came before it', async () => {
  await check(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => new Play().run(steps)),
    500,
  );
});
