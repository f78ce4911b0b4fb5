// configure('untrusted', true): what hostile files try, with and without it; what it leaves as it was, and that it stays.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, assertCode, failure, row, rows, send, single, value } from '../support/calls.js';
import { open, temporaryFile } from '../support/database.js';

/** A file that SQL has made, opened as one that is trusted, or not. */
async function opened(t: test.TestContext, sql: string, untrusted: boolean): Promise<sqlite3.Database> {
  const file = temporaryFile(t);
  const author = await open(t, file);
  await value(author, 'exec', sql);
  await value(author, 'close');
  const db = await open(t, file);
  if (untrusted) db.configure('untrusted', true);
  return db;
}

const both = (t: test.TestContext, sql: string): Promise<[trusted: sqlite3.Database, untrusted: sqlite3.Database]> =>
  Promise.all([opened(t, sql, false), opened(t, sql, true)]);

describe('a schema that is not trusted', () => {
  test('calls no function in a view that is not known to be harmless', async (t) => {
    const [trusted, untrusted] = await both(t, "create view w as select rtreedepth(x'0005') as v");
    assert.equal(await single(trusted, 'select v from w'), 5);
    const error = await failure(untrusted, 'all', 'select v from w');
    assertCode(error, 'SQLITE_ERROR', 1);
    assert.match(error.message, /unsafe use of rtreedepth/);
    assert.equal(await single(untrusted, "select rtreedepth(x'0005') as v"), 5, 'the SQL of the program may');
  });

  test('uses no virtual table in a trigger that is not known to be harmless', async (t) => {
    const sql = `create table t(a); insert into t values(1);
      create trigger g after delete on t begin insert into t select count(*) from sqlite_stmt; end`;
    const [trusted, untrusted] = await both(t, sql);
    assert.equal((await answer(trusted, 'run', 'delete from t')).args[0], null);
    assert.match(
      (await failure(untrusted, 'run', 'delete from t')).message,
      /unsafe use of virtual table "sqlite_stmt"/,
    );
    assert.equal(await single(untrusted, 'select count(*) as v from t'), 1);
  });

  test('is used all the same where it is harmless: views, triggers, defaults, checks, indexes, full text', async (t) => {
    const sql = `create table t(a integer check (abs(a) < 100), b text default (upper('x')), c as (a + 1));
      create index i on t(lower(b)); create view w as select a, length(b) as l from t;
      create table log(a); create trigger g after insert on t begin insert into log values (new.a); end;
      create virtual table f using fts5(x); insert into f values('one two')`;
    const db = await opened(t, sql, true);
    await value(db, 'run', 'insert into t(a) values(5)');
    assert.deepEqual(await row(db, 'select w.a, l, c, log.a as v from w, t, log'), { a: 5, l: 1, c: 6, v: 5 });
    assertCode(await failure(db, 'run', 'insert into t(a) values(500)'), 'SQLITE_CONSTRAINT', 19);
    assert.equal(await single(db, "select count(*) as v from f where f match 'two'"), 1);
  });
});

describe('the internals of the file', () => {
  test('cannot be written by SQL: schema, shadow tables, pages', async (t) => {
    const sql = 'create table t(a); create virtual table f using fts5(x)';
    const [trusted, untrusted] = await both(t, sql);
    const attempts: readonly (readonly [string, RegExp])[] = [
      ["pragma writable_schema = on; update sqlite_schema set sql = '' where name = 't'", /may not be modified/],
      ['delete from f_data', /may not be modified/],
      ['update sqlite_dbpage set data = zeroblob(4096) where pgno = 2', /read-only|may not be modified/],
    ];
    for (const [attempt, message] of attempts) {
      assert.match((await failure(untrusted, 'exec', attempt)).message, message);
      assert.equal((await answer(trusted, 'exec', attempt)).args[0], null, attempt);
    }
  });

  test('are checked as pages are read', async (t) => {
    const db = await opened(t, 'create table t(a)', true);
    assert.equal((await row(db, 'pragma cell_size_check'))['cell_size_check'], 1);
    assert.equal((await row(db, 'pragma trusted_schema'))['trusted_schema'], 0);
  });

  test('are not mapped into memory', async (t) => {
    const file = temporaryFile(t);
    const db = await open(t, file);
    await value(db, 'exec', 'create table t(a); pragma mmap_size = 1000000');
    assert.equal((await row(db, 'pragma mmap_size'))['mmap_size'], 1000000);
    db.configure('untrusted', true);
    assert.equal((await row(db, 'pragma mmap_size'))['mmap_size'], 0);
  });

  test('may be damaged anywhere: each answer is a row or an error', async (t) => {
    const file = temporaryFile(t);
    const author = await open(t, file);
    await value(author, 'exec', 'pragma page_size = 512; create table t(a, b); create index i on t(b);');
    for (let i = 0; i < 40; i++) send(author, 'run', 'insert into t values(?, ?)', i, 'x'.repeat(i * 5));
    await value(author, 'close');
    const good = readFileSync(file);
    for (let at = 0; at < good.length; at += 61) {
      const bad = Buffer.from(good);
      bad[at] = ~(bad[at] as number);
      writeFileSync(file, bad);
      const db = new sqlite3.Database(file);
      db.configure('untrusted', true);
      for (const sql of ['select * from t', "select a from t where b > 'xxx'", 'pragma integrity_check']) {
        const { args } = await answer(db, 'all', sql);
        assert.ok(args[0] instanceof Error || Array.isArray(args[1]), sql);
      }
      await value(db, 'close');
    }
  });
});

