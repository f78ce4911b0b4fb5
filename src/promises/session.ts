// One connection as the promise API sees it: what is open on it, and what its objects share.

import { layout } from '../native/layout.js';
import { Connection } from '../request/connection.js';
import { Request } from '../request/request.js';
import { type MakeError, misuseError } from './errors.js';
import type { Settings } from './options.js';
import { Scope } from './scope.js';

// A session that nobody holds and that has nothing to do is closed, and its thread ends.
const droppedSessions = new FinalizationRegistry<Connection>((connection) => connection.endWhenIdle());

/**
 * Statements and cursors whose objects were dropped. Their session has them; held here, they would hold the session, and a
 * transaction of it that never ends has its cursors.
 */
const droppedHandles = new FinalizationRegistry<WeakRef<Handle>>((handle) => handle.deref()?.finalize());

/** A request whose failure is told by another one, or by nobody. */
export class Quiet extends Request {
  override get together(): boolean {
    return true;
  }

  override succeed(): void {}
  override fail(): void {}
}

export class Session {
  readonly connection = new Connection();
  readonly root: Scope = new Scope(this);
  /** Not finalized yet. */
  readonly handles = new Set<Handle>();
  /** What holds for calls that say nothing else. */
  readonly settings: Settings;
  /** Milliseconds that SQLite waits for the locks of others. */
  readonly busyTimeout: number;
  /** Backups under way; close() waits for them. */
  backups = 0;
  #whenIdle: (() => void)[] = [];

  constructor(settings: Settings, busyTimeout: number) {
    this.settings = settings;
    this.busyTimeout = busyTimeout;
    droppedSessions.register(this, this.connection, this);
  }

  endBackup(): void {
    if (--this.backups !== 0) return;
    for (const tell of this.#whenIdle.splice(0)) tell();
  }

  /** Calls back once no backup is under way. */
  afterBackups(callback: () => void): void {
    if (this.backups === 0) callback();
    else this.#whenIdle.push(callback);
  }

  /** Nothing more comes: the thread ends once everything is answered. */
  end(): void {
    droppedSessions.unregister(this);
    this.connection.endWhenIdle();
  }
}

const cursorClosed = misuseError('the cursor was closed with its database');

/** A statement on SQLite's thread. */
export class Handle {
  readonly session: Session;
  readonly id: number;
  ended = false;
  /** Its preparation has been sent; before that there is nothing to finalize. */
  begun = false;
  /** Told when it is finalized. */
  onEnd: (() => void) | undefined = undefined;
  /** Rows on their way that nobody has asked for yet: the end does not wait for them. */
  ahead: { cancel(make: MakeError): void } | undefined = undefined;

  constructor(session: Session) {
    this.session = session;
    this.id = session.connection.allocateStatement();
    session.handles.add(this);
  }

  /** The object of the user: when it is collected, the statement is finalized. */
  watch(owner: object): void {
    droppedHandles.register(owner, new WeakRef(this), this);
  }

  /** Queues the finalization, once; `request` gets the answer if it has been begun. */
  finalize(request?: Request): void {
    if (this.ended) return;
    this.ended = true;
    const { connection, handles } = this.session;
    handles.delete(this);
    droppedHandles.unregister(this);
    this.onEnd?.();
    this.ahead?.cancel(cursorClosed);
    if (connection.ended) return;
    const flags = request === undefined ? layout.requestQuiet : 0;
    if (this.begun) connection.send(request ?? new Quiet(), layout.operationFinalize, flags, this.id);
    connection.freeStatement(this.id);
  }
}
