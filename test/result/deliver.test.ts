// The mailbox: what it takes, one delivery a call, turns for timers, large results, throwing callbacks and damaged bytes.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { Mailbox } from 'sqlite-tandem/lib/result/deliver.js';
import { Queue } from './queue.js';
import { done, rows, shape } from './records.js';
import { Source } from './source.js';

const { resultFinal, resultHeld } = layout;
const nothing = { changes: 0, lastID: 0 };

/** In milliseconds: tests decide when a turn is over, not the load of the machine. */
let clock = 0;

let source: Source;
let queues: Map<number, Queue>;
let released: number;
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
  raised = [];
  mailbox = new Mailbox(
    source,
    (id) => queues.get(id),
    () => {
      released++;
    },
    () => false,
    (error) => raised.push(error),
    () => clock,
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
    source.add(1, shape(1, ['a']), rows(1, 1, [[{ rawLatin1: large }]], resultFinal));
    source.add(1, rows(2, 1, [[{ latin1: 'small' }]], resultFinal));
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
    source.add(1, rows(1, 1, [[{ rawLatin1: 'x'.repeat(700_000) }]], resultFinal));
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
    const piece = Array.from({ length: 2000 }, (_, i) => [{ int32: i }, { latin1: 'some text' }]);
    source.add(1, shape(1, ['a', 'b']));
    for (let i = 0; i < 100; i++) source.add(1, rows(1, 1, piece));
    source.add(1, done(1));
    source.onTake = () => {
      clock += 1;
    };
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

describe('a turn that was given up', () => {
  test('is not taken back by a second wake-up, which native may have sent just before', async () => {
    const queue = queueOf(1);
    for (let i = 0; i < 4; i++) {
      queue.ask().during = () => {
        clock += 100;
      };
    }
    source.add(1, done(1), done(2), done(3), done(4));
    while (mailbox.deliver());
    const delivered = queue.log.length;
    assert.ok(delivered < 4, 'not all in one turn');
    assert.equal(mailbox.deliver(), false);
    assert.equal(queue.log.length, delivered);
    await turn();
    assert.equal(source.woken, 1);
    for (; queue.log.length < 4; await turn()) while (mailbox.deliver());
    assert.equal(released, 4);
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
  const damaged = { code: 2, message: 'damaged result', offset: -1, prepareFailed: false };

  test('fail all requests of their database, in their order; others are not harmed', () => {
    for (let i = 0; i < 3; i++) queueOf(1).ask();
    queueOf(2).ask();
    source.add(1, Buffer.alloc(64));
    source.add(2, done(1));
    while (mailbox.deliver());
    assert.deepEqual(queueOf(1).log, [
      ['r1', damaged],
      ['r2', damaged],
      ['r3', damaged],
    ]);
    assert.deepEqual(queueOf(2).log, [['r1', nothing, []]]);
    assert.equal(released, 4);
  });

  test('in many segments answer nothing twice, and later requests when there is something of theirs', () => {
    queueOf(1).ask();
    for (let i = 0; i < 10; i++) source.add(1, Buffer.alloc(8 * i + 8));
    while (mailbox.deliver());
    queueOf(1).ask();
    source.add(1, done(2));
    while (mailbox.deliver());
    assert.deepEqual(queueOf(1).log, [
      ['r1', damaged],
      ['r2', damaged],
    ]);
  });

  test('let a thread go on that holds its answers back', () => {
    const queue = queueOf(1);
    queue.ask().quiet = false;
    queue.ask();
    source.add(1, Buffer.alloc(64));
    while (mailbox.deliver());
    assert.equal(queue.proceeded, 1);
  });
});

test('observers are told when each delivery began and ended', (t) => {
  t.mock.method(performance, 'now', () => clock);
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
