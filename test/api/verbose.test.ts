// verbose(): errors tell where their call was made. It holds for the whole process, so this file calls it at the start.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3, { verbose } from 'sqlite-tandem';
import { extendTrace } from 'sqlite-tandem/lib/trace.js';
import { answer, asError, failure, once, send, value } from '../support/calls.js';
import { expectProgram } from '../support/child.js';
import { open } from '../support/database.js';

sqlite3.verbose();

const NOPE = 'select nope';
const OVERFLOW = 'select abs(-9223372036854775807 - 1)';

/** The stack of an error, and that it was augmented. */
function stackOf(error: unknown): string[] {
  const { stack, ...shown } = asError(error);
  assert.ok(typeof stack === 'string');
  assert.equal(Reflect.get(shown, '__augmented'), true, 'a property that shows');
  return stack.split('\n');
}

/** Calls a method from a function whose name is to be found in the stack. */
function issuedHere(target: object, method: string, ...args: unknown[]): Promise<unknown> {
  return new Promise((resolve) => {
    send(target, method, ...args, resolve);
  });
}

/** The error has its own text, then the line with the call, then the caller's frames. */
function assertAugmented(error: unknown, call: RegExp): void {
  const [text, line, ...frames] = stackOf(error);
  assert.match(text ?? '', /^Error: SQLITE_/);
  assert.match(line ?? '', call);
  assert.match(frames[0] ?? '', /^ {4}at /);
  assert.ok(
    frames.some((frame) => frame.includes('issuedHere') && frame.includes(__filename)),
    frames.join('\n'),
  );
  assert.ok(!frames.some((frame) => frame.includes('-->') || /[\\/]lib[\\/]/.test(frame)), frames.join('\n'));
}

