// Database: a connection with a thread of its own; calls are executed in the order in which they were made.

import { type DatabaseStats, statsOf } from '../request/stats.js';
import { attempt } from './attempt.js';
import { type BackupOptions, type BackupResult, backup } from './backup.js';
import { CloseCall } from './close.js';
import { disposeBy } from './dispose.js';
import { misuseError } from './errors.js';
import { Queries } from './queries.js';
import type { Session } from './session.js';

const closed = misuseError('the database is closed');

export class Database extends Queries {
  readonly #session: Session;
  readonly #filename: string;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(session: Session, filename: string) {
    super(session.root);
    this.#session = session;
    this.#filename = filename;
  }

  /** As it was given to open(). */
  get filename(): string {
    return this.#filename;
  }

  /** Whether calls are taken: until close() is called. */
  get isOpen(): boolean {
    return this.#closing === undefined;
  }

  backup(destination: string, options?: BackupOptions): Promise<BackupResult> {
    return attempt(() => backup(this.#session, destination, options));
  }

  stats(): DatabaseStats {
    return statsOf(this.#session.connection);
  }

  /** Waits for what was called before, finalizes all statements, and closes. Again, it closes nothing more. */
  close(): Promise<void> {
    return attempt(() => {
      this.#session.root.checkCaller();
      this.#closing ??= this.#close();
      return this.#closing;
    });
  }

  async #close(): Promise<void> {
    const session = this.#session;
    const { root } = session;
    const call = new CloseCall(root);
    root.seal(closed);
    try {
      if (session.backups !== 0) await new Promise<void>((resolve) => session.afterBackups(resolve));
      await call.enter({}, true);
    } catch (error) {
      root.seal(undefined);
      this.#closing = undefined;
      throw error;
    }
    root.end(closed);
    session.end();
  }
}

disposeBy(Database.prototype, 'close');
