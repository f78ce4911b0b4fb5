// What SQLite says of a statement reaches its request: the description, and that a cursor is parked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { ParameterWriter } from 'sqlite-tandem/lib/request/parameters.js';
import type { Description } from 'sqlite-tandem/lib/request/request.js';
import type { Writer } from 'sqlite-tandem/lib/request/writer.js';
import { Probe, Probes } from './probe.js';

class Told extends Probe {
  description: Description | undefined;
  parked = false;

  override describe(description: Description): void {
    this.description = description;
  }

  override park(): void {
    this.parked = true;
  }
}

const start = async (t: { after(fn: () => void): void }, sql: string): Promise<Probes> => {
  const probes = new Probes();
  t.after(() => probes.end());
  probes.open();
  probes.exec('create table t(a integer, b)');
  const prepared = new Told('prepare', probes.log);
  probes.connection.send(prepared, layout.operationPrepare, layout.requestStrict, 1, (w) => w.terminatedText(sql));
  await prepared.answered;
  return probes;
};

const ask = async (probes: Probes, operation: number, flags = 0, write?: (writer: Writer) => void): Promise<Told> => {
  const told = new Told('asked', probes.log);
  probes.connection.send(told, operation, flags, 1, write);
  await told.answered;
  return told;
};

test('a description names parameters and columns, and has null for what is absent', async (t) => {
  const probes = await start(t, 'select a, b as ü, 1 + ? from t where a = :n');
  const { description } = await ask(probes, layout.operationDescribe);
  const place = { database: 'main', table: 't' };
  assert.deepEqual(description, {
    readOnly: true,
    explain: 0,
    parameters: ['', ':n'],
    columns: [
      { name: 'a', type: 'INTEGER', ...place, column: 'a' },
      { name: 'ü', type: null, ...place, column: 'b' },
      { name: '1 + ?', type: null, database: null, table: null, column: null },
    ],
  });
});

test('a fetch says that its cursor is parked, until there are no more rows; integers are as it asks', async (t) => {
  const probes = await start(t, 'select value as v from carray(?)');
  const limits = (writer: Writer): void => {
    writer.uint32(2);
    writer.uint32(100000);
  };
  const first = await ask(probes, layout.operationFetch, (1 + layout.integersBigint) << 8, (writer) => {
    writer.uint32(1);
    writer.uint32(1);
    new ParameterWriter(writer).array(1, layout.arrayInteger, [1, -2n, 2 ** 40]);
    limits(writer);
  });
  assert.deepEqual([first.parked, first.rows], [true, [{ v: 1n }, { v: -2n }]]);
  const second = await ask(probes, layout.operationFetch, 0, (writer) => {
    writer.uint32(0);
    writer.uint32(0);
    limits(writer);
  });
  assert.deepEqual([second.parked, second.rows], [false, [{ v: 2 ** 40 }]]);
});
