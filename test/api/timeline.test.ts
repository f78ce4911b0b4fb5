// record() of the subpath 'timeline': when SQLite and the event loop were busy, on one clock.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { record, type Span, type Timeline } from 'sqlite-tandem/timeline';
import { answer, once, single, value } from '../support/calls.js';
import { numbers, open } from '../support/database.js';

/** Takes SQLite some tens of milliseconds. */
const LONG = `select count(*) as v from (${numbers(400_000)})`;

const total = (spans: readonly Span[]): number => spans.reduce((sum, { start, end }) => sum + end - start, 0);

/** Milliseconds that lie in spans of both, counted pair by pair. */
function overlapOf({ sqlite, eventLoop }: Timeline): number {
  let sum = 0;
  for (const a of sqlite) {
    for (const b of eventLoop) {
      sum += Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
    }
  }
  return sum;
}

/** What holds for every timeline. */
function assertSound(timeline: Timeline): void {
  assert.ok(timeline.start <= timeline.end);
  for (const spans of [timeline.sqlite, timeline.eventLoop]) {
    let last = timeline.start;
    for (const { start, end } of spans) {
      assert.ok(last <= start && start < end, `${start} to ${end} follows ${last}`);
      last = end;
    }
    assert.ok(last <= timeline.end);
  }
  assert.ok(Math.abs(timeline.overlap - overlapOf(timeline)) < 1e-6, `${timeline.overlap} is ${overlapOf(timeline)}`);
}

/** Waits until the SQLite thread rests: its busy time stands still. The answer to a request comes before that. */
function untilIdle(db: sqlite3.Database): number {
  for (;;) {
    const busy = db.stats().sqliteBusyTime;
    if (db.stats().sqliteBusyTime === busy) return busy;
  }
}

