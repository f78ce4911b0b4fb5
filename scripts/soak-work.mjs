// What all connections of scripts/soak.mjs have in common: work that is chosen at random, and answers that are checked.
import assert from 'node:assert/strict';
import { AsyncResource } from 'node:async_hooks';

/** When a file has more rows, they are deleted. */
export const mostRows = 300;
export const endless = 'with recursive n(v) as (select 1 union all select v + 1 from n) select v from n';

export class Worker {
  /** How often each kind of work was done, and how many answers were compared with what they had to be. */
  counts = {};
  checked = 0;
  /** Calls a function as code that belongs to no transaction. */
  outside = AsyncResource.bind((work) => work());

  constructor(file, random) {
    this.file = file;
    this.random = random;
  }

  check(actual, expected, what) {
    this.checked += 1;
    assert.deepEqual(actual, expected, what);
  }

  async step() {
    const names = Object.keys(this.work);
    const name = names[this.random(names.length)];
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    await this.work[name].call(this);
  }

  text() {
    return 'tëxt '.repeat(this.random(40)) + this.random(1000);
  }

  /** A number of a row, of those that have a model. */
  anyID() {
    const ids = [...this.model.keys()];
    return ids[this.random(ids.length)] ?? 0;
  }
}
