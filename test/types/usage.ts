// Programs that must compile against the public types and mistakes that must not: compiled by the tests, never run.
//
// A regression shows as a compile error here: a line that stops compiling, or a `@ts-expect-error` without an error.

import { promisify } from 'node:util';
import * as everything from 'sqlite-tandem';
import sqlite3, {
  Backup,
  cached,
  Database,
  type DatabaseStats,
  OPEN_CREATE,
  path,
  type RunResult,
  type sqlite3 as Sqlite3,
  type SqliteError,
  Statement,
  verbose,
} from 'sqlite-tandem';
import { type Recording, record, type Span, type Timeline } from 'sqlite-tandem/timeline';

import required = require('sqlite-tandem');

interface User {
  id: number;
  name: string;
}

/** Compiles only when A and B are the same type, so that neither may widen to unknown unseen. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expectSame<A, B>(same: Same<A, B>): void;
/** The same for a value: `typeOf(this)` instead of `typeof this`, which formatters take for an unused `this`. */
declare function typeOf<A>(value: A): { is<B>(same: Same<A, B>): void };

/** The ways to name the classes all mean one class. */
export function forms(db: sqlite3.Database): void {
  const sameDatabase: Database = db;
  const fromNamespace: everything.Database = sameDatabase;
  const fromRequire: required.Database = fromNamespace;
  const statement: sqlite3.Statement = new required.Statement(fromRequire, 'SELECT 1');
  const backup: sqlite3.Backup = new everything.Backup(db, 'copy.db', 'main', 'main', true);
  const result: sqlite3.RunResult | RunResult | undefined = undefined;
  const module: Sqlite3 = sqlite3.verbose();
  const again: typeof sqlite3 = verbose().verbose();
  const viaModule: Database = new module.Database(':memory:');
  expectSame<typeof Database, typeof sqlite3.Database>(true);
  expectSame<typeof required.Statement, typeof everything.Statement>(true);
  expectSame<InstanceType<typeof sqlite3.Backup>, Backup>(true);
  consume(statement, backup, result, again, viaModule);
}

export function constants(): void {
  expectSame<typeof OPEN_CREATE, number>(true);
  expectSame<typeof sqlite3.OPEN_READONLY, number>(true);
  const numbers: number[] = [sqlite3.BUSY, sqlite3.CONSTRAINT_UNIQUE, sqlite3.LIMIT_SCHEMA, sqlite3.VERSION_NUMBER];
  const texts: string[] = [sqlite3.VERSION, sqlite3.SOURCE_ID, path, sqlite3.path];
  consume(numbers, texts);
  // @ts-expect-error constants cannot be assigned
  sqlite3.BUSY = 6;
  // @ts-expect-error an unknown name
  consume(sqlite3.OPEN_NOTHING);
}

export function opening(mode?: number, callback?: (err: Error | null) => void): void {
  new Database('a.db');
  new Database('a.db', callback);
  new Database('a.db', mode, callback);
  new Database('a.db', null, (err) => expectSame<typeof err, SqliteError | null>(true));
  new Database('a.db', undefined, (err: Error | null) => consume(err));
  new Database('a.db', OPEN_CREATE | sqlite3.OPEN_READWRITE, function (err) {
    typeOf(this).is<Database>(true);
    consume(err?.extendedCode);
  });
  // @ts-expect-error the file name is missing
  new Database();
  // @ts-expect-error a Buffer is no file name
  new Database(Buffer.from('a.db'));
  // @ts-expect-error flags are a number
  new Database('a.db', 'readonly');
  // @ts-expect-error classes need new
  Database('a.db');
}

export function properties(db: Database, statement: Statement): void {
  expectSame<typeof db.filename, string>(true);
  expectSame<typeof db.mode, number>(true);
  expectSame<typeof db.open, boolean>(true);
  expectSame<typeof statement.sql, string>(true);
  // @ts-expect-error read-only
  db.filename = 'b.db';
  // @ts-expect-error read-only
  db.open = true;
  // @ts-expect-error read-only
  statement.sql = 'SELECT 2';
  // @ts-expect-error only the `this` of a run callback has it
  consume(statement.lastID);
}

