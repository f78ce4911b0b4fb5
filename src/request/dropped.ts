// Statements and backups that users dropped without ending them: ended once their objects have been collected.

import type { Connection } from './connection.js';

/** What is left to do when an object is gone; it must not refer to the object. */
interface Remains {
  readonly connection: Connection;
  readonly id: number;
  /** Its operation of finalizing or finishing. */
  readonly operation: number;
}

/** Registered with the object as its token, too. */
export const dropped = new FinalizationRegistry<Remains>(({ connection, id, operation }) => {
  connection.endDropped(id, operation);
});
