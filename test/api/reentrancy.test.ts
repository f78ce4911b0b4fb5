// Code of the user that runs in the middle of a call, and calls again: getters of parameters, callbacks, listeners.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, asError, once, rows, single, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { numbers, open } from '../support/database.js';

/** A parameter object whose only value is computed by `read` when the call takes it. */
function computed(read: () => unknown): object {
  return Object.defineProperty({}, '$a', { get: read, enumerable: true });
}

describe('a parameter whose getter', () => {
  test('makes calls of its own: they come first, and all are answered', async (t) => {
    const db = await open(t);
    const order: unknown[] = [];
    const statement = db.prepare('select $a as v');
    const note = (_error: Error | null, row?: unknown): number => order.push(row);
    const read = (): number => {
      db.get("select 'inner' as v", note);
      statement.get({ $a: 'nested' }, note);
      return 1;
    };
    db.get("select 'before' as v", note);
    statement.get(computed(read), note);
    db.get('select $a as v', computed(read), note);
    statement.finalize();
    await answer(db, 'wait');
    const inner = [{ v: 'inner' }, { v: 'nested' }];
    assert.deepEqual(order, [{ v: 'before' }, ...inner, { v: 1 }, ...inner, { v: 1 }]);
  });

  test('calls and then throws: the calls it made are answered', async (t) => {
    const db = await open(t);
    const inner: unknown[] = [];
    const parameters = computed(() => {
      db.get('select 1 as v', (_error: Error | null, row: unknown) => inner.push(row));
      throw new Error('of the getter');
    });
    await assert.rejects(async () => value(db, 'get', 'select $a as v', parameters), /of the getter/);
    assert.equal(await single(db, 'select 2 as v'), 2);
    assert.deepEqual(inner, [{ v: 1 }]);
  });

  test('finalizes the statement: the call fails, and no other statement is executed in its place', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v); insert into t values(1)');
    const statement = db.prepare('select $a as v');
    const others: ReturnType<typeof db.prepare>[] = [];
    const parameters = computed(() => {
      statement.finalize();
      others.push(db.prepare('delete from t where $a'));
      return 1;
    });
    const { args } = await answer(statement, 'all', parameters);
    assert.equal(asError(args[0]).message, 'SQLITE_MISUSE: Statement is already finalized');
    assert.deepEqual(await rows(db, 'select v from t'), [{ v: 1 }]);
    assert.equal(others.length, 1);
    await Promise.all(others.map((other) => answer(other, 'finalize')));
  });

  test('closes the database: that is refused or the call gets the error, and both are answered', async (t) => {
    const db = await open(t);
    const closed: unknown[] = [];
    const parameters = computed(() => {
      db.close((error: Error | null) => closed.push(error));
      return 1;
    });
    const { args } = await answer(db, 'get', 'select $a as v', parameters);
    assert.equal(closed.length, 1);
    if (closed[0] === null) {
      assert.equal(asError(args[0]).code, 'SQLITE_MISUSE');
    } else {
      assert.equal(asError(closed[0]).code, 'SQLITE_BUSY');
      assert.deepEqual(args, [null, { v: 1 }]);
    }
  });
});

describe('a callback', () => {
  test('may make many calls, which are answered in order', async (t) => {
    const db = await open(t);
    const order: number[] = [];
    await once('last', (done) => {
      db.get('select 1', () => {
        for (let at = 0; at < 2000; at += 1) {
          db.get('select ? as v', at, (_error: Error | null, row: { v: number }) => {
            order.push(row.v);
            if (at === 1999) {
              done();
            }
          });
        }
      });
    });
    assert.deepEqual(
      order,
      order.map((_, at) => at),
    );
    assert.equal(order.length, 2000);
  });

  test('may use a statement again and again, one call out of the other', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select ? + 1 as v');
    let got = 0;
    await once('last', (done) => {
      const next = (_error: Error | null, row: { v: number }): void => {
        got = row.v;
        if (got < 500) {
          statement.get(got, next);
        } else {
          done();
        }
      };
      statement.get(0, next);
    });
    assert.equal(got, 500);
    await answer(statement, 'finalize');
  });

  test('may close its database and open another', async (t) => {
    const db = await open(t);
    const { args } = await once('close', (done) => db.get('select 1', () => db.close(done)));
    assert.deepEqual(args, [null]);
    assert.equal(await single(await open(t), 'select 3 as v'), 3);
  });

  test('of a row may start an each() on the same statement, which begins after the first has ended', async (t) => {
    const db = await open(t);
    const statement = db.prepare(numbers(3));
    const order: string[] = [];
    await once('inner complete', (done) => {
      statement.each(
        (_error: Error | null, { v }: { v: number }) => {
          order.push(`outer ${v}`);
          if (v === 1) {
            statement.each((_innerError: Error | null, inner: { v: number }) => order.push(`inner ${inner.v}`), done);
          }
        },
        () => order.push('outer complete'),
      );
    });
    assert.deepEqual(order, ['outer 1', 'outer 2', 'outer 3', 'outer complete', 'inner 1', 'inner 2', 'inner 3']);
    await answer(statement, 'finalize');
  });
});

describe("an 'error' listener", () => {
  test('may call again and may remove itself', async (t) => {
    const db = await open(t);
    const heard: string[] = [];
    const listener = (error: Error): void => {
      heard.push(error.message);
      db.off('error', listener);
      db.on('error', (later: Error) => heard.push(`later ${later.message}`));
      db.run('also nonsense');
    };
    db.on('error', listener);
    db.run('nonsense');
    await answer(db, 'wait');
    await answer(db, 'wait');
    assert.deepEqual(heard, [
      'SQLITE_ERROR: near "nonsense": syntax error',
      'later SQLITE_ERROR: near "also": syntax error',
    ]);
  });

  test('that calls on a closed database hears of it again only as often as it calls', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        let left = 3;
        db.on('error', (error: Error) => {
          print(error.message);
          left -= 1;
          if (left > 0) {
            db.run('select 1');
          }
        });
        db.close(() => db.run('select 1'));
      },
      { output: Array.from({ length: 3 }, () => 'SQLITE_MISUSE: Database is closed') },
    );
  });
});
