// Prepares a statement that stays: it is there, described, when the promise is fulfilled.

import { layout } from '../native/layout.js';
import type { Connection } from '../request/connection.js';
import type { Description } from '../request/request.js';
import { Call } from './call.js';
import { Handle } from './session.js';
import { DescribeRequest, type Prepared } from './statement-calls.js';

const unknown: Description = { readOnly: false, explain: 0, parameters: [], columns: [] };

export class PrepareCall extends Call<Prepared> {
  #handle: Handle | undefined;

  protected override write(connection: Connection): void {
    const handle = new Handle(this.scope.session);
    this.#handle = handle;
    handle.begun = true;
    const { sql = '' } = this;
    const { operationPrepare, operationDescribe, requestStrict } = layout;
    connection.send(this, operationPrepare, requestStrict, handle.id, (writer) => writer.terminatedText(sql), true);
    connection.send(new DescribeRequest((found) => this.#describe(handle, found)), operationDescribe, 0, handle.id);
  }

  #describe(handle: Handle, description: Description = unknown): void {
    if (this.cancelled) return;
    // It outlived its transaction: the first call of it fails.
    if (this.scope.ended) handle.finalize();
    else this.scope.handles?.add(handle);
    const prepared: Prepared = { handle, description };
    handle.watch(prepared);
    this.settleWith(() => prepared);
  }

  /** The answer that counts is the description's. */
  override succeed(): void {}

  protected override result(): Prepared {
    throw new Error('settled by the description');
  }

  override fail(failure: Parameters<Call<Prepared>['fail']>[0]): void {
    this.#handle?.finalize();
    super.fail(failure);
  }
}
