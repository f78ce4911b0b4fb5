// The selects of the origin's script through promises, which two workloads share.
import { promisify } from 'node:util';

/** Queues all at once and resolves when each result has been checked. */
export async function promisedSelects(statement, count, check) {
  const all = promisify(statement.all).bind(statement);
  await Promise.all(Array.from({ length: count }, async () => check(await all())));
}
