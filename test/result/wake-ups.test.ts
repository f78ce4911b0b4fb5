// When the mailbox is called: by itself while more answers are to come, and awake after a lone request.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Mailbox } from 'sqlite-tandem/lib/result/deliver.js';
import { Queue } from './queue.js';
import { done } from './records.js';
import { Source } from './source.js';

let source: Source;
let queue: Queue;
let answered: number;
/** How many answers are to come in all. */
let asked: number;
let mailbox: Mailbox;

beforeEach(() => {
  source = new Source();
  queue = new Queue();
  answered = 0;
  asked = 0;
  mailbox = new Mailbox(
    source,
    () => queue,
    () => {
      answered++;
    },
    () => answered < asked,
    assert.ifError,
    // Stands still: a turn never takes too long.
    () => 0,
  );
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
    asked = 5;
    for (let i = 0; i < asked; i++) queue.ask();
    for (let i = 1; i <= asked; i++) {
      source.add(1, done(i));
      mailbox.deliver();
      if (i < asked) await wakeUp();
    }
    assert.deepEqual(source.promised, [true, true, true, true, false]);
  });

  test('keeps nothing of the async context in which it promised to', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const storage = new AsyncLocalStorage<object>();
    asked = 2;
    queue.ask();
    source.add(1, done(1));
    const deliver = (): WeakRef<object> => {
      const store = {};
      storage.run(store, mailbox.deliver);
      return new WeakRef(store);
    };
    const store = deliver();
    assert.deepEqual(source.promised, [true]);
    await wakeUp();
    for (let turns = 0; turns < 100 && store.deref() !== undefined; turns++) {
      await turn();
      collectGarbage();
    }
    assert.equal(store.deref(), undefined);
  });

  test('but finds nothing when it looks, leaves it at that', async () => {
    asked = 2;
    queue.ask();
    source.add(1, done(1));
    mailbox.deliver();
    await wakeUp();
    mailbox.deliver();
    assert.deepEqual(source.promised, [true, false]);
  });

  test('does so though the program fakes its timers', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
    asked = 2;
    queue.ask();
    source.add(1, done(1));
    const woken = wakeUp();
    mailbox.deliver();
    await woken;
  });

  test('without any, promises nothing', async () => {
    mailbox.deliver();
    queue.ask();
    source.add(1, done(1));
    mailbox.deliver();
    assert.deepEqual(source.promised, [false, false]);
  });
});

describe('after a lone request', () => {
  test('an answer that comes at once is delivered in the same turn of the loop, without a wake-up', async () => {
    queue.ask();
    mailbox.anticipate();
    assert.equal(source.watched, 0, 'not before the running code has returned');
    source.add(1, done(1));
    await turn();
    assert.equal(queue.log.length, 1);
    assert.deepEqual([source.watched, source.woken], [1, 0]);
  });

  test('what is behind the first answer comes by a wake-up', async () => {
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