describe('the error of a callback', () => {
  test('tells where a method of the database was called', async (t) => {
    const db = await open(t);
    for (const method of ['run', 'get', 'all', 'each', 'map', 'exec', 'prepare']) {
      const error = await issuedHere(db, method, NOPE);
      assertAugmented(error, new RegExp(`^--> in Database#${method}\\('select nope', \\[Function.*\\]\\)$`));
    }
    await value(db, 'close');
    assertAugmented(await issuedHere(db, 'close'), /^--> in Database#close\(\[Function/);
  });

  test('tells where a method of a statement was called', async (t) => {
    const db = await open(t);
    const statement = db.prepare(OVERFLOW);
    for (const method of ['run', 'get', 'all', 'each', 'map']) {
      assertAugmented(await issuedHere(statement, method), new RegExp(`^--> in Statement#${method}\\(\\[Function`));
    }
    assertAugmented(await issuedHere(statement, 'bind', 1), /^--> in Statement#bind\(1, \[Function/);
    await answer(statement, 'finalize');
    assertAugmented(await issuedHere(statement, 'reset'), /^--> in Statement#reset\(\[Function/);
    assertAugmented(await issuedHere(statement, 'finalize'), /^--> in Statement#finalize\(\[Function/);
  });

  test('names the method that the program called, also when it fails while it runs', async (t) => {
    const db = await open(t);
    assertAugmented(await issuedHere(db, 'get', OVERFLOW), /^--> in Database#get\('select abs/);
  });

  test('shows the arguments as they were', async (t) => {
    const db = await open(t);
    const list = [1, { deep: { er: 1 } }];
    const named = { $a: 1 };
    const errors = [issuedHere(db, 'get', NOPE, list), issuedHere(db, 'get', NOPE, named)];
    list.length = 0;
    named.$a = 2;
    const [first, second] = await Promise.all(errors);
    assert.match(stackOf(first)[1] ?? '', /\('select nope', \[ 1, \[Object\] \], \[Function/);
    assert.match(stackOf(second)[1] ?? '', /\('select nope', \{ '\$a': 1 \}, \[Function/);
  });

  test('finds the callback in each call by itself, however many arguments came before', async (t) => {
    const db = await open(t);
    for (const args of [[], [1, 2, 3], [[1]], [1], []]) {
      assertAugmented(await issuedHere(db, 'run', NOPE, ...args), /^--> in Database#run/);
    }
  });

  test('is augmented once, in the row callback and in complete of each()', async (t) => {
    const db = await open(t);
    const errors: unknown[] = [];
    await once('complete', (callback) => {
      db.each(
        OVERFLOW,
        (error) => errors.push(error),
        (error) => {
          errors.push(error);
          callback();
        },
      );
    });
    assert.equal(errors.length, 2);
    for (const error of errors) {
      const lines = stackOf(error).filter((line) => line.startsWith('-->'));
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', /^--> in Database#each\('select abs.*\[Function.*\[Function/);
    }
  });

  test('has its properties unchanged', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'get', NOPE);
    assert.deepEqual(Object.keys(error), ['errno', 'code', '__augmented']);
    assert.equal(error.message, 'SQLITE_ERROR: no such column: nope');
    assert.equal(error.sql, NOPE);
  });
});

describe('a call after verbose()', () => {
  test('passes this and arguments on, and returns what it returned', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v)');
    assert.equal(
      db.run('insert into t values(?)', [5], () => undefined),
      db,
    );
    const { self, args } = await answer(db, 'run', 'insert into t values(?)', 6);
    assert.ok(self instanceof sqlite3.Statement);
    assert.deepEqual([Reflect.get(self, 'lastID'), args], [2, [null]]);
    assert.deepEqual((await answer(db, 'get', 'select v from t where v = 6')).args, [null, { v: 6 }]);
    assert.deepEqual((await answer(db, 'get', 'select v from t where v = 7')).args, [null]);
    const statement = db.prepare('select 1 as v');
    assert.equal((await answer(statement, 'all')).self, statement);
    assert.equal(
      statement.finalize(() => undefined),
      db,
    );
    assert.equal((await answer(db, 'prepare', NOPE)).self, undefined);
  });

  test('takes functions that are no callbacks for what they are', async (t) => {
    const db = await open(t);
    const parameters = Object.assign(() => undefined, { $v: 8 });
    assert.deepEqual((await answer(db, 'get', 'select $v as v', parameters)).args, [null, { v: 8 }]);
  });

  test('works with objects that cannot be shown', async (t) => {
    const db = await open(t);
    const shy = {
      [Symbol.for('nodejs.util.inspect.custom')]: () => {
        throw new Error('of the user');
      },
    };
    assertAugmented(await issuedHere(db, 'get', NOPE, shy), /^--> in Database#get\('select nope', \[object\], /);
  });

  test('works on instances of subclasses', async () => {
    class Mine extends sqlite3.Database {
      override get(...args: [string, ...unknown[]]): this {
        return super.get(...args);
      }
    }
    const db = new Mine(':memory:');
    assertAugmented(await issuedHere(db, 'get', NOPE), /^--> in Database#get/);
    await value(db, 'close');
  });
});

describe('verbose()', () => {
  test('returns the module, bound or not, as often as it is called, and adds nothing the second time', async (t) => {
    const { get } = sqlite3.Database.prototype;
    assert.equal(verbose(), sqlite3);
    assert.equal(sqlite3.verbose().verbose(), sqlite3);
    assert.equal(sqlite3.Database.prototype.get, get);
    const lines = stackOf(await failure(await open(t), 'get', NOPE)).filter((line) => line.startsWith('-->'));
    assert.equal(lines.length, 1);
  });

  test('leaves the attributes and names of the methods alone', () => {
    for (const [prototype, name, enumerable] of [
      [sqlite3.Database.prototype, 'get', true],
      [sqlite3.Database.prototype, 'exec', false],
      [sqlite3.Statement.prototype, 'get', false],
    ] as const) {
      const { value: method, ...attributes } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
      assert.deepEqual(attributes, { writable: true, enumerable, configurable: true });
      assert.equal((method as () => void).name, name);
    }
  });

  test('adds nothing before it is called, holds from then on, and for objects that were there before', async () => {
    await expectProgram(
      ({ sqlite3, print }) => {
        const db = new sqlite3.Database(':memory:');
        const lines = (error: Error | null): unknown => [
          error?.stack?.split('\n').length === 1,
          error !== null && '__augmented' in error,
        ];
        db.get('select nope', (error: Error | null) => print(lines(error)));
        sqlite3.verbose();
        db.get('select nope', (error: Error | null) => print(lines(error)));
      },
      {
        output: [
          [true, false],
          [false, true],
        ],
      },
    );
  });

  test("does not augment errors of 'error' events", async (t) => {
    const db = await open(t);
    const { args } = await once('error', (callback) => {
      db.on('error', callback);
      db.run(NOPE);
    });
    const error = asError(args[0]);
    assert.equal('__augmented' in error, false);
    assert.equal(error.stack, 'Error: SQLITE_ERROR: no such column: nope');
  });

  test('bears a limit of zero frames', async (t) => {
    const db = await open(t);
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const failed = failure(db, 'get', NOPE);
    Error.stackTraceLimit = stackTraceLimit;
    assert.match(stackOf(await failed)[1] ?? '', /^--> in Database#get/);
  });
});

describe("lib/trace.js's extendTrace()", () => {
  test('wraps the callback of any method, at the end or at the place that is named', () => {
    class Thing {
      atEnd(_value: number, callback: (error: Error) => void): string {
        callback(new Error('end'));
        return 'returned';
      }
      inFront(callback: (error: Error) => void, _value: number): void {
        callback(new Error('front'));
      }
    }
    extendTrace(Thing.prototype, 'atEnd');
    extendTrace(Thing.prototype, 'inFront', 0);
    const thing = new Thing();
    const stacks: string[] = [];
    const note = (error: Error): void => {
      stacks.push(error.stack ?? '');
    };
    assert.equal(thing.atEnd(1, note), 'returned');
    thing.inFront(note, 2);
    assert.match(stacks[0] ?? '', /--> in Thing#atEnd\(1, \[Function: note\]\)\n {4}at/);
    assert.match(stacks[1] ?? '', /--> in Thing#inFront\(\[Function: note\], 2\)\n {4}at/);
  });
});
