// Databases to be backed up, and what a backup says of itself.
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type sqlite3 from 'sqlite-tandem';
import { value } from './calls.js';
import { open, temporaryFile } from './database.js';

const FILLED =
  'create table t(v); with recursive n(v) as (select 1 union all select v + 1 from n where v < 300)' +
  ' insert into t select zeroblob(200) from n';

/** Pages of a database that filled() has made, and how to count its 300 rows. */
export const PAGES = 18;
export const COUNT = 'select count(*) as v from t';

/** A database with some pages, and a name for its copy in the same folder. */
export async function filled(t: TestContext): Promise<{ db: sqlite3.Database; copy: string; folder: string }> {
  const file = temporaryFile(t);
  const db = await open(t, file);
  await value(db, 'exec', FILLED);
  return { db, copy: join(dirname(file), 'copy.db'), folder: dirname(file) };
}

/** The properties that change: idle, completed, failed, remaining, pageCount. */
export function stateOf({ idle, completed, failed, remaining, pageCount }: sqlite3.Backup): unknown[] {
  return [idle, completed, failed, remaining, pageCount];
}