describe('the limits', () => {
  test('stop values that would fill the memory', async (t) => {
    const [trusted, untrusted] = await both(t, 'create view w as select zeroblob(100000000) as v');
    assert.equal(await single(trusted, 'select length(v) as v from w'), 100000000);
    assertCode(await failure(untrusted, 'all', 'select length(v) from w'), 'SQLITE_TOOBIG', 18);
  });

  for (const [name, select] of [
    ['expressions too deep for the stack', `select ${'('.repeat(150)}1${' + 1)'.repeat(150)} as v`],
    ['queries of very many parts', `select 1 as v ${'union all select 1 '.repeat(60)}`],
  ] as const) {
    test(`stop ${name}: such a schema is not read at all`, async (t) => {
      const [trusted, untrusted] = await both(t, `create view w as ${select}`);
      assert.ok((await rows(trusted, 'select v from w')).length > 0);
      assertCode(await failure(untrusted, 'all', 'select v from w'), 'SQLITE_CORRUPT', 11);
    });
  }

  test('stop triggers that set off each other', async (t) => {
    const sql = `create table t(a);
      create trigger g after insert on t when new.a > 0 begin insert into t values(new.a - 1); end`;
    const [trusted, untrusted] = await both(t, sql);
    for (const db of [trusted, untrusted]) await value(db, 'exec', 'pragma recursive_triggers = on');
    await value(trusted, 'run', 'insert into t values(50)');
    assert.match(
      (await failure(untrusted, 'run', 'insert into t values(50)')).message,
      /triggers nested too deep|too many levels of trigger/,
    );
    assert.equal(await single(untrusted, 'select count(*) as v from t'), 0);
  });

  test('that the program has set lower stay, and many parameters and ATTACH are possible as ever', async (t) => {
    const db = await open(t);
    db.configure('limit', sqlite3.LIMIT_LENGTH, 400_000);
    db.configure('untrusted', true);
    assertCode(await failure(db, 'all', 'select zeroblob(400001)'), 'SQLITE_TOOBIG', 18);
    const many = Array.from({ length: 30000 }, (_, i) => i);
    assert.equal((await rows(db, `select 1 where 7 in (${many.map(() => '?')})`, many)).length, 1);
    await value(db, 'exec', "attach ':memory:' as other; create table other.t(a)");
  });
});

describe('the option', () => {
  test('keeps extensions out, for good', async (t) => {
    const db = await open(t);
    db.configure('untrusted', true);
    const error = await failure(db, 'loadExtension', '/nowhere');
    assertCode(error, 'SQLITE_AUTH', 23);
    assert.equal(error.message, 'SQLITE_AUTH: extensions cannot be loaded beside an untrusted file');
  });

  test('cannot be taken back, and wants to be true', async (t) => {
    const db = await open(t);
    for (const wrong of [false, 1, 'true', undefined, null]) {
      assert.throws(() => send(db, 'configure', 'untrusted', wrong), {
        name: 'TypeError',
        message: 'untrusted must be true: it cannot be taken back',
      });
    }
    assert.throws(() => send(db, 'configure', 'untrusted'), TypeError);
  });

  test('returns the database, raises no events, and may be repeated', async (t) => {
    const db = await open(t);
    const seen: unknown[] = [];
    db.on('trace', (sql: string) => seen.push(sql));
    assert.equal(db.configure('untrusted', true), db);
    db.configure('untrusted', true);
    assert.equal(await single(db, 'select 1 as v'), 1);
    assert.deepEqual(seen, ['select 1 as v']);
  });

  test('leaves double-quoted strings and ATTACH as they are', async (t) => {
    const db = await open(t);
    db.configure('untrusted', true);
    assert.equal(await single(db, 'select "no column" as v'), 'no column');
    await value(db, 'exec', "attach ':memory:' as b; detach b");
  });
});
