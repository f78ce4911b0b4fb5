// The mailbox: what it takes, one delivery a call, turns for timers, large results, throwing callbacks and damaged bytes.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { Mailbox } from 'sqlite-tandem/lib/result/deliver.js';
import { Queue } from './queue.js';
import { done, rows, shape } from './records.js';

const { resultFinal, resultHeld } = layout;
const nothing = { changes: 0, lastID: 0 };

/** What performance.now() says: tests decide when a turn is over, not the load of the machine. */
let clock = 0;
before(() => {
  mock.method(performance, 'now', () => clock);
});
after(() => mock.restoreAll());

/** In place of the native door: hands out segments. */
class Source {
  readonly segments: Buffer[] = [];
  readonly taken: string[] = [];
  woken = 0;
  /** Whether the mailbox, when it found nothing, said that it will look again. */
  promised: boolean[] = [];
  onWake = (): void => {};
  /** How often the mailbox waited awake for a segment. */
  watched = 0;
  /** How long it takes to take one. */
  milliseconds = 0;

  add(id: number, ...records: readonly Buffer[]): void {
    const head = Buffer.alloc(layout.segmentRecordsAt);
    head.writeUInt32LE(id, layout.segmentConnectionAt);
    this.segments.push(Buffer.concat([head, ...records]));
  }

  take(bytes: Uint8Array, truncate: boolean, looksAgain: boolean): number {
    const [segment] = this.segments;
    if (segment === undefined) {
      this.promised.push(looksAgain);
      return 0;
    }
    if (segment.length > bytes.length && !truncate) {
      this.taken.push(`needs ${segment.length}`);
      return -segment.length;
    }
    this.segments.shift();
    clock += this.milliseconds;
    this.taken.push(truncate ? 'cut' : 'whole');
    bytes.set(segment.subarray(0, bytes.length));
    return Math.min(segment.length, bytes.length);
  }

  watch(microseconds: number): boolean {
    assert.ok(microseconds > 0 && microseconds < 100, `${microseconds} microseconds`);
    this.watched++;
    return this.segments.length > 0;
  }

  wake(): void {
    this.woken++;
    this.onWake();
  }
}

let source: Source;
let queues: Map<number, Queue>;
let released: number;
let asked: number;
let raised: unknown[];
let mailbox: Mailbox;

beforeEach(() => {
  clock = 1000;
  source = new Source();
  queues = new Map([
    [1, new Queue()],
    [2, new Queue()],
  ]);
  released = 0;
  asked = 0;
  raised = [];
  mailbox = new Mailbox(
    source,
    (id) => queues.get(id),
    () => {
      released++;
    },
    () => released < asked,
    (error) => raised.push(error),
  );
});

const queueOf = (id: number): Queue => {
  const queue = queues.get(id);
  assert.ok(queue !== undefined);
  return queue;
};

describe('a call of deliver()', () => {
  test('delivers one answer and says whether there are more', () => {
    const queue = queueOf(1);
    for (let i = 0; i < 3; i++) queue.ask();
    source.add(1, done(1), done(2), done(3));
    for (const more of [true, true, false]) {
      const before = queue.log.length;
      assert.equal(mailbox.deliver(), more);
      assert.equal(queue.log.length, before + 1);
    }
    assert.equal(mailbox.deliver(), false);
    assert.equal(released, 3);
  });

  test('without results does nothing', () => {
    assert.equal(mailbox.deliver(), false);
    assert.equal(released, 0);
  });

  test('goes on with the next segment, of any connection', () => {
    queueOf(1).ask();
    queueOf(2).ask();
    queueOf(1).ask();
    source.add(1, done(1));
    source.add(2, done(1));
    source.add(1, done(2));
    while (mailbox.deliver());
    assert.deepEqual(queueOf(1).log, [
      ['r1', nothing, []],
      ['r2', nothing, []],
    ]);
    assert.deepEqual(queueOf(2).log, [['r1', nothing, []]]);
  });

  test('skips segments of a connection that has ended', () => {
    queueOf(1).ask();
    source.add(7, done(1), done(2));
    source.add(1, done(1));
    assert.equal(mailbox.deliver(), false);
    assert.deepEqual(queueOf(1).log, [['r1', nothing, []]]);
  });

  test('knows the shapes of each connection by themselves', () => {
    queueOf(1).ask();
    queueOf(2).ask();
    source.add(1, shape(1, ['a']));
    source.add(2, shape(1, ['b']));
    source.add(1, rows(1, 1, [[{ int32: 1 }]], resultFinal));
    source.add(2, rows(1, 1, [[{ int32: 2 }]], resultFinal));
    while (mailbox.deliver());
    assert.deepEqual(queueOf(1).log, [['r1', nothing, [{ a: 1 }]]]);
    assert.deepEqual(queueOf(2).log, [['r1', nothing, [{ b: 2 }]]]);
  });

  test('releases a request once, when it is answered, before its callback', () => {
    const asked = queueOf(1).ask(true);
    const seen: number[] = [];
    asked.during = () => seen.push(released);
    source.add(1, shape(1, ['a']), rows(1, 1, [[{ int32: 1 }]]), rows(1, 1, [[{ int32: 2 }]], resultFinal));
    while (mailbox.deliver());
    assert.deepEqual(seen, [0, 0, 1]);
  });

  test('lets a held connection proceed after the callback, also after one that throws', async () => {
    const queue = queueOf(1);
    const seen: number[] = [];
    for (let i = 0; i < 2; i++) queue.ask().during = () => seen.push(queue.proceeded);
    source.add(1, done(1, 0, 0, resultFinal | resultHeld), done(2));
    mailbox.deliver();
    assert.equal(queue.proceeded, 1);
    mailbox.deliver();
    assert.equal(queue.proceeded, 1, 'the second was not held');
    assert.deepEqual(seen, [0, 1]);
    await turn();
  });
});

