// Ends programs at every stage, and checks what is in the file afterwards and that nothing is left beside it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { rows, single, value } from '../support/calls.js';
import type { Program } from '../support/child.js';
import { open, temporaryFile } from '../support/database.js';
import { amount, isLong } from './long.js';

/** How a process ends by itself; a worker ends like this, too, or is terminated. */
export type End = 'the end of the loop' | 'process.exit()' | 'an exception' | 'SIGTERM' | 'terminate()';

/** What a program is told. */
export interface Ending {
  readonly file: string;
  readonly stage: string;
  readonly end: End;
}

/** The stages of one API. */
export interface Plan {
  readonly name: string;
  /** Brings a database to the stage, and ends. */
  readonly program: Program;
  readonly stages: readonly string[];
  /** How many rows there are in the end when the process goes on to its end, where there are any. */
  readonly rows: Readonly<Record<string, number>>;
  /** Stages in which all of these rows are written by one transaction. */
  readonly whole: readonly string[];
}

const rounds = amount(1, 2);
// In the suite each combination runs in one of the two.
const journals = ['delete', 'wal'] as const;

/** Files that SQLite makes beside a database while it is open. */
const besides = /-(journal|wal|shm)$/;

/** How a process, or a worker, says that it ended so. */
export const codes: Record<Exclude<End, 'SIGTERM' | 'terminate()'>, number> = {
  'the end of the loop': 0,
  'process.exit()': 7,
  'an exception': 1,
};

async function created(t: TestContext, journal: string): Promise<string> {
  const file = temporaryFile(t);
  const db = await open(t, file);
  await value(db, 'exec', `pragma journal_mode = ${journal}; create table t(v); create table filler(v)`);
  await value(db, 'exec', 'insert into filler values(zeroblob(60000))');
  await value(db, 'close');
  return file;
}

/** What has to be true of the file, whatever happened. */
async function inspect(t: TestContext, plan: Plan, { file, stage, end }: Ending): Promise<void> {
  const db = await open(t, file);
  assert.deepEqual(await rows(db, 'pragma integrity_check'), [{ integrity_check: 'ok' }]);
  assert.equal(await single(db, 'select count(*) as v from t where v = -1'), 0, 'nothing uncommitted is there');
  const found = (await rows(db, 'select v from t order by rowid')).map(({ v }) => v);
  assert.deepEqual(
    found,
    found.map((_v, at) => at + 1),
    'calls were carried out in their order',
  );
  const expected = plan.rows[stage] ?? 0;
  if (end === 'the end of the loop') assert.equal(found.length, expected, 'all that was called was done');
  if (plan.whole.includes(stage)) assert.ok([0, expected].includes(found.length), 'a transaction is whole');
  await value(db, 'exec', 'begin immediate; insert into t values(0); commit');
  await value(db, 'close');
  const copy = path.join(path.dirname(file), 'copy.db');
  if (existsSync(copy)) {
    const copied = await open(t, copy);
    assert.deepEqual(await rows(copied, 'pragma integrity_check'), [{ integrity_check: 'ok' }]);
    await value(copied, 'close');
  }
  assert.deepEqual(leftBeside(file), []);
}

/** Files of SQLite that are still there. */
export function leftBeside(file: string): string[] {
  return readdirSync(path.dirname(file)).filter((name) => besides.test(name));
}

let ended = 0;
after(() => console.log(`${ended} endings were survived`));

/** Runs a test for each stage and journal mode. */
export function forEachStage(plan: Plan, end: End, body: (t: TestContext, ending: Ending) => Promise<void>): void {
  for (const [at, stage] of plan.stages.entries()) {
    for (const journal of isLong ? journals : journals.slice(at % 2, (at % 2) + 1)) {
      test(`while ${stage} (${journal})`, async (t) => {
        for (let round = 0; round < rounds; round += 1) {
          const file = await created(t, journal);
          const ending = { file, stage, end };
          await body(t, ending);
          await inspect(t, plan, ending);
          ended += 1;
        }
      });
    }
  }
}
