// Calls without rows: a script, and the commands that begin and end transactions.

import { layout } from '../native/layout.js';
import type { Connection } from '../request/connection.js';
import { Call } from './call.js';

/** Executes every statement of a text. */
export class ExecCall extends Call<void> {
  protected override write(connection: Connection): void {
    const { sql = '' } = this;
    connection.send(this, layout.operationExec, this.scope.flags, 0, (writer) => writer.terminatedText(sql));
  }

  protected override result(): void {}
}

/** A command of the library itself, which does not depend on what the scope lets through. */
export class CommandCall extends ExecCall {
  protected override write(connection: Connection): void {
    const { sql = '' } = this;
    connection.send(this, layout.operationExec, 0, 0, (writer) => writer.terminatedText(sql));
  }
}