describe('a large result', () => {
  test('gets a buffer of its own size, and the next ones the reused one again', () => {
    const queue = queueOf(1);
    queue.ask();
    queue.ask();
    const large = 'x'.repeat(700_000);
    source.add(1, shape(1, ['a']), rows(1, 1, [[{ rawAscii: large }]], resultFinal));
    source.add(1, rows(2, 1, [[{ ascii: 'small' }]], resultFinal));
    while (mailbox.deliver());
    assert.deepEqual(queue.log, [
      ['r1', nothing, [{ a: large }]],
      ['r2', nothing, [{ a: 'small' }]],
    ]);
    assert.match(source.taken[0] ?? '', /^needs/);
    assert.deepEqual(source.taken.slice(1), ['whole', 'whole']);
  });

  test('that is larger than any buffer fails its request with SQLITE_TOOBIG, and the next is answered', () => {
    const queue = queueOf(1);
    queue.ask();
    queue.ask();
    source.add(1, shape(1, ['a']));
    mailbox.deliver();
    source.add(1, rows(1, 1, [[{ rawAscii: 'x'.repeat(700_000) }]], resultFinal));
    source.add(1, done(2));
    const { take } = source;
    source.take = (bytes, truncate, looksAgain) => {
      const size = take.call(source, bytes, truncate, looksAgain);
      return size < 0 ? -Number.MAX_SAFE_INTEGER : size;
    };
    while (mailbox.deliver());
    assert.deepEqual(queue.log, [
      ['r1', { code: 18, message: 'string or blob too big', offset: -1, prepareFailed: false }],
      ['r2', nothing, []],
    ]);
  });

  test('in many records lets timers have their turn in between, and is delivered after all', async () => {
    const queue = queueOf(1);
    queue.ask();
    const piece = Array.from({ length: 2000 }, (_, i) => [{ int32: i }, { ascii: 'some text' }]);
    source.add(1, shape(1, ['a', 'b']));
    for (let i = 0; i < 100; i++) source.add(1, rows(1, 1, piece));
    source.add(1, done(1));
    source.milliseconds = 1;
    let calls = 0;
    while (queue.log.length === 0) {
      mailbox.deliver();
      calls++;
      // As the loop does it: setImmediate() asks native to wake the mailbox again.
      await turn();
      assert.ok(calls < 1000, 'the result comes to an end');
    }
    assert.ok(source.woken >= 5, `the turn was given up ${source.woken} times in ${clock - 1000} milliseconds`);
    const [, , found] = queue.log[0] as [string, unknown, unknown[]];
    assert.equal(found.length, 200_000);
  });
});

describe('many small answers', () => {
  test('let timers have their turn, and none is lost', async () => {
    const queue = queueOf(1);
    const count = 500;
    const records = [];
    for (let i = 1; i <= count; i++) {
      queue.ask().during = () => {
        clock += 1;
      };
      records.push(done(i));
    }
    source.add(1, ...records);
    let turns = 0;
    while (queue.log.length < count) {
      while (mailbox.deliver());
      turns++;
      await turn();
    }
    assert.ok(turns > 5, `${turns} turns`);
    assert.equal(source.woken, turns - 1, 'asked to be woken once for each turn given up');
    assert.equal(released, count);
  });
});

/** Resolves when the source is asked to wake the mailbox; keeps the process alive meanwhile, as native does. */
function wakeUp(): Promise<void> {
  const alive = setInterval(() => {}, 1000);
  return new Promise((resolve) => {
    source.onWake = () => {
      clearInterval(alive);
      resolve();
    };
  });
}

