// When requests go to native: a lone one at once, the others once a turn or when the batch is full; and what is refused.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { binding } from 'sqlite-tandem/lib/native/binding.js';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { connectionOf } from 'sqlite-tandem/lib/request/connection.js';
import { Door, Probes, recordsOf } from './probe.js';

const { operationOpen, operationWait, operationExec } = layout;

/** Probes on an open, idle connection, and the door through which their requests go. */
const start = async (t: { after(fn: () => void): void }): Promise<{ probes: Probes; door: Door }> => {
  const door = new Door();
  t.after(() => door.stop());
  const probes = new Probes();
  t.after(() => probes.end());
  await probes.open().answered;
  door.look();
  return { probes, door };
};

describe('a batch', () => {
  test('of a lone request goes at once, before send() returns', async (t) => {
    const { probes, door } = await start(t);
    const lone = probes.wait();
    assert.deepEqual(door.look(), [[operationWait]]);
    await lone.answered;
    const next = probes.wait();
    assert.deepEqual(door.look(), [[operationWait]], 'the connection is idle again');
    await next.answered;
  });

  test('of all further requests of a turn goes once, when the turn is over', async (t) => {
    const { probes, door } = await start(t);
    probes.wait();
    door.look();
    for (let i = 0; i < 100; i++) probes.wait();
    const last = probes.exec('select 1');
    assert.deepEqual(door.look(), [], 'nothing goes before the turn is over');
    await Promise.resolve();
    assert.deepEqual(door.look(), [[...Array(100).fill(operationWait), operationExec]]);
    await last.answered;
    assert.deepEqual(door.look(), [], 'nothing goes twice');
  });

  test('of the next turn is one of its own', async (t) => {
    const { probes, door } = await start(t);
    // Keeps the connection busy, so that no request is alone.
    const busy = probes.exec(
      'with recursive n(v) as (select 1 union all select v + 1 from n where v < 300000) select count(*) from n',
    );
    door.look();
    for (let i = 1; i <= 3; i++) {
      for (let j = 0; j < i; j++) probes.wait();
      await turn();
      assert.deepEqual(door.look(), [Array(i).fill(operationWait)]);
    }
    assert.deepEqual(probes.log.slice(1), [], 'all of this while the first request ran');
    await busy.answered;
    await probes.wait().answered;
  });

  test('of a request that leaves the submission to the next one goes with that', async (t) => {
    const { probes, door } = await start(t);
    probes.send(operationWait, undefined, layout.requestQuiet, true);
    assert.deepEqual(door.look(), []);
    const last = probes.exec('select 1');
    assert.deepEqual(door.look(), [[operationWait, operationExec]]);
    await last.answered;
  });

  test('of a request that leaves the submission to one that never comes goes when the turn is over', async (t) => {
    const { probes, door } = await start(t);
    const lazy = probes.send(operationWait, undefined, 0, true);
    assert.deepEqual(door.look(), []);
    await lazy.answered;
    assert.deepEqual(door.look(), [[operationWait]]);
  });

  test('goes as soon as 64 KiB have come together', async (t) => {
    const { probes, door } = await start(t);
    probes.wait();
    door.look();
    let sent = 0;
    while (door.batches.length === 0) {
      probes.exec(`select '${'x'.repeat(1000)}'`);
      sent++;
    }
    const [batch] = door.batches;
    assert.ok(batch !== undefined && batch.length >= 65_536 && batch.length < 65_536 + 2000, `${batch?.length} bytes`);
    assert.equal(recordsOf(batch).length, sent);
    door.look();
    const last = probes.exec('select 2');
    assert.deepEqual(door.look(), [], 'the next batch begins empty');
    await last.answered;
    assert.deepEqual(door.look(), [[operationExec]]);
  });

  test('of interrupt() goes first, so that what was called before it can be interrupted', async (t) => {
    const { probes, door } = await start(t);
    probes.wait();
    const endless = probes.exec('with recursive n(v) as (select 1 union all select v + 1 from n) select max(v) from n');
    door.look();
    probes.connection.interrupt();
    assert.deepEqual(door.look(), [[operationExec]]);
    // The interrupt may have come before the request began; then it hit nothing, and another one will.
    const again = setInterval(() => probes.connection.interrupt(), 5);
    await endless.answered;
    clearInterval(again);
    assert.match(probes.log.at(-1) ?? '', /interrupted/);
  });

  test('has sequence numbers without gaps, in the order of the calls', async (t) => {
    const { probes, door } = await start(t);
    for (let i = 0; i < 50; i++) probes.wait();
    await probes.exec('select 1').answered;
    const sequences = door.batches.flatMap(recordsOf).map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      Array.from({ length: 51 }, (_, i) => i + 2),
    );
  });
});

