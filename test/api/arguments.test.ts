// Wrong arguments and wrong receivers: the TypeError, and nothing else, also when garbage is collected afterwards.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectProgram, outputOf, type Program } from '../support/child.js';

const GC = { nodeOptions: ['--expose-gc'] } as const;

/** Output of a program that printed one line for each wrong call, then collected garbage and used the database. */
async function assertAllRefused(program: Program, messages: Record<string, string>): Promise<void> {
  const output = await outputOf(program, GC);
  assert.deepEqual(Object.fromEntries(output.slice(0, -1) as [string, string][]), messages);
  assert.deepEqual(output.at(-1), 'usable');
}

describe('a wrong argument is a TypeError, and everything goes on', () => {
  test('of the constructor of Database', async () => {
    await assertAllRefused(
      ({ sqlite3: { Database }, print }) => {
        const wrong: Record<string, unknown[]> = {
          nothing: [],
          undefined: [undefined],
          null: [null],
          number: [42],
          object: [{}],
          'String object': [new String(':memory:')],
          Buffer: [Buffer.from(':memory:')],
          URL: [new URL('file:///tmp/x.db')],
          symbol: [Symbol('x')],
          'only a callback': [() => print('called')],
        };
        for (const [name, args] of Object.entries(wrong)) {
          try {
            Reflect.construct(Database, args);
          } catch (error) {
            print([name, String(error)]);
          }
        }
        for (let at = 0; at < 5; at += 1) {
          globalThis.gc?.();
        }
        const db = new Database(':memory:');
        db.get('select 1', (error: Error | null) => print(error === null ? 'usable' : error.message));
      },
      Object.fromEntries(
        [
          'nothing',
          'undefined',
          'null',
          'number',
          'object',
          'String object',
          'Buffer',
          'URL',
          'symbol',
          'only a callback',
        ].map((name) => [name, 'TypeError: String expected']),
      ),
    );
  });

  test('of the constructor of Statement', async () => {
    await assertAllRefused(
      ({ sqlite3: { Database, Statement }, print }) => {
        const db = new Database(':memory:');
        const wrong: Record<string, unknown[]> = {
          nothing: [],
          'null database': [null, 'select 1'],
          'object for a database': [{}, 'select 1'],
          'text for a database': ['select 1'],
          'object that only inherits from Database': [Object.create(Database.prototype), 'select 1'],
          'no SQL': [db],
          'number for SQL': [db, 5],
          'null for SQL': [db, null],
          'callback for SQL': [db, () => undefined],
          'number for a callback': [db, 'select 1', 1],
          'object for a callback': [db, 'select 1', {}],
          'symbol for a callback': [db, 'select 1', Symbol('x')],
        };
        for (const [name, args] of Object.entries(wrong)) {
          try {
            Reflect.construct(Statement, args);
          } catch (error) {
            print([name, String(error)]);
          }
        }
        for (let at = 0; at < 5; at += 1) {
          globalThis.gc?.();
        }
        // Nothing of the refused statements may stand in the way of closing.
        db.close((error: Error | null) => print(error === null ? 'usable' : error.message));
      },
      {
        nothing: 'TypeError: Database object expected',
        'null database': 'TypeError: Database object expected',
        'object for a database': 'TypeError: Database object expected',
        'text for a database': 'TypeError: Database object expected',
        'object that only inherits from Database': 'TypeError: Database object expected',
        'no SQL': 'TypeError: SQL query expected',
        'number for SQL': 'TypeError: SQL query expected',
        'null for SQL': 'TypeError: SQL query expected',
        'callback for SQL': 'TypeError: SQL query expected',
        'number for a callback': 'TypeError: Callback expected',
        'object for a callback': 'TypeError: Callback expected',
        'symbol for a callback': 'TypeError: Callback expected',
      },
    );
  });

  test('for SQL, in every method and every form', async () => {
    const methods = ['run', 'get', 'all', 'each', 'map', 'prepare'];
    const values = ['nothing', 'undefined', 'null', 'number', 'object', 'String object', 'callback', 'symbol', 'array'];
    const expected = methods.flatMap((method) =>
      values.map((value): [string, string] => [`${method} ${value}`, 'TypeError: SQL query expected']),
    );
    await assertAllRefused(({ sqlite3: { Database }, print }) => {
      const db = new Database(':memory:');
      const callback = (): void => print('called');
      const wrong: Record<string, unknown[]> = {
        nothing: [],
        undefined: [undefined, callback],
        null: [null, callback],
        number: [5, callback],
        object: [{}, callback],
        'String object': [new String('select 1'), callback],
        callback: [callback],
        symbol: [Symbol('select 1'), callback],
        array: [['select 1'], callback],
      };
      for (const method of ['run', 'get', 'all', 'each', 'map', 'prepare']) {
        for (const [name, args] of Object.entries(wrong)) {
          try {
            Reflect.apply(Reflect.get(db, method), db, args);
          } catch (error) {
            print([`${method} ${name}`, String(error)]);
          }
        }
      }
      for (let at = 0; at < 5; at += 1) {
        globalThis.gc?.();
      }
      db.close((error: Error | null) => print(error === null ? 'usable' : error.message));
    }, Object.fromEntries(expected));
  });

  test('of exec(), close(), wait(), serialize(), parallelize(), reset() and finalize()', async () => {
    await assertAllRefused(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        const statement = db.prepare('select 1');
        const attempt = (target: object, method: string, ...args: unknown[]): void => {
          try {
            Reflect.apply(Reflect.get(target, method), target, args);
          } catch (error) {
            print([
              `${method}(${args.map((arg) => (typeof arg === 'function' ? 'f' : String(arg))).join(', ')})`,
              String(error),
            ]);
          }
        };
        attempt(db, 'exec');
        attempt(db, 'exec', 1);
        attempt(db, 'exec', null, () => print('called'));
        attempt(db, 'exec', 'select 1', null);
        attempt(db, 'exec', 'select 1', 'x');
        for (const method of ['close', 'wait', 'serialize', 'parallelize']) {
          attempt(db, method, null);
          attempt(db, method, 1);
        }
        for (const method of ['reset', 'finalize']) {
          attempt(statement, method, null);
          attempt(statement, method, 'x');
        }
        for (let at = 0; at < 5; at += 1) {
          globalThis.gc?.();
        }
        // Neither the refused close() nor the refused finalize() took effect.
        statement.get((error: Error | null, row: unknown) => print(error === null && row ? 'usable' : 'broken'));
      },
      {
        'exec()': 'TypeError: Argument 0 must be a string',
        'exec(1)': 'TypeError: Argument 0 must be a string',
        'exec(null, f)': 'TypeError: Argument 0 must be a string',
        'exec(select 1, null)': 'TypeError: Argument 1 must be a function',
        'exec(select 1, x)': 'TypeError: Argument 1 must be a function',
        ...Object.fromEntries(
          ['close', 'wait', 'serialize', 'parallelize'].flatMap((method) => [
            [`${method}(null)`, 'TypeError: Argument 0 must be a function'],
            [`${method}(1)`, 'TypeError: Argument 0 must be a function'],
          ]),
        ),
        'reset(null)': 'TypeError: Argument 0 must be a function',
        'reset(x)': 'TypeError: Argument 0 must be a function',
        'finalize(null)': 'TypeError: Argument 0 must be a function',
        'finalize(x)': 'TypeError: Argument 0 must be a function',
      },
    );
  });

  test('of configure()', async () => {
    await assertAllRefused(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        const attempt = (...args: unknown[]): void => {
          try {
            Reflect.apply(db.configure, db, args);
          } catch (error) {
            const isTypeError = error instanceof TypeError;
            const name = args.map((arg) => (typeof arg === 'symbol' ? 'symbol' : JSON.stringify(arg))).join(', ');
            // The text for an option that is no string is free: node-sqlite3 has none, it aborts.
            const text = args.length > 1 && typeof args[0] !== 'string' ? '' : (error as Error).message;
            print([name, isTypeError ? text : String(error)]);
          }
        };
        attempt();
        attempt('busyTimeout');
        attempt('busyTimeout', 'x');
        attempt('busyTimeout', null);
        attempt('limit', 1);
        attempt('limit', 'x', 1);
        attempt('limit', 1, 'x');
        attempt('nope', 1);
        attempt('', 1);
        attempt('__proto__', 1);
        attempt('toString', 1);
        attempt(5, 1);
        attempt(null, 1);
        attempt({}, 1);
        attempt(Symbol('limit'), 1);
        for (let at = 0; at < 5; at += 1) {
          globalThis.gc?.();
        }
        db.get('select 1', (error: Error | null) => print(error === null ? 'usable' : error.message));
      },
      {
        '': 'Expected 2arguments',
        '"busyTimeout"': 'Expected 2arguments',
        '"busyTimeout", "x"': 'Value must be an integer',
        '"busyTimeout", null': 'Value must be an integer',
        '"limit", 1': 'Expected 3arguments',
        '"limit", "x", 1': 'limit id must be an integer',
        '"limit", 1, "x"': 'limit value must be an integer',
        '"nope", 1': 'nope is not a valid configuration option',
        '"", 1': ' is not a valid configuration option',
        '"__proto__", 1': '__proto__ is not a valid configuration option',
        '"toString", 1': 'toString is not a valid configuration option',
        '5, 1': '',
        'null, 1': '',
        '{}, 1': '',
        'symbol, 1': '',
      },
    );
  });
});