/** Keeps the event loop busy. */
function spin(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe('a timeline', () => {
  test('shows when SQLite was busy, on the clock of performance.now()', async (t) => {
    const db = await open(t);
    untilIdle(db);
    const recording = record(db);
    const before = performance.now();
    await value(db, 'get', LONG);
    const after = performance.now();
    const timeline = recording.stop();
    assertSound(timeline);
    assert.ok(timeline.start <= before && after <= timeline.end);
    const busy = total(timeline.sqlite);
    assert.ok(busy > 1, `${busy} ms`);
    const [first] = timeline.sqlite;
    const last = timeline.sqlite.at(-1);
    assert.ok(first !== undefined && last !== undefined);
    // The clocks are compared once; that is not exact to the microsecond.
    assert.ok(first.start > before - 1 && last.end < timeline.end + 1, 'not before the call, and not after its answer');
  });

  test('agrees with stats() and with the profile event', async (t) => {
    const db = await open(t);
    let profiled = 0;
    db.on('profile', (_sql, milliseconds) => {
      profiled += milliseconds;
    });
    await answer(db, 'wait');
    const before = db.stats().sqliteBusyTime;
    const recording = record(db);
    for (let times = 0; times < 3; times += 1) await value(db, 'get', LONG);
    const { sqlite } = recording.stop();
    const counted = db.stats().sqliteBusyTime - before;
    const busy = total(sqlite);
    // SQLite counts each statement in whole milliseconds.
    assert.ok(busy > profiled - 3, `${busy} ms busy, of which ${profiled} in statements`);
    assert.ok(busy < counted + 1, `${busy} ms busy of ${counted}`);
  });

  test('contains the request whose callback ends the recording', async (t) => {
    const db = await open(t);
    for (let times = 0; times < 50; times += 1) {
      const recording = record(db);
      const { args } = await once('get', (callback) => db.get('select 1', () => callback(recording.stop())));
      const timeline = args[0] as Timeline;
      assertSound(timeline);
      assert.ok(timeline.sqlite.length > 0, `recording ${times}`);
    }
  });

  test('begins and ends in the middle of a request', async (t) => {
    const db = await open(t);
    const statement = db.prepare(`select count(*) from (${numbers()})`);
    await answer(db, 'wait');
    const idle = untilIdle(db);
    const running = answer(statement, 'get');
    while (db.stats().sqliteBusyTime === idle);
    const recording = record(db);
    spin(2);
    const timeline = recording.stop();
    db.interrupt();
    await running;
    await answer(statement, 'finalize');
    assertSound(timeline);
    assert.equal(timeline.sqlite.length, 1);
    assert.deepEqual(timeline.sqlite[0], { start: timeline.start, end: timeline.end });
  });

  test('shows when the event loop was running callbacks', async (t) => {
    const db = await open(t);
    const recording = record(db);
    await once('get', (callback) =>
      db.get('select 1', () => {
        spin(20);
        callback();
      }),
    );
    await answer(db, 'wait');
    const timeline = recording.stop();
    assertSound(timeline);
    const longest = Math.max(...timeline.eventLoop.map(({ start, end }) => end - start));
    assert.ok(longest >= 20, `${longest} ms`);
  });

  test('shows that both were busy at the same time', async (t) => {
    const db = await open(t);
    const recording = record(db);
    let ended = false;
    const interrupt = (): void => {
      if (ended) return;
      db.interrupt();
      setImmediate(interrupt);
    };
    db.get('select 1', () => {
      spin(30);
      interrupt();
    });
    // It runs for as long as the callback of the other does, however late that comes.
    await answer(db, 'get', `select count(*) from (${numbers()})`);
    ended = true;
    const timeline = recording.stop();
    assertSound(timeline);
    assert.ok(timeline.overlap > 1, `${timeline.overlap} ms`);
  });

  test('shows that SQLite waited for JavaScript with eager off', async (t) => {
    const db = await open(t);
    db.configure('eager', false);
    let profiled = 0;
    db.on('profile', (_sql, milliseconds) => {
      profiled = milliseconds;
    });
    await answer(db, 'wait');
    const recording = record(db);
    let spun = 0;
    db.get('select 1', () => {
      spin(30);
      spun = performance.now();
    });
    await value(db, 'get', LONG);
    const timeline = recording.stop();
    assertSound(timeline);
    const behind = timeline.sqlite.map(({ start, end }) => ({
      start: Math.max(start, spun),
      end: Math.max(end, spun),
    }));
    assert.ok(total(behind) > profiled - 1, `${total(behind)} ms behind the callback, of ${profiled}`);
  });

  test('keeps every span of many requests', async (t) => {
    const db = await open(t);
    const recording = record(db);
    const count = 6000;
    for (let at = 0; at < count; at += 1) db.run('select 1');
    await answer(db, 'wait');
    const timeline = recording.stop();
    assertSound(timeline);
    assert.ok(timeline.sqlite.length > count, `${timeline.sqlite.length} spans`);
  });

  test('is empty when nothing happens, and does not show another database', async (t) => {
    const db = await open(t);
    const other = await open(t);
    untilIdle(db);
    const recording = record(db);
    await value(other, 'get', LONG);
    const timeline = recording.stop();
    assertSound(timeline);
    assert.deepEqual(timeline.sqlite, []);
    assert.ok(timeline.eventLoop.length > 0, 'the loop is that of all databases');
  });
});

describe('a recording', () => {
  test('does not disturb another of the same database', async (t) => {
    const db = await open(t);
    const outer = record(db);
    await value(db, 'get', LONG);
    const inner = record(db);
    await value(db, 'get', LONG);
    const short = inner.stop();
    await value(db, 'get', LONG);
    const long = outer.stop();
    assertSound(short);
    assertSound(long);
    const parts = [long.sqlite, short.sqlite].map(total);
    assert.ok((parts[0] ?? 0) > (parts[1] ?? 0) && (parts[1] ?? 0) > 1, parts.join(' and '));
  });

  test('keeps what it has when the database is closed', async (t) => {
    const db = await open(t);
    const recording = record(db);
    await value(db, 'get', LONG);
    await value(db, 'close');
    const timeline = recording.stop();
    assertSound(timeline);
    assert.ok(total(timeline.sqlite) > 1);
    assert.deepEqual(record(db).stop().sqlite, [], 'a closed database does nothing');
  });

  test('ends once: stop() gives the same timeline again', async (t) => {
    const db = await open(t);
    const recording = record(db);
    await value(db, 'get', 'select 1');
    const timeline = recording.stop();
    await value(db, 'get', LONG);
    assert.equal(recording.stop(), timeline);
  });

  test('changes no result, and leaves the database usable', async (t) => {
    const db = await open(t);
    const recording = record(db);
    assert.equal(await single(db, LONG), 400_000);
    recording.stop();
    assert.equal(await single(db, LONG), 400_000);
  });

  test('is refused with a TypeError for anything but a Database', () => {
    for (const wrong of [undefined, null, {}, 'x', sqlite3.Database]) {
      assert.throws(() => Reflect.apply(record, undefined, [wrong]), {
        name: 'TypeError',
        message: 'Database object expected',
      });
    }
  });
});
