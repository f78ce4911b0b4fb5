// Requests to backups: how each kind of answer changes the backup and reaches its callback.

import { misuse } from '../errors.js';
import type { BackupState, Failure } from '../request/request.js';
import type { Callback } from './arguments.js';
import { Call, type Origin } from './calls.js';

/** Where a backup stands, shared by the object and its calls. */
export class Progress {
  /** SQLite has begun it. */
  begun = false;
  /** Calls that are not answered yet. */
  pending = 0;
  /** Why it could not begin: every call gets that. */
  refused: Failure | undefined = undefined;
  /** What the latest step failed with: also the answer to every step behind the end. */
  failure: Failure | undefined = undefined;
  completed = false;
  failed = false;
  remaining = -1;
  pageCount = -1;

  /** No page can be copied any more. */
  end(): void {
    if (!this.completed) this.failed = true;
  }

  refuse(failure: Failure): void {
    this.refused = failure;
    this.end();
  }
}

/** Base of all calls on a backup. */
export abstract class BackupCall extends Call {
  protected readonly backup: Progress;

  constructor(origin: Origin, callback: Callback | undefined, backup: Progress) {
    super(origin, callback);
    this.backup = backup;
  }

  /** What a backup that could begin answers. */
  protected abstract answer(): void;

  /** The backup does not count as idle before the callback has returned. */
  #settle(report: () => void): void {
    try {
      report();
    } finally {
      this.backup.pending--;
    }
  }

  override succeed(): void {
    this.#settle(() => this.answer());
  }

  override fail(failure: Failure): void {
    this.#settle(() => {
      const { refused } = this.backup;
      if (refused === undefined) this.answerFailure(failure);
      // That it could not begin has been reported to somebody already.
      else if (this.callback !== undefined) super.fail(refused);
    });
  }

  protected answerFailure(failure: Failure): void {
    super.fail(failure);
  }

  /** The database has been closed, and its thread ended: the backup had ended before. */
  answerAfterClose(): void {
    if (this.backup.refused === undefined) this.succeed();
    else this.fail(this.backup.refused);
  }
}

export class InitCall extends BackupCall {
  protected override answer(): void {
    this.backup.begun = true;
    this.callback?.call(this.origin.receiver, null);
  }

  protected override answerFailure(failure: Failure): void {
    this.backup.refuse(failure);
    super.answerFailure(failure);
  }
}

export class StepCall extends BackupCall {
  #after: BackupState | undefined;

  override progress(after: BackupState): void {
    this.#after = after;
  }

  #apply(failure: Failure | undefined): void {
    const { backup } = this;
    backup.failure = failure;
    if (this.#after !== undefined) Object.assign(backup, this.#after);
  }

  protected override answer(): void {
    this.#apply(undefined);
    this.callback?.call(this.origin.receiver, null, this.backup.completed);
  }

  protected override answerFailure(failure: Failure): void {
    this.#apply(failure);
    super.answerFailure(failure);
  }

  override answerAfterClose(): void {
    const failure = this.backup.refused ?? this.backup.failure;
    if (!this.backup.completed) this.backup.failed = true;
    if (failure === undefined) this.succeed();
    else this.fail(failure);
  }
}

export class FinishCall extends BackupCall {
  protected override answer(): void {
    this.backup.end();
    this.callback?.call(this.origin.receiver);
  }
}

export const finished = misuse('Backup is already finished');

/** A call behind finish(): answered in its turn. */
export class LateCall extends BackupCall {
  protected override answer(): void {
    this.answerFailure();
  }

  protected override answerFailure(): void {
    super.answerFailure(finished);
  }
}