export function running(db: Database, statement: Statement, rest: unknown[]): void {
  const chained: Database = db.run('SELECT 1').run('SELECT ?', 1).run('SELECT ?', [1]).run('SELECT $a', { $a: 1n });
  db.run('SELECT ?, ?', ...rest);
  db.run('SELECT 1', function (err) {
    typeOf(this).is<RunResult>(true);
    typeOf(this.lastID).is<number>(true);
    typeOf(this.changes).is<number>(true);
    expectSame<typeof err, SqliteError | null>(true);
  });
  db.run('SELECT ?', ['a'], function (this: sqlite3.RunResult, err: Error | null) {
    consume(this.changes, err);
  });
  db.run('SELECT ?, ?', 'a', new Date(), function (err) {
    consume(this.lastID.toFixed(), err?.errno.toFixed());
  });
  db.run('SELECT ?', [1], undefined);
  const statementAgain: Statement = statement
    .run()
    .run([1])
    .run(1, 2, function (err) {
      consume(this.lastID, err?.code);
    });
  // @ts-expect-error the SQL is missing
  db.run();
  // @ts-expect-error the SQL is a string
  db.run(1);
  db.run('SELECT 1', (err) => {
    // @ts-expect-error err may be null
    consume(err.message);
  });
  consume(chained, statementAgain);
}

export function fetchingOne(db: Database, statement: Statement): void {
  db.get<User>('SELECT 1', (err, row) => {
    expectSame<typeof err, SqliteError | null>(true);
    expectSame<typeof row, User | undefined>(true);
    // @ts-expect-error there may be no row
    consume(row.name);
  });
  db.get('SELECT 1', (_err, row) => expectSame<typeof row, unknown>(true));
  // Programs written against the typings of sqlite3 name the type of the row, and mostly without undefined.
  db.get('SELECT ?', [1], (err: Error | null, row: User) => consume(err, row.name));
  db.get('SELECT ?', [1], (err, row: User | undefined) => consume(err?.message, row?.name));
  db.get<User>('SELECT ?, ?', 1, 2, function (_err, row) {
    typeOf(this).is<Statement>(true);
    expectSame<typeof row, User | undefined>(true);
  });
  statement.get<User>((_err, row) => expectSame<typeof row, User | undefined>(true));
  statement.get([1], (_err, row?: User) => consume(row?.id)).get(1, 2, (_err, row: User) => consume(row.id));
}

export function fetchingMany(db: Database, statement: Statement): void {
  db.all<User>('SELECT 1', (_err, rows) => expectSame<typeof rows, User[]>(true));
  db.all('SELECT 1', (_err, rows) => expectSame<typeof rows, unknown[]>(true));
  db.all('SELECT ?', [1], (err: Error | null, rows: User[]) => consume(err, rows[0]?.name));
  db.all<User>('SELECT ?', 1, 'b', (_err, rows) => expectSame<typeof rows, User[]>(true));
  statement.all<User>({ $id: 1 }, (_err, rows) => expectSame<typeof rows, User[]>(true)).all();

  db.each<User>(
    'SELECT 1',
    (_err, row) => expectSame<typeof row, User>(true),
    (_err, count) => expectSame<typeof count, number>(true),
  );
  db.each('SELECT ?', [1], (err: Error, row: User) => consume(err, row.name));
  db.each<User>(
    'SELECT ?, ?',
    1,
    2,
    (_err, row) => expectSame<typeof row, User>(true),
    (err, count) => {
      expectSame<typeof err, SqliteError | null>(true);
      expectSame<typeof count, number>(true);
    },
  );
  statement.each<User>((_err, row) => expectSame<typeof row, User>(true)).each();

  db.map<number>('SELECT 1, 2', (_err, result) => expectSame<typeof result, { [key: string]: number }>(true));
  db.map<User>('SELECT ?', 1, 2, (_err, result) => expectSame<typeof result, { [key: string]: User }>(true));
  statement.map<string>([1], (_err, result) => consume(result.a?.length));
  // @ts-expect-error map needs a callback
  db.map('SELECT 1, 2');
  // @ts-expect-error map needs a callback
  statement.map([1]);
  db.all<User>('SELECT 1', (_err, rows) => {
    // @ts-expect-error an array, not a row
    consume(rows.name);
  });
}

