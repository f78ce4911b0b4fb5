// stats(): how much of SQLite's time the event loop was at work, too.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3, { type DatabaseStats } from 'sqlite-tandem';
import { addon } from 'sqlite-tandem/lib/native/binding.js';
import { answer, value } from '../support/calls.js';
import { expectProgram, packagePath } from '../support/child.js';
import { numbers, open } from '../support/database.js';

/** Takes SQLite some tens of milliseconds. */
const LONG = `select count(*) as v from (${numbers(400_000)})`;

/** Times are sums of whole nanoseconds, told in milliseconds. */
const EXACT = 1e-6;

interface Gained {
  readonly busy: number;
  readonly overlap: number;
}

function gained(before: DatabaseStats, after: DatabaseStats): Gained {
  assert.ok(before.overlapTime !== undefined && after.overlapTime !== undefined);
  return { busy: after.sqliteBusyTime - before.sqliteBusyTime, overlap: after.overlapTime - before.overlapTime };
}

describe('overlapTime', () => {
  test('is all of the time that SQLite works while JavaScript does not return', async (t) => {
    const db = await open(t);
    await answer(db, 'wait');
    const before = db.stats();
    const running = value(db, 'get', LONG);
    let after = before;
    while (after.sqliteBusyTime < before.sqliteBusyTime + 2) after = db.stats();
    const { busy, overlap } = gained(before, after);
    assert.ok(Math.abs(busy - overlap) < EXACT, `${overlap} ms of ${busy}`);
    await running;
  });

  test('leaves out what performance.eventLoopUtilization() counts as idle, and nothing else', async (t) => {
    const db = await open(t);
    await answer(db, 'wait');
    const idleBefore = performance.eventLoopUtilization().idle;
    const before = db.stats();
    await value(db, 'get', LONG);
    const { busy, overlap } = gained(before, db.stats());
    const idle = performance.eventLoopUtilization().idle - idleBefore;
    assert.ok(overlap < busy, 'the loop had nothing to do but wait');
    assert.ok(busy - overlap < idle + EXACT, `${overlap} ms of ${busy}; the loop was idle for ${idle}`);
  });

  test('is never less than nothing nor more than the time that SQLite was at work', async (t) => {
    const db = await open(t);
    for (let times = 0; times < 200; times++) {
      await value(db, 'get', 'select 1');
      const { sqliteBusyTime, overlapTime } = db.stats();
      assert.ok(overlapTime !== undefined && 0 <= overlapTime && overlapTime <= sqliteBusyTime);
    }
  });

  test('stands still once the database is closed', async () => {
    const db = new sqlite3.Database(':memory:');
    await value(db, 'get', 'select 1');
    await answer(db, 'close');
    const { overlapTime } = db.stats();
    assert.ok(overlapTime !== undefined && overlapTime > 0);
    assert.equal(db.stats().overlapTime, overlapTime);
  });

  test('of a worker is about the loop of the worker', () =>
    expectProgram(
      ({ require, argument, print }) => {
        const { Worker } = require('node:worker_threads');
        const worker = new Worker(argument, { eval: true });
        let found: readonly number[] = [];
        worker.on('message', (message: readonly number[]) => {
          found = message;
        });
        worker.on('exit', () => {
          const [busy = 0, overlap = 0, idle = 0] = found;
          const idleMeanwhile = busy - overlap;
          print(idleMeanwhile > 0 && idleMeanwhile < idle + 1e-6 ? 'sound' : found);
        });
        // The loop of the main thread is at work all the time.
        const spin = (): void => {
          if (worker.threadId !== -1) setImmediate(spin);
        };
        spin();
      },
      {
        argument: `
          const sqlite3 = require(${JSON.stringify(packagePath)});
          const { parentPort } = require('node:worker_threads');
          const db = new sqlite3.Database(':memory:');
          db.get(${JSON.stringify(LONG)}, () => {
            const { sqliteBusyTime, overlapTime } = db.stats();
            parentPort.postMessage([sqliteBusyTime, overlapTime, performance.eventLoopUtilization().idle]);
          });`,
        output: ['sound'],
      },
    ));

  for (const runtime of ['bun', 'deno', 'electron', 'nw']) {
    test(`is undefined in ${runtime}, whose event loop does not tell`, () =>
      expectProgram(
        ({ require, path, argument, print }) => {
          Object.defineProperty(process, 'versions', { value: { ...process.versions, [argument]: '1.0.0' } });
          for (const file of Object.keys(require.cache)) delete require.cache[file];
          const { Database } = require(path) as typeof sqlite3;
          const db = new Database(':memory:');
          db.get('select 1', () => {
            const { sqliteBusyTime, overlapTime } = db.stats();
            print([sqliteBusyTime > 0, typeof overlapTime]);
          });
        },
        { argument: runtime, output: [[true, 'undefined']] },
      ));
  }
});

test('the door tells idle time only when it was asked to', () => {
  for (const [tells, idle] of [
    [true, 0],
    [false, -1],
  ] as const) {
    const door = addon.start(() => false, tells);
    const database = door.open();
    const found = new Float64Array(5);
    assert.equal(door.stats(database, found), true);
    assert.equal(Math.min(found[1] as number, 0), idle);
    door.end(database);
  }
});
