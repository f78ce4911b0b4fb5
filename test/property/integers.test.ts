// Integers in the three modes: at every edge each is a number or a bigint, exactly as configured.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rows, send } from '../support/calls.js';
import { open } from '../support/database.js';
import { check } from './check.js';
import { anyInteger } from './values.js';

const isSafe = (value: bigint): boolean => Number.isSafeInteger(Number(value));

type Mode = 'number' | 'bigint' | 'mixed';

const modes: Readonly<Record<Mode, (value: bigint) => number | bigint>> = {
  number: Number,
  bigint: (value) => value,
  mixed: (value) => (isSafe(value) ? Number(value) : value),
};

describe('an integer', () => {
  for (const [mode, expected] of Object.entries(modes) as [Mode, (value: bigint) => number | bigint][]) {
    test(`in the mode '${mode}' reads as it should, other values beside it as ever`, async (t) => {
      const db = await open(t);
      db.configure('integers', mode);
      const sql = "select ? as v, 1.5 as real, 'x' as text, null as nil";
      await check(
        fc.asyncProperty(fc.array(anyInteger, { minLength: 1, maxLength: 20 }), async (values) => {
          const found = await rows(db, values.map(() => sql).join(' union all '), values);
          assert.deepEqual(
            found,
            values.map((value) => ({ v: expected(value), real: 1.5, text: 'x', nil: null })),
          );
        }),
        150,
      );
    });
  }

  test('reads in the mode that was configured before its call, however often the mode changes', async (t) => {
    const db = await open(t);
    const steps = fc.array(fc.tuple(fc.constantFrom(...(Object.keys(modes) as Mode[])), anyInteger), { maxLength: 12 });
    await check(
      fc.asyncProperty(steps, async (list) => {
        const answers = list.map(([mode, value]) => {
          db.configure('integers', mode);
          return rows(db, 'select ? as v', [value]);
        });
        assert.deepEqual(
          (await Promise.all(answers)).map(([found]) => found?.['v']),
          list.map(([mode, value]) => modes[mode](value)),
        );
      }),
      80,
    );
  });

  test('is exact in SQLite, whatever the mode it is read in', async (t) => {
    const db = await open(t);
    await check(
      fc.asyncProperty(anyInteger, async (value) => {
        const [found] = await rows(db, 'select cast(? as text) as v', [value]);
        assert.equal(found?.['v'], String(value));
      }),
      150,
    );
  });

  test('as id and count of changes is a number', async (t) => {
    const db = await open(t);
    send(db, 'exec', 'create table t(a integer primary key)');
    await check(
      fc.asyncProperty(fc.maxSafeInteger(), async (id) => {
        send(db, 'exec', 'delete from t');
        const seen = await new Promise<unknown[]>((resolve) => {
          send(db, 'run', 'insert into t values(?)', id, function (this: { lastID: number; changes: number }) {
            resolve([this.lastID, this.changes]);
          });
        });
        assert.deepEqual(seen, [id, 1]);
      }),
      60,
    );
  });
});