describe('requests', () => {
  test('are answered in the order in which they were sent, quiet ones too', async (t) => {
    const { probes } = await start(t);
    for (let i = 0; i < 300; i++) probes.send(operationWait, undefined, i % 3 === 0 ? layout.requestQuiet : 0);
    probes.exec('syntax error');
    await probes.wait().answered;
    const names = probes.log.map((entry) => Number.parseInt(entry, 10));
    assert.deepEqual(
      names,
      Array.from({ length: 303 }, (_, i) => i + 1),
    );
    assert.match(probes.log[301] ?? '', /^302: 1 .*syntax error/);
  });

  test('that were quiet are answered without a request behind them', async (t) => {
    const { probes } = await start(t);
    await probes.send(operationWait, undefined, layout.requestQuiet).answered;
    assert.deepEqual(probes.log, ['1', '2']);
    assert.equal(probes.connection.waiting, 0);
  });

  test('that are unanswered are counted, and hold the process from the first to the last', async (t) => {
    const { probes } = await start(t);
    const held: boolean[] = [];
    const { hold } = binding;
    binding.hold = (on) => {
      held.push(on);
      hold(on);
    };
    t.after(() => {
      binding.hold = hold;
    });
    probes.wait();
    probes.wait();
    assert.equal(probes.connection.waiting, 2);
    assert.deepEqual(held, [true]);
    await probes.wait().answered;
    assert.equal(probes.connection.waiting, 0);
    assert.deepEqual(held, [true, false]);
  });

  test('whose body throws while it is written are not queued, and the next one is', async (t) => {
    const { probes, door } = await start(t);
    const thrown = new Error('from the body');
    const send = (): unknown =>
      probes.send(operationExec, (writer) => {
        writer.terminatedText('create table half');
        throw thrown;
      });
    assert.throws(send, thrown);
    assert.equal(probes.connection.waiting, 0);
    probes.exec('create table t(a)');
    assert.throws(send, thrown);
    await probes.exec('insert into t values(1)').answered;
    assert.deepEqual(door.look().flat(), [operationExec, operationExec]);
    assert.deepEqual(probes.log, ['1', '2', '3']);
  });
});

describe('numbers of statements', () => {
  test('are given out again once they are free', () => {
    const probes = new Probes();
    const { connection } = probes;
    const first = connection.allocateStatement();
    const second = connection.allocateStatement();
    assert.notEqual(first, second);
    assert.ok(first > 0 && second > 0, 'zero means none');
    connection.freeStatement(first);
    assert.equal(connection.allocateStatement(), first);
    assert.ok(![first, second].includes(connection.allocateStatement()));
    return probes.end();
  });
});

describe('requests that native has no memory for', () => {
  test('are answered with SQLITE_NOMEM, in order and once, and those before them as ever', async (t) => {
    const { probes, door } = await start(t);
    const first = probes.exec('select 1');
    door.refuses = true;
    probes.wait();
    probes.wait();
    const last = probes.wait();
    await Promise.resolve();
    door.refuses = false;
    await Promise.all([first.answered, last.answered]);
    assert.deepEqual(probes.log.toSorted(), [
      '1',
      '2',
      '3: 7 out of memory',
      '4: 7 out of memory',
      '5: 7 out of memory',
    ]);
    assert.deepEqual(
      probes.log
        .slice(-3)
        .map((entry) => entry.at(0))
        .toSorted(),
      probes.log.slice(-3).map((entry) => entry.at(0)),
    );
    await probes.wait().answered;
    assert.equal(probes.log.at(-1), '6');
    assert.equal(probes.connection.waiting, 0);
  });

  test('are all answered when those of several batches wait for the same request', async (t) => {
    const { probes, door } = await start(t);
    const before = probes.exec('select 1');
    door.refuses = true;
    const refused = [probes.wait()];
    probes.connection.flush();
    refused.push(probes.wait());
    probes.connection.flush();
    door.refuses = false;
    await Promise.all([before, ...refused].map(({ answered }) => answered));
    assert.deepEqual(probes.log, ['1', '2', '3: 7 out of memory', '4: 7 out of memory']);
    assert.equal(probes.connection.waiting, 0);
  });

  test('are answered likewise when no thread could be started at all', async (t) => {
    const { open } = binding;
    binding.open = () => 0;
    t.after(() => {
      binding.open = open;
    });
    const probes = new Probes();
    const opening = probes.open();
    const exec = probes.exec('select 1');
    await Promise.all([opening.answered, exec.answered]);
    assert.deepEqual(probes.log, ['1: 7 out of memory', '2: 7 out of memory']);
    await probes.end();
  });
});

describe('a connection that ends', () => {
  let probes: Probes;
  beforeEach(() => {
    probes = new Probes();
  });

  test('answers what is queued first, and is forgotten then', async () => {
    const { connection } = probes;
    probes.open();
    const last = probes.wait();
    connection.endWhenIdle();
    assert.equal(connection.ended, false);
    assert.equal(connectionOf(connection.id), connection);
    await last.answered;
    assert.equal(connection.ended, true);
    assert.equal(connectionOf(connection.id), undefined);
    assert.deepEqual(probes.log, ['1', '2']);
  });

  test('refuses every later request with the error it ended with, in order', async () => {
    const { connection } = probes;
    connection.endWhenIdle({ code: 14, message: 'cannot open', offset: -1, prepareFailed: false });
    assert.equal(connection.ended, true);
    probes.wait();
    await probes.exec('select 1').answered;
    assert.deepEqual(probes.log, ['1: 14 cannot open', '2: 14 cannot open']);
  });

  test('knows its last statistics', async () => {
    await probes.open().answered;
    await probes.exec('with recursive n(v) as (select 1 union all select v + 1 from n where v < 9999) select v from n')
      .answered;
    await probes.end();
    const { busy, undelivered } = probes.connection.stats();
    assert.ok(busy > 0);
    assert.equal(undelivered, 0);
  });

  test('takes no harm from ending twice', async () => {
    await probes.open().answered;
    probes.connection.endWhenIdle();
    probes.connection.endWhenIdle();
    assert.equal(probes.connection.ended, true);
  });
});

test('opening is a request like any other', async (t) => {
  const door = new Door();
  t.after(() => door.stop());
  const probes = new Probes();
  t.after(() => probes.end());
  probes.open('/nonexistent/folder/file.db');
  assert.deepEqual(door.look(), [[operationOpen]]);
  await probes.wait().answered;
  assert.deepEqual(probes.log, ['1: 14 unable to open database file', '2: 14 unable to open database file']);
});
