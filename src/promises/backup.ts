// backup(): copies the database into a file, some pages at a time, so that other calls run in between.

import { setTimeout as after } from 'node:timers';
import { constants } from '../constants.js';
import { layout } from '../native/layout.js';
import type { Connection } from '../request/connection.js';
import type { BackupState, Outcome } from '../request/request.js';
import type { Writer } from '../request/writer.js';
import { Call } from './call.js';
import { abortError, type Cancellable, type CancelOptions, watch } from './cancel.js';
import { type MakeError, sqliteError } from './errors.js';
import { checkCancel, checkFunction, checkInteger, checkKeys } from './options.js';
import type { Scope } from './scope.js';
import { Quiet, type Session } from './session.js';

export interface BackupProgress {
  readonly pageCount: number;
  readonly remaining: number;
}

export interface BackupResult {
  readonly pageCount: number;
}

export interface BackupOptions extends CancelOptions {
  readonly pages?: number | undefined;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
  /** Names of the databases, 'main' unless said. */
  readonly source?: string | undefined;
  readonly target?: string | undefined;
}

// About a tenth of a millisecond of work for pages of 4096 bytes that are in memory.
const defaultPages = 100;
const mostPages = 2 ** 31 - 1;
/** Between two attempts while somebody else holds a lock. */
const pauseMilliseconds = 10;
// Kept now: the fake timers of a test must not stop a backup.
const later = after;

class InitCall extends Call<void> {
  readonly #id: number;
  readonly #names: readonly string[];

  constructor(scope: Scope, id: number, names: readonly string[]) {
    super(scope);
    this.#id = id;
    this.#names = names;
  }

  protected override write(connection: Connection): void {
    connection.send(this, layout.operationBackupInit, 0, this.#id, (writer) => {
      // The file is the destination.
      writer.uint32(1);
      for (const name of this.#names) writer.terminatedText(name);
    });
  }

  protected override result(): void {}
}

const retried = [constants.BUSY, constants.LOCKED];

class StepCall extends Call<BackupState | undefined> {
  readonly #id: number;
  readonly #pages: number;
  #state: BackupState | undefined;

  constructor(scope: Scope, id: number, pages: number) {
    super(scope);
    this.#id = id;
    this.#pages = pages;
  }

  override progress(state: BackupState): void {
    this.#state = state;
  }

  protected override write(connection: Connection): void {
    connection.send(this, layout.operationBackupStep, 0, this.#id, (writer: Writer) => {
      writer.uint32(this.#pages);
      writer.uint32(retried.length);
      for (const code of retried) writer.uint32(code);
      writer.pad();
    });
  }

  protected override result(_outcome: Outcome): BackupState | undefined {
    return this.#state;
  }
}

const noDatabase = ([, source, target]: readonly string[]): MakeError =>
  sqliteError({
    code: constants.ERROR,
    message: `there is no database ${source} in the source or ${target} in the destination`,
    offset: -1,
    prepareFailed: false,
  });

/** One backup on its way. */
class Copy implements Cancellable {
  readonly #session: Session;
  readonly #id: number;
  readonly #pages: number;
  readonly #onProgress: BackupOptions['onProgress'];
  #call: Cancellable | undefined;
  #error: MakeError | undefined;

  constructor(session: Session, { pages = defaultPages, onProgress }: BackupOptions) {
    this.#session = session;
    this.#id = session.connection.allocateStatement();
    this.#pages = pages;
    this.#onProgress = onProgress;
  }

  cancel(make: MakeError): void {
    this.#error ??= make;
    this.#call?.cancel(make);
  }

  async #run<T>(call: Call<T>, internal: boolean): Promise<T> {
    this.#call = call;
    if (this.#error !== undefined) throw this.#error();
    return call.enter({}, internal);
  }

  async run(names: readonly string[]): Promise<BackupResult> {
    const { root } = this.#session;
    await this.#run(new InitCall(root, this.#id, names), false);
    for (;;) {
      const state = await this.#step();
      // SQLite found no database of that name; it says so by copying nothing.
      if (state?.failed) throw noDatabase(names)();
      const { pageCount = 0, remaining = 0 } = state ?? {};
      this.#onProgress?.({ pageCount, remaining });
      if (state?.completed !== false) return { pageCount };
    }
  }

  /** The next pages, once the locks of others allow it. What the caller's function throws never comes here. */
  async #step(): Promise<BackupState | undefined> {
    let busySince: number | undefined;
    for (;;) {
      try {
        return await this.#run(new StepCall(this.#session.root, this.#id, this.#pages), true);
      } catch (error) {
        if (!retried.includes((error as { errno?: number }).errno as 5 | 6)) throw error;
        busySince ??= performance.now();
        if (performance.now() - busySince >= this.#session.busyTimeout) throw error;
        await new Promise((resolve) => later(resolve, pauseMilliseconds));
      }
    }
  }

  /** Also when it has not begun: then there is nothing to end. */
  end(): void {
    const { connection } = this.#session;
    if (!connection.ended) connection.send(new Quiet(), layout.operationBackupFinish, layout.requestQuiet, this.#id);
    connection.freeStatement(this.#id);
  }
}

const check = (destination: unknown, options: BackupOptions): void => {
  if (typeof destination !== 'string') throw new TypeError('the destination of a backup must be a file name');
  checkKeys(options, ['pages', 'onProgress', 'source', 'target', 'signal', 'timeout']);
  checkCancel(options);
  checkInteger('pages', options.pages, 1, mostPages);
  checkFunction('onProgress', options.onProgress);
  for (const name of ['source', 'target'] as const) {
    const value: unknown = options[name] ?? 'main';
    if (typeof value !== 'string') throw new TypeError(`option ${name} must be a string`);
  }
};

export const backup = async (
  session: Session,
  destination: string,
  options: BackupOptions = {},
): Promise<BackupResult> => {
  check(destination, options);
  if (options.signal?.aborted) throw abortError(options.signal)();
  const copy = new Copy(session, options);
  const watching = watch(copy, options);
  session.backups++;
  try {
    return await copy.run([destination, options.source ?? 'main', options.target ?? 'main']);
  } finally {
    watching?.stop();
    copy.end();
    session.endBackup();
  }
};
