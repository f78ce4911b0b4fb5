// A callback that throws is an uncaught exception, once, and everything behind it goes on.
import { describe, test } from 'node:test';
import { expectProgram } from '../support/child.js';

describe('an exception', () => {
  test('of the callback of each method is uncaught once, and later calls are answered', async () => {
    const names = [
      'open',
      'run',
      'get',
      'all',
      'map',
      'exec',
      'wait',
      'prepare',
      'failed run',
      'failed prepare',
      'bind',
      'statement run',
      'statement get',
      'statement all',
      'reset',
      'finalize',
      'close',
    ];
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const thrower = (name: string) => (): never => {
          throw new Error(name);
        };
        const db = new Database(':memory:', thrower('open'));
        db.run('create table t(v)', thrower('run'));
        db.get('select 1', thrower('get'));
        db.all('select 1', thrower('all'));
        db.map('select 1, 2', thrower('map'));
        db.exec('select 1', thrower('exec'));
        db.wait(thrower('wait'));
        const statement = db.prepare('select ?', thrower('prepare'));
        db.run('insert into missing values(1)', thrower('failed run'));
        db.prepare('select nope', thrower('failed prepare'));
        statement.bind(1, thrower('bind'));
        statement.run(thrower('statement run'));
        statement.get(thrower('statement get'));
        statement.all(thrower('statement all'));
        statement.reset(thrower('reset'));
        statement.finalize(thrower('finalize'));
        db.close(thrower('close'));
        db.on('close', () => print('closed'));
      },
      { output: [...names, 'closed'] },
    );
  });

  test('of a row callback is uncaught, and the other rows and complete are delivered', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const db = new Database(':memory:');
        db.each(
          'select column1 as v from (values (1), (2), (3))',
          (_error: Error | null, { v }: { v: number }) => {
            if (v !== 3) {
              throw new Error(`row ${v}`);
            }
            print(v);
          },
          (error: Error | null, count: number) => print([error, count]),
        );
        db.get('select 4 as v', (_error: Error | null, row: unknown) => print(row));
        db.close((error: Error | null) => print(error));
      },
      { output: ['row 1', 'row 2', 3, [null, 3], { v: 4 }, null] },
    );
  });

  test('of every row callback of a long each() is uncaught once for each row', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        let caught = 0;
        process.on('uncaughtException', () => {
          caught += 1;
        });
        const db = new Database(':memory:');
        db.each(
          'with recursive n(v) as (select 1 union all select v + 1 from n where v < 3000) select v from n',
          () => {
            throw new Error('row');
          },
          (error: Error | null, count: number) => {
            // The exceptions of the last rows may be on their way still.
            setImmediate(() => print([error, count, caught]));
          },
        );
      },
      { output: [[null, 3000, 3000]] },
    );
  });

  test('of complete is uncaught, and later calls are answered', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const db = new Database(':memory:');
        db.each(
          'select 1',
          () => print('row'),
          () => {
            throw new Error('complete');
          },
        );
        db.close((error: Error | null) => print(error));
      },
      { output: ['row', 'complete', null] },
    );
  });

  test("of 'open', 'close' and 'error' listeners is uncaught, and later calls are answered", async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const db = new Database(':memory:');
        for (const name of ['open', 'close', 'error']) {
          db.on(name, () => {
            throw new Error(`listener of ${name}`);
          });
        }
        db.run('select nope');
        db.exec('nonsense');
        db.get('select 1 as v', (_error: Error | null, row: unknown) => print(row));
        db.close((error: Error | null) => print(error));
      },
      {
        output: ['listener of open', 'listener of error', 'listener of error', { v: 1 }, null, 'listener of close'],
      },
    );
  });

  test("of a callback does not keep 'open' and 'close' listeners from being called, nor hides theirs", async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const thrower = (name: string) => (): never => {
          throw new Error(name);
        };
        const db = new Database(':memory:', thrower('open callback'));
        db.on('open', thrower('open listener'));
        db.on('close', thrower('close listener'));
        db.get('select 1 as v', (_error: Error | null, row: unknown) => print(row));
        db.close(thrower('close callback'));
      },
      { output: ['open callback', 'open listener', { v: 1 }, 'close callback', 'close listener'] },
    );
  });

  test('of callbacks that get the error of a failed open is uncaught, and the rest is answered', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const thrower = (name: string) => (): never => {
          throw new Error(name);
        };
        const db = new Database('/missing-folder/of/a/test/x.db', thrower('open'));
        db.run('select 1', thrower('run'));
        db.exec('select 1', thrower('exec'));
        db.get('select 1', (error: { code?: string } | null) => print(error?.code));
      },
      { output: ['open', 'run', 'exec', 'SQLITE_CANTOPEN'] },
    );
  });

  test('of a callback with eager off is uncaught, and later calls are answered', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const db = new Database(':memory:');
        db.configure('eager', false);
        db.get('select 1', () => {
          throw new Error('get');
        });
        db.each('select 1 union all select 2', () => {
          throw new Error('row');
        });
        db.get('select 3 as v', (_error: Error | null, row: unknown) => print(row));
        db.close((error: Error | null) => print(error));
      },
      { output: ['get', 'row', 'row', { v: 3 }, null] },
    );
  });

  test('may be any value', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error: unknown) => print(String(error)));
        const db = new Database(':memory:');
        for (const thrown of [undefined, null, 5, 'text', { toString: () => 'object' }]) {
          db.get('select 1', () => {
            throw thrown;
          });
        }
        db.close((error: Error | null) => print(error));
      },
      { output: ['undefined', 'null', '5', 'text', 'object', null] },
    );
  });

  test('is handled before the next callback', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('uncaughtException', (error) => print(error.message));
        const db = new Database(':memory:');
        for (const at of [1, 2, 3]) {
          db.get('select 1', () => {
            print(`callback ${at}`);
            throw new Error(`exception ${at}`);
          });
        }
      },
      { output: [1, 2, 3].flatMap((at) => [`callback ${at}`, `exception ${at}`]) },
    );
  });

  test('without a handler ends the process with code 1 and the stack', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        db.get('select 1', function throwingCallback() {
          print('called');
          throw new Error('of the user');
        });
        db.get('select 2', () => print('never reached'));
      },
      { output: ['called'], code: 1, stderr: /Error: of the user\s+at .*throwingCallback/ },
    );
  });

  test('of a row callback without a handler ends the process before the next row callback', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        const db = new Database(':memory:');
        db.each(
          'select 1 as v union all select 2 union all select 3',
          (_error: Error | null, row: unknown) => {
            print(row);
            throw new Error('of the user');
          },
          () => print('never reached'),
        );
      },
      { output: [{ v: 1 }], code: 1, stderr: /Error: of the user/ },
    );
  });

  test('of a promise that a callback starts is an unhandled rejection', async () => {
    await expectProgram(
      ({ sqlite3: { Database }, print }) => {
        process.on('unhandledRejection', (error) => print(String(error)));
        const db = new Database(':memory:');
        db.get('select 1', async () => {
          throw new Error('async');
        });
        db.close((error: Error | null) => print(error));
      },
      { output: ['Error: async', null] },
    );
  });
});
