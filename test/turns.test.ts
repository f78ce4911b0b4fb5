// Turns of the event loop for a program that has faked its own: through messages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterThis, messageTurns } from 'sqlite-tandem/lib/turns.js';
import { expectProgram } from './support/child.js';

describe('a turn that comes by message', () => {
  test('comes later, once for each callback and in their order', async () => {
    const inNextTurn = messageTurns();
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      inNextTurn(() => order.push('first'));
      inNextTurn(() => {
        order.push('second');
        inNextTurn(resolve);
      });
      order.push('now');
    });
    assert.deepEqual(order, ['now', 'first', 'second']);
  });

  test('keeps the process alive until it has come, and no longer', async () => {
    await expectProgram(
      ({ path, require, print }) => {
        const { messageTurns: turns } = require(`${require('node:path').dirname(path)}/turns.js`);
        turns()(() => print('came'));
      },
      { output: ['came'] },
    );
  });

  test('lets the timers have theirs', async () => {
    const inNextTurn = messageTurns();
    await new Promise<void>((resolve) => {
      let over = false;
      setTimeout(() => {
        over = true;
      }, 1);
      const again = (): void => (over ? resolve() : inNextTurn(again));
      again();
    });
  });
});

describe('what comes after the running code', () => {
  test('comes before the next turn', async () => {
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        order.push('turn');
        resolve();
      });
      afterThis(() => order.push('after'));
      order.push('now');
    });
    assert.deepEqual(order, ['now', 'after', 'turn']);
  });
});