describe('a parameter that cannot be stored is refused at the call', () => {
  test('a bigint beyond 64 bits with a RangeError, a symbol with a TypeError, and the callback is not called', async () => {
    const names = ['list', 'array', 'second in the array', 'named'];
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        db.exec('create table t(v)');
        const statement = db.prepare('insert into t values(?1)');
        const forms: Record<string, (input: unknown) => unknown[]> = {
          list: (input) => [input],
          array: (input) => [[input]],
          'second in the array': (input) => [[1, input]],
          named: (input) => [{ 1: input }],
        };
        const called = (): void => print('called');
        for (const input of [2n ** 63n, -(2n ** 63n) - 1n, Symbol('x')]) {
          for (const [name, form] of Object.entries(forms)) {
            for (const call of [
              () => db.run('insert into t values(?1)', ...form(input), called),
              () => statement.run(...form(input), called),
              () => statement.bind(...form(input), called),
            ]) {
              let thrown = 'nothing';
              try {
                call();
              } catch (error) {
                thrown = error instanceof Error ? error.name : 'something else';
              }
              print([typeof input, name, thrown]);
            }
          }
        }
        db.get('select count(*) as n from t', (_error: Error | null, row: unknown) => print(row));
        statement.finalize();
        db.close((error: Error | null) => print(error));
      },
      {
        output: [
          ...['bigint', 'bigint', 'symbol'].flatMap((type) =>
            names.flatMap((name) =>
              Array.from({ length: 3 }, () => [type, name, type === 'bigint' ? 'RangeError' : 'TypeError']),
            ),
          ),
          { n: 0 },
          null,
        ],
      },
    );
  });
});

