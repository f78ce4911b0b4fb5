// The selects of the origin's script through promises, which two workloads share.
import { promisify } from 'node:util';

const checkedAll = (all, count, check) => Promise.all(Array.from({ length: count }, async () => check(await all())));

/** Queues all at once and resolves when each result has been checked. */
export const promisedSelects = (statement, count, check) =>
  checkedAll(promisify(statement.all).bind(statement), count, check);

/** The same with a statement of the promise API. */
export const selectPromises = (statement, count, check) => checkedAll(() => statement.all(), count, check);