describe('while more answers are to come', () => {
  test('looks for them by itself', async () => {
    const queue = queueOf(1);
    asked = 2;
    queue.ask();
    queue.ask();
    source.add(1, done(1));
    const woken = wakeUp();
    assert.equal(mailbox.deliver(), false);
    assert.deepEqual(source.promised, [true]);
    assert.equal(source.woken, 0, 'not at once');
    await woken;
    source.add(1, done(2));
    assert.equal(mailbox.deliver(), false);
    assert.deepEqual(source.promised, [true, false]);
    assert.equal(queue.log.length, 2);
  });

  test('looks again each time', async () => {
    const queue = queueOf(1);
    asked = 5;
    for (let i = 0; i < asked; i++) queue.ask();
    for (let i = 1; i <= asked; i++) {
      source.add(1, done(i));
      mailbox.deliver();
      if (i < asked) await wakeUp();
    }
    assert.deepEqual(source.promised, [true, true, true, true, false]);
  });

  test('does so though the program fakes its timers', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
    asked = 2;
    queueOf(1).ask();
    source.add(1, done(1));
    const woken = wakeUp();
    mailbox.deliver();
    await woken;
  });

  test('without any, promises nothing', async () => {
    mailbox.deliver();
    queueOf(1).ask();
    source.add(1, done(1));
    mailbox.deliver();
    assert.deepEqual(source.promised, [false, false]);
  });
});

describe('after a lone request', () => {
  test('an answer that comes at once is delivered in the same turn of the loop, without a wake-up', async () => {
    const queue = queueOf(1);
    queue.ask();
    mailbox.anticipate();
    assert.equal(source.watched, 0, 'not before the running code has returned');
    source.add(1, done(1));
    await turn();
    assert.equal(queue.log.length, 1);
    assert.deepEqual([source.watched, source.woken], [1, 0]);
  });

  test('what is behind the first answer comes by a wake-up', async () => {
    const queue = queueOf(1);
    queue.ask();
    queue.ask();
    mailbox.anticipate();
    mailbox.anticipate();
    source.add(1, done(1), done(2));
    await turn();
    assert.equal(queue.log.length, 1);
    assert.deepEqual([source.watched, source.woken], [1, 1]);
    assert.equal(mailbox.deliver(), false);
    assert.equal(queue.log.length, 2);
  });

  test('is given up for longer and longer while answers come late, and taken up when one comes in time', async () => {
    const queue = queueOf(1);
    const watchedIn = async (requests: number): Promise<number> => {
      const before = source.watched;
      for (let i = 0; i < requests; i++) {
        mailbox.anticipate();
        await turn();
      }
      return source.watched - before;
    };
    assert.equal(await watchedIn(1 + 1 + 1 + 2 + 1 + 4 + 1), 4);
    assert.ok((await watchedIn(6500)) <= 110);
    // In time from now on: after the present pause each is waited for.
    const before = queue.log.length;
    for (let i = 1; i <= 100; i++) {
      queue.ask();
      mailbox.anticipate();
      source.add(1, done(i));
      await turn();
      if (queue.log.length === before + i) continue;
      while (mailbox.deliver());
    }
    assert.equal(queue.log.length, before + 100);
    assert.equal(await watchedIn(1), 1);
  });
});

describe('a callback that throws', () => {
  test('does not stop the mailbox, and the exception is raised at once', () => {
    const queue = queueOf(1);
    const thrown = new Error('from a callback');
    queue.ask().during = () => {
      throw thrown;
    };
    queue.ask();
    source.add(1, done(1), done(2));
    assert.equal(mailbox.deliver(), true);
    assert.deepEqual(raised, [thrown]);
    assert.equal(mailbox.deliver(), false);
    assert.deepEqual(queue.log.length, 2);
    assert.equal(released, 2);
  });
});

describe('damaged bytes', () => {
  test('throw once; what is behind them in other segments is delivered', () => {
    queueOf(1).ask();
    queueOf(2).ask();
    source.add(1, Buffer.alloc(64));
    source.add(2, done(1));
    assert.throws(() => mailbox.deliver(), /damaged result/);
    assert.equal(mailbox.deliver(), false);
    assert.deepEqual(queueOf(2).log, [['r1', nothing, []]]);
  });

  test('of many segments throw once for each', () => {
    queueOf(1).ask();
    for (let i = 0; i < 10; i++) source.add(1, Buffer.alloc(8 * i + 8));
    for (let i = 0; i < 10; i++) assert.throws(() => mailbox.deliver(), /damaged result/);
    assert.equal(mailbox.deliver(), false);
  });
});

test('observers are told when each delivery began and ended', () => {
  const seen: (readonly [number, number])[] = [];
  const observer = (start: number, end: number) => seen.push([start, end]);
  mailbox.observers.add(observer);
  for (let i = 0; i < 2; i++) {
    queueOf(1).ask().during = () => {
      clock += 3;
    };
  }
  source.add(1, done(1), done(2));
  while (mailbox.deliver());
  mailbox.observers.delete(observer);
  mailbox.deliver();
  assert.deepEqual(seen, [
    [1000, 1003],
    [1003, 1006],
  ]);
});
