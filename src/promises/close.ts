// The end of a database: finalizes what is left, then closes the connection.

import { layout } from '../native/layout.js';
import type { Connection } from '../request/connection.js';
import { Call } from './call.js';

export class CloseCall extends Call<void> {
  protected override write(connection: Connection): void {
    for (const handle of [...this.scope.session.handles]) handle.finalize();
    connection.send(this, layout.operationClose, 0, 0);
  }

  protected override result(): void {}
}