describe('a wrong receiver is a TypeError', () => {
  test('of every method, detached or borrowed', async () => {
    await expectProgram(
      ({ sqlite3: { Database, Statement }, print }) => {
        const db = new Database(':memory:');
        const statement = db.prepare('select 1');
        const receivers: unknown[] = [
          undefined,
          null,
          {},
          5,
          Object.create(Database.prototype),
          Object.create(Statement.prototype),
        ];
        const accepted: string[] = [];
        const attempt = (own: object, names: string[], others: unknown[], args: unknown[]): void => {
          for (const name of names) {
            for (const receiver of others) {
              try {
                Reflect.apply(Reflect.get(own, name), receiver, args);
                accepted.push(`${name} on ${String(receiver)}`);
              } catch (error) {
                if (!(error instanceof TypeError)) {
                  accepted.push(`${name}: ${String(error)}`);
                }
              }
            }
          }
        };
        const ofDatabase = ['run', 'get', 'all', 'each', 'map', 'prepare', 'exec'];
        attempt(db, ofDatabase, [...receivers, statement], ['select 1']);
        attempt(db, ['close', 'wait', 'interrupt', 'serialize', 'parallelize'], [...receivers, statement], []);
        attempt(db, ['configure'], [...receivers, statement], ['busyTimeout', 1]);
        attempt(statement, ['bind', 'run', 'get', 'all', 'each', 'reset', 'finalize'], [...receivers, db], []);
        for (let at = 0; at < 5; at += 1) {
          globalThis.gc?.();
        }
        print(accepted);
        statement.finalize();
        db.close((error: Error | null) => print(error));
      },
      { output: [[], null], ...GC },
    );
  });

  test('of the classes, called without new', async () => {
    await expectProgram(
      ({ sqlite3: { Database, Statement }, print }) => {
        const db = new Database(':memory:');
        for (const [type, args] of [
          [Database, [':memory:']],
          [Statement, [db, 'select 1']],
        ] as const) {
          try {
            Reflect.apply(type, undefined, args);
          } catch (error) {
            print(error instanceof TypeError && /without 'new'/.test(error.message));
          }
        }
      },
      { output: [true, true], ...GC },
    );
  });
});