export function preparing(db: Database): void {
  const statement: Statement = db.prepare('SELECT ?', 1, function (err) {
    typeOf(this).is<Statement>(true);
    expectSame<typeof err, SqliteError | null>(true);
  });
  new Statement(db, 'SELECT 1', (err) => consume(err?.sql, err?.offset))
    .bind(1, 2)
    .bind([1], (err) => consume(err?.code));
  const finalized: Database = statement.reset((err: null) => consume(err)).finalize();
  statement.finalize(() => undefined);
  statement.finalize((err: Error) => consume(err));
  statement.finalize((err) => expectSame<typeof err, SqliteError | null | undefined>(true));
  // @ts-expect-error the database is missing
  new Statement('SELECT 1');
  consume(finalized);
}

export function connection(db: Database): void {
  db.exec('SELECT 1', function (err) {
    typeOf(this).is<Database>(true);
    consume(err?.extendedErrno.toFixed());
  });
  db.exec('SELECT 1')
    .wait((nothing: null) => consume(nothing))
    .loadExtension('spellfix', (err) => consume(err?.code));
  db.serialize(() => db.run('SELECT 1'))
    .serialize()
    .parallelize(function () {
      consume(this.filename);
    });
  db.serialize(async () => consume(await Promise.resolve()));
  const closed: Database = db.close().close((err) => expectSame<typeof err, SqliteError | null>(true));
  const stopped: Database = db.interrupt();
  // @ts-expect-error exec takes no parameters
  db.exec('SELECT ?', [1]);
  db.exec(
    'SELECT 1',
    // @ts-expect-error exec calls back with the database
    function (this: Statement) {},
  );
  // @ts-expect-error null is no callback
  db.close(null);
  consume(closed, stopped);
}

export function configuring(db: Database): void {
  db.configure('busyTimeout', 1000).configure('eager', false).configure('limit', sqlite3.LIMIT_LENGTH, 1e6);
  db.configure('integers', 'number').configure('integers', 'bigint').configure('integers', 'mixed');
  db.configure('trace', true).configure('profile', true).configure('change', false);
  // @ts-expect-error milliseconds are a number
  db.configure('busyTimeout', '1000');
  // @ts-expect-error a limit has a number and a value
  db.configure('limit', sqlite3.LIMIT_LENGTH);
  // @ts-expect-error an unknown type
  db.configure('integers', 'string');
  // @ts-expect-error an unknown option
  db.configure('journal', 'wal');
}

export function events(db: Database, statement: Statement, anyName: string): void {
  db.on('open', function () {
    consume(this.filename);
  });
  db.once('close', () => undefined).addListener('error', (err) => expectSame<typeof err, SqliteError>(true));
  db.on('error', (err: Error) => consume(err.message));
  db.prependListener('trace', (sql) => expectSame<typeof sql, string>(true));
  db.prependOnceListener('profile', (sql, ms) => expectSame<[typeof sql, typeof ms], [string, number]>(true));
  db.on('change', (type, database, table, rowid) => {
    expectSame<typeof type, 'insert' | 'update' | 'delete'>(true);
    expectSame<[typeof database, typeof table, typeof rowid], [string, string, number]>(true);
  });
  db.on('change', (type: string, database: string, table: string, rowid: number) =>
    consume(type, database, table, rowid),
  );
  const listener = (sql: string) => consume(sql);
  db.off('trace', listener).removeListener('trace', listener).removeAllListeners('trace');
  db.on('mine', (value: Date) => consume(value))
    .on(anyName, () => undefined)
    .emit('mine', new Date());
  statement.on('error', (err) => expectSame<typeof err, SqliteError>(true)).off('error', () => undefined);
  // @ts-expect-error trace gives a string
  db.on('trace', (sql: number) => consume(sql));
  // @ts-expect-error profile gives text and number
  db.once('profile', (ms: number) => consume(ms));
  // @ts-expect-error an error is no string
  statement.on('error', (err: string) => consume(err));
}

