// Calls that ask about a statement, or end it.

import { layout } from '../native/layout.js';
import type { Connection } from '../request/connection.js';
import type { ColumnDescription, Description } from '../request/request.js';
import { Call } from './call.js';
import { misuseError } from './errors.js';
import type { Scope } from './scope.js';
import type { Handle } from './session.js';
import { type Prepared, StatementCall } from './statement-calls.js';

export class ColumnsCall extends Call<readonly ColumnDescription[]> {
  readonly #prepared: Prepared;
  #columns: readonly ColumnDescription[] = [];

  constructor(scope: Scope, sql: string, prepared: Prepared) {
    super(scope, sql);
    this.#prepared = prepared;
  }

  protected override write(connection: Connection): void {
    const { ended, id } = this.#prepared.handle;
    if (ended) return this.refuse(misuseError('the statement has been finalized', this.sql));
    connection.send(this, layout.operationDescribe, 0, id);
  }

  override describe({ columns }: Description): void {
    this.#columns = columns;
  }

  protected override result(): readonly ColumnDescription[] {
    return this.#columns;
  }
}

export class ExpandedCall extends StatementCall<string> {
  override get rowMode(): 'value' {
    return 'value';
  }

  protected override get converts(): boolean {
    return false;
  }

  protected override result(): string {
    return String(this.takeRows()[0]);
  }
}

/** Ends a statement in its turn; again is no error. */
export class FinalizeCall extends Call<void> {
  readonly #handle: Handle;

  constructor(scope: Scope, sql: string, handle: Handle) {
    super(scope, sql);
    this.#handle = handle;
  }

  protected override write(): void {
    if (this.#handle.ended) return this.settleWith(() => undefined);
    this.scope.handles?.delete(this.#handle);
    this.#handle.finalize(this);
  }

  /** The scope has ended, and its statements with it. */
  override refuse(): void {
    this.#handle.finalize();
    this.settleWith(() => undefined);
  }

  protected override result(): void {}
}
