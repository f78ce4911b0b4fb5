// cancel(): ends one request, wherever it is on its way, and no other.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { Door, Probe, Probes } from './probe.js';

const endless = 'with recursive n(v) as (select 1 union all select v + 1 from n) select count(*) from n';

const start = async (t: { after(fn: () => void): void }): Promise<Probes> => {
  const probes = new Probes();
  t.after(() => probes.end());
  await probes.open().answered;
  probes.log.length = 0;
  return probes;
};

const all = (...probes: readonly Probe[]): Promise<unknown> => Promise.all(probes.map(({ answered }) => answered));

describe('a cancelled request', () => {
  test('that runs or is about to ends with SQLITE_INTERRUPT, and the next one is executed', async (t) => {
    const probes = await start(t);
    const running = probes.exec(endless);
    const next = probes.exec('select 1');
    probes.connection.cancel(running);
    await all(running, next);
    assert.deepEqual(probes.log, ['2: 9 interrupted', '3']);
  });

  test('that waits is answered in its turn, and its neighbours are executed', async (t) => {
    const probes = await start(t);
    const running = probes.exec(endless);
    const before = probes.exec('create table t(a)');
    const waiting = probes.exec('drop table t');
    const behind = probes.exec('insert into t values(1)');
    probes.connection.flush();
    probes.connection.cancel(waiting);
    probes.connection.cancel(running);
    await all(running, before, waiting, behind);
    assert.deepEqual(probes.log, ['2: 9 interrupted', '3', '4: 9 interrupted', '5']);
  });

  test('that native has not been given yet goes there first', async (t) => {
    const probes = await start(t);
    const door = new Door();
    t.after(() => door.stop());
    const running = probes.exec(endless);
    const batched = probes.wait();
    door.look();
    probes.connection.cancel(batched);
    assert.deepEqual(door.look(), [[layout.operationWait]]);
    probes.connection.cancel(running);
    await all(running, batched);
    assert.deepEqual(probes.log, ['2: 9 interrupted', '3: 9 interrupted']);
  });

  test('that has been answered changes nothing, not even for what runs then', async (t) => {
    const probes = await start(t);
    const answered = probes.wait();
    await answered.answered;
    const running = probes.exec(endless.replace('from n)', 'from n limit 100000)'));
    probes.connection.cancel(answered);
    await running.answered;
    assert.deepEqual(probes.log, ['2', '3']);
  });

  test('that native had no memory for is told that, and those that come later are executed', async (t) => {
    const probes = await start(t);
    const door = new Door();
    t.after(() => door.stop());
    door.refuses = true;
    const refused = probes.wait();
    probes.connection.cancel(refused);
    door.refuses = false;
    const later = [probes.wait(), probes.wait(), probes.wait()];
    await all(refused, ...later);
    assert.deepEqual(probes.log.toSorted(), ['2: 7 out of memory', '3', '4', '5']);
  });

  test('that has not been sent is not cancelled by that', async (t) => {
    const probes = await start(t);
    const running = probes.wait();
    probes.connection.cancel(new Probe('unsent', probes.log));
    await running.answered;
    assert.deepEqual(probes.log, ['2']);
  });

  test('is the only one that is hit of hundreds', async (t) => {
    const probes = await start(t);
    const sent: Probe[] = [];
    const running = probes.exec(endless);
    for (let i = 0; i < 300; i++) sent.push(probes.wait());
    for (let i = 299; i >= 0; i -= 7) probes.connection.cancel(sent[i] as Probe);
    probes.connection.cancel(running);
    await all(running, ...sent);
    const expected = sent.map((_probe, i) => `${i + 3}${i % 7 === 299 % 7 ? ': 9 interrupted' : ''}`);
    assert.deepEqual(probes.log, ['2: 9 interrupted', ...expected]);
  });
});