export function backups(db: Database): void {
  const backup: Backup = db.backup('copy.db');
  db.backup('copy.db', (err) => expectSame<typeof err, SqliteError | null>(true));
  db.backup('copy.db', 'main', 'main', false, function (err) {
    typeOf(this).is<Backup>(true);
    consume(err);
  });
  new Backup(db, 'copy.db', 'main', 'main', true, (err) => consume(err?.code));
  backup.step(-1, function (err, completed) {
    expectSame<typeof completed, boolean>(true);
    consume(this.remaining, this.pageCount, err);
  });
  const finished: Backup = backup.step(5).finish(() => undefined);
  const flags: boolean[] = [backup.idle, backup.completed, backup.failed, backup.filenameIsDest];
  const names: string[] = [backup.filename, backup.sourceName, backup.destName];
  backup.retryErrors = [sqlite3.BUSY, sqlite3.LOCKED];
  backup.on('error', (err) => consume(err.code));
  // @ts-expect-error read-only
  backup.remaining = 0;
  // @ts-expect-error the number of pages is missing
  backup.step();
  // @ts-expect-error the long form has four arguments and a callback
  db.backup('copy.db', 'main', 'main');
  consume(finished, flags, names);
}

export function cache(): void {
  const called: Database = cached.Database('a.db', sqlite3.OPEN_READWRITE, (err) => consume(err?.code));
  const constructed: Database = new sqlite3.cached.Database('a.db', function (err) {
    consume(this.filename, err);
  });
  const open: Database[] = Object.values(cached.objects);
  // @ts-expect-error the file name is missing
  cached.Database();
  consume(called, constructed, open);
}

export function measuring(db: Database): void {
  const stats: DatabaseStats = db.stats();
  const numbers: number[] = [stats.sqliteBusyTime, stats.queueLength, stats.undeliveredBytes];
  numbers.push(stats.overlapTime ?? 0);
  // @ts-expect-error not every runtime tells
  stats.overlapTime.toFixed();
  // @ts-expect-error read-only
  stats.queueLength = 0;
  const recording: Recording = record(db);
  const timeline: Timeline = recording.stop();
  const spans: readonly Span[] = [...timeline.sqlite, ...timeline.eventLoop];
  numbers.push(timeline.start, timeline.end, timeline.overlap, ...spans.map((span) => span.end - span.start));
  // @ts-expect-error read-only
  timeline.overlap = 0;
  // @ts-expect-error read-only
  timeline.sqlite.push({ start: 0, end: 1 });
  // @ts-expect-error a database is needed
  record(':memory:');
  consume(numbers);
}

export function errors(err: SqliteError): void {
  const asNodeError: NodeJS.ErrnoException = err;
  expectSame<[typeof err.errno, typeof err.code], [number, string]>(true);
  expectSame<[typeof err.extendedErrno, typeof err.extendedCode], [number, string]>(true);
  expectSame<[typeof err.sql, typeof err.offset], [string | undefined, number | undefined]>(true);
  consume(asNodeError);
}

/** Libraries describe the part of the old interface they use; the classes must fit such descriptions. */
interface OldStatement {
  reset(callback?: (err: null) => void): this;
  finalize(callback?: (err: Error) => void): unknown;
}

interface OldDatabase {
  run(sql: string, params: unknown, callback?: (this: sqlite3.RunResult, err: Error | null) => void): this;
  all<T>(sql: string, params: unknown, callback?: (err: Error | null, rows: T[]) => void): this;
  on(event: 'error', listener: (err: Error) => void): this;
  on(event: string, listener: (...args: unknown[]) => void): this;
  wait(callback?: (nothing: null) => void): this;
  close(callback?: (err: Error | null) => void): void;
}

export function describedByOthers(db: Database, statement: Statement): void {
  const oldDatabase: OldDatabase = db;
  const oldStatement: OldStatement = statement;
  consume(oldDatabase, oldStatement);
}

/** Subclasses may override overloaded methods with one loose signature. */
export class Logged extends sqlite3.Database {
  override on(event: string | symbol, listener: (...args: never[]) => void): this {
    return super.on(String(event), listener);
  }

  override run(sql: string, ...params: unknown[]): this {
    return super.run(sql, ...params);
  }

  override close(callback?: (err: SqliteError | null) => void): this {
    return super.close(callback);
  }
}

declare module 'sqlite-tandem' {
  interface Database {
    /** Programs add members of their own to the class. */
    addedByProgram(): number;
  }
}

export async function wrapping(db: Database): Promise<void> {
  expectSame<ReturnType<Database['addedByProgram']>, number>(true);
  const exec: (sql: string) => Promise<void> = promisify(db.exec.bind(db));
  await exec('SELECT 1');
  await new Promise<User[]>((resolve, reject) => {
    db.all<User>('SELECT 1', (err, rows) => (err ? reject(err) : resolve(rows)));
  });
}

declare function consume(...values: unknown[]): void;
