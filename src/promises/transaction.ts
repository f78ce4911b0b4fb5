// transaction(): a turn on the connection for one function, which ends with a commit or takes everything back.

import { constants } from '../constants.js';
import { abortError, type Cancellable, watch } from './cancel.js';
import { type MakeError, misuseError, rejection } from './errors.js';
import { checkTransaction, type TransactionOptions } from './options.js';
import { type Entry, Scope } from './scope.js';
import { CommandCall } from './script.js';

/** The turn itself: waits until no other transaction runs on the parent. */
class Turn implements Entry {
  readonly sql = undefined;
  readonly #take: () => void;
  readonly #refuse: (make: MakeError) => void;
  cancelled = false;

  constructor(take: () => void, refuse: (make: MakeError) => void) {
    this.#take = take;
    this.#refuse = refuse;
  }

  postponed(): void {}

  start(): void {
    this.#take();
  }

  refuse(make: MakeError): void {
    this.cancelled = true;
    this.#refuse(make);
  }

  cancel(make: MakeError): void {
    this.refuse(make);
  }
}

interface Commands {
  readonly begin: string;
  readonly commit: string;
  readonly rollback: string;
}

/** Inside another transaction it is a savepoint. */
const commandsOf = (scope: Scope, mode = 'deferred'): Commands => {
  const { depth } = scope;
  if (depth === 1) return { begin: `BEGIN ${mode.toUpperCase()}`, commit: 'COMMIT', rollback: 'ROLLBACK' };
  const name = `tandem_${depth}`;
  return { begin: `SAVEPOINT ${name}`, commit: `RELEASE ${name}`, rollback: `ROLLBACK TO ${name}; RELEASE ${name}` };
};

const over: MakeError = misuseError('the transaction has ended');

/** One transaction on its way. */
class Run implements Cancellable {
  readonly #parent: Scope;
  readonly #scope: Scope;
  readonly #commands: Commands;
  #turn: Turn | undefined;
  /** Why it was cancelled. */
  #cancelled: MakeError | undefined;
  /** Nothing can be cancelled any more. */
  #rollingBack = false;

  constructor(parent: Scope, scope: Scope, mode: TransactionOptions['mode']) {
    this.#parent = parent;
    this.#scope = scope;
    this.#commands = commandsOf(scope, mode);
  }

  cancel(make: MakeError): void {
    if (this.#cancelled !== undefined || this.#rollingBack) return;
    this.#cancelled = make;
    if (this.#turn !== undefined && !this.#turn.cancelled) this.#turn.refuse(make);
    this.#scope.cancel(make);
  }

  /** Waits for the turn; from then on, calls on the parent wait. */
  takeTurn(): Promise<void> {
    return new Promise((resolve) => {
      const turn = new Turn(
        () => {
          this.#turn = undefined;
          this.#parent.enter(this.#scope);
          resolve();
        },
        (make) => {
          this.#turn = undefined;
          resolve(rejection(make));
        },
      );
      this.#turn = turn;
      this.#parent.admit(turn);
    });
  }

  #command(sql: string): Promise<void> {
    return new CommandCall(this.#scope, sql).bypass();
  }

  async begin(): Promise<void> {
    if (this.#cancelled !== undefined) throw this.#cancelled();
    // Outside of the transaction around it, which ended meanwhile, a savepoint would begin one that nobody ends.
    if (this.#scope.ended) throw (this.#scope.refusal ?? over)();
    return this.#command(this.#commands.begin);
  }

  /** The function, or the end that a cancellation, or that of the transaction around it, puts to waiting for it. */
  execute<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const scope = this.#scope;
      if (this.#cancelled !== undefined) return resolve(rejection(this.#cancelled));
      if (scope.ended) return resolve(rejection(scope.refusal ?? over));
      scope.onEnd = (make) => resolve(rejection(make));
      // A rejection that comes when the function has returned would be nobody's.
      const returned = (): void => {
        scope.onEnd = undefined;
      };
      scope
        .run(async () => work())
        .finally(returned)
        .then(resolve, reject);
    });
  }

  /** Why the work of a function that returned cannot be committed. */
  problem(): MakeError | undefined {
    if (this.#cancelled !== undefined) return this.#cancelled;
    // A transaction around this one ended first, and this with it.
    if (this.#scope.ended) return this.#scope.refusal ?? over;
    const left = this.#scope.unfinished;
    if (left === undefined && !this.#scope.busy) return undefined;
    const what = left?.sql === undefined ? 'a nested transaction' : `"${left.sql}"`;
    return misuseError(
      `the function of the transaction returned before ${what} had finished, so everything was rolled back: ` +
        'an await is missing',
      left?.sql,
    );
  }

  /** Whether the transaction around this one has ended, which took the savepoint with it. */
  get #outlived(): boolean {
    return this.#parent.parent !== undefined && this.#parent.ended;
  }

  async commit(): Promise<void> {
    this.#close();
    if (this.#outlived) throw (this.#parent.refusal ?? over)();
    try {
      await this.#command(this.#commands.commit);
    } catch (error) {
      await this.rollBack();
      throw error;
    }
  }

  async rollBack(): Promise<void> {
    this.#close();
    this.#rollingBack = true;
    if (this.#outlived) return;
    try {
      await this.#command(this.#commands.rollback);
    } catch (error) {
      // There is nothing to roll back: SQLite has done it already, as it does after some errors.
      if ((error as { errno?: unknown }).errno !== constants.ERROR) throw error;
    }
  }

  /** Before the end is sent, so that nothing comes behind it. */
  #close(): void {
    this.#scope.end(over);
    for (const handle of this.#scope.handles ?? []) handle.finalize();
    this.#scope.handles?.clear();
  }

  leave(): void {
    this.#parent.leave();
  }
}

/**
 * Runs `work` with the object that `make` makes of the new scope. Fulfilled with what it returns once that is committed;
 * rejected with what it throws, with an SqliteError of the begin or the commit, or because it was cancelled, once
 * everything has been rolled back.
 */
export const runTransaction = async <T, Given>(
  parent: Scope,
  work: (given: Given) => T | PromiseLike<T>,
  options: TransactionOptions,
  make: (scope: Scope) => Given,
): Promise<T> => {
  checkTransaction(options, parent.parent !== undefined);
  if (typeof work !== 'function') throw new TypeError('transaction() needs a function');
  if (options.signal?.aborted) throw abortError(options.signal)();
  const scope = new Scope(parent.session, parent);
  const run = new Run(parent, scope, options.mode);
  const watching = watch(run, options);
  try {
    await run.takeTurn();
    return await inTurn(run, () => work(make(scope)));
  } finally {
    watching?.stop();
  }
};

const inTurn = async <T>(run: Run, work: () => T | PromiseLike<T>): Promise<T> => {
  try {
    await run.begin();
    let value: T;
    try {
      value = await run.execute(work);
      const problem = run.problem();
      if (problem !== undefined) throw problem();
    } catch (error) {
      await run.rollBack();
      throw error;
    }
    await run.commit();
    return value;
  } finally {
    run.leave();
  }
};
