// Whose turn it is on a connection: while a transaction runs, the calls of others wait, and those from inside it that
// bypass it are found out.

import { AsyncLocalStorage } from 'node:async_hooks';
import { layout } from '../native/layout.js';
import { type MakeError, misuseError } from './errors.js';
import type { Handle, Session } from './session.js';

/** Entries that are over stay in the queue until there are so many. */
const mostKept = 1000;

/** What waits for its turn. */
export interface Entry {
  readonly sql: string | undefined;
  /** It has been cancelled while it waited. */
  readonly cancelled: boolean;
  /** Told that it has to wait. */
  postponed(): void;
  start(): void;
  refuse(make: MakeError): void;
  cancel(make: MakeError): void;
}

/** The transaction in which code runs, and the one around it, which may be of another database. */
interface Context {
  readonly scope: Scope;
  readonly outer: Context | undefined;
}

const contexts = new AsyncLocalStorage<Context>();

/** Transactions whose functions have been called and that have not ended. */
let active = 0;

/** While a storage is in use, each promise of the program costs more; without a transaction nobody needs it. */
const release = (): void => {
  if (--active === 0) contexts.disable();
};

/** The innermost context whose transaction has not ended; ended ones are forgotten, so that chains stay short. */
const currentContext = (): Context | undefined => {
  let context = contexts.getStore();
  while (context?.scope.ended) context = context.outer;
  return context;
};

const ownTransaction = (sql: string | undefined): MakeError =>
  misuseError(
    'the database (or outer transaction, or one of its statements) was used inside its own transaction, which would ' +
      'wait for itself for ever; use the object that the function of transaction() gets',
    sql,
  );

/** A database, or a transaction on it: the calls made on that object. */
export class Scope {
  readonly session: Session;
  readonly parent: Scope | undefined;
  /** Calls and cursors that are not finished; only transactions need to know them. */
  readonly running: Set<Entry> | undefined;
  /** Statements of a transaction, which end with it. */
  readonly handles: Set<Handle> | undefined;
  /** Told when it ends while the function of its transaction runs. */
  onEnd: ((make: MakeError) => void) | undefined = undefined;
  /** The transaction that runs now, on behalf of this scope. */
  #child: Scope | undefined = undefined;
  readonly #queue: Entry[] = [];
  #next = 0;
  /** Why no call is taken any more. */
  #sealed: MakeError | undefined = undefined;
  #ended = false;
  #ran = false;

  constructor(session: Session, parent?: Scope) {
    this.session = session;
    this.parent = parent;
    this.running = parent === undefined ? undefined : new Set();
    this.handles = parent === undefined ? undefined : new Set();
  }

  /** How many transactions are around its calls. */
  get depth(): number {
    return this.parent === undefined ? 0 : this.parent.depth + 1;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** What calls are refused with, if they are. */
  get refusal(): MakeError | undefined {
    return this.#sealed;
  }

  /**
   * Flags that go with each of its requests: SQLite ends a transaction by itself after some errors, and what comes then
   * must not be executed outside of it.
   */
  get flags(): number {
    return this.parent === undefined ? 0 : layout.requestInTransaction;
  }

  /** Anything that has not finished; what waits behind a nested transaction, too. */
  get unfinished(): Entry | undefined {
    for (const entry of this.running ?? []) return entry;
    return this.#child?.unfinished ?? this.#waiting();
  }

  get busy(): boolean {
    return this.unfinished !== undefined || this.#child !== undefined;
  }

  #waiting(): Entry | undefined {
    return this.#queue.slice(this.#next).find((entry) => !entry.cancelled);
  }

  /** Starts the entry when it is its turn. `internal` is for what must go on although new calls are refused. */
  admit(entry: Entry, internal = false): void {
    if (this.#sealed !== undefined && !(internal && !this.#ended)) return entry.refuse(this.#sealed);
    if (this.#child === undefined) return entry.start();
    if (this.#child.holdsCaller()) return entry.refuse(ownTransaction(entry.sql));
    entry.postponed();
    this.#queue.push(entry);
  }

  /** Throws when the running code belongs to a transaction on this scope, which would be waited for. */
  checkCaller(sql?: string): void {
    if (this.#child?.holdsCaller()) throw ownTransaction(sql)();
  }

  /** Whether the running code belongs to this transaction, or to one inside. */
  holdsCaller(): boolean {
    for (let context = currentContext(); context !== undefined; context = context.outer) {
      if (context.scope === this) return true;
    }
    return false;
  }

  /** A transaction begins: what is called on this scope from now on waits. */
  enter(child: Scope): void {
    this.#child = child;
  }

  /** The transaction is over. */
  leave(): void {
    this.#child = undefined;
    const queue = this.#queue;
    while (this.#child === undefined && this.#next < queue.length) {
      const entry = queue[this.#next++] as Entry;
      if (!entry.cancelled) entry.start();
    }
    // What is over is let go, not only when everything is: there may always be something that waits.
    if (this.#next !== queue.length && this.#next < mostKept) return;
    queue.splice(0, this.#next);
    this.#next = 0;
  }

  /** Refuses new calls; those that wait still get their turn. */
  seal(make: MakeError | undefined): void {
    this.#sealed = make;
  }

  /** Refuses everything that has not been started, here and in transactions inside. */
  end(make: MakeError): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#ran) release();
    this.#sealed = make;
    this.#child?.end(make);
    for (const entry of this.#queue.splice(0).slice(this.#next)) if (!entry.cancelled) entry.refuse(make);
    this.#next = 0;
    this.onEnd?.(make);
  }

  /** Ends it, and aborts what runs. */
  cancel(make: MakeError): void {
    this.end(make);
    for (const entry of [...(this.running ?? [])]) entry.cancel(make);
    this.#child?.cancel(make);
  }

  /** Runs a function as code of this transaction, once, before it ends. */
  run<T>(work: () => T): T {
    this.#ran = true;
    active++;
    return contexts.run({ scope: this, outer: currentContext() }, work);
  }
}
