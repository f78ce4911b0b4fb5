// The error of a failed call: message, codes, SQL and offset, for every source of errors.
import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, assertCode, failure, once, single, value } from '../support/calls.js';
import { open, openFailure, temporaryFile } from '../support/database.js';

describe('an error', () => {
  test('is an Error whose message is the code and the text of SQLite', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'get', 'select * from missing');
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'Error');
    assert.equal(error.message, 'SQLITE_ERROR: no such table: missing');
    assert.equal(String(error), 'Error: SQLITE_ERROR: no such table: missing');
  });

  test('has errno and code as its enumerable properties, in this order', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'run', 'nonsense');
    assert.deepEqual(Object.entries(error), [
      ['errno', 1],
      ['code', 'SQLITE_ERROR'],
    ]);
  });

  test('has extended codes, SQL and offset as own properties that are not enumerable', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'get', 'select nope');
    const expected = { extendedErrno: 1, extendedCode: 'SQLITE_ERROR', sql: 'select nope', offset: 7 };
    for (const [name, expectedValue] of Object.entries(expected)) {
      const { value: got, enumerable } = Object.getOwnPropertyDescriptor(error, name) ?? {};
      assert.equal(got, expectedValue, name);
      assert.equal(enumerable, false, name);
    }
  });

  test('lets users write to it, as ORMs do', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'get', 'select nope');
    assert.ok(Reflect.set(error, 'sql', 'changed'));
    assert.equal(error.sql, 'changed');
    assert.ok(Reflect.set(error, 'code', 'changed'));
    assert.equal(error.code, 'changed');
  });

  test('is one of its own for each call', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select nope', () => undefined);
    const [one, other] = [await failure(db, 'get', 'select nope'), await failure(db, 'get', 'select nope')];
    assert.notEqual(one, other);
    assert.equal((await failure(statement, 'get')).message, one.message);
  });

  test('carries the SQL of the call that failed', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v unique); insert into t values(1)');
    const sql = 'insert into t values(?) -- as written';
    assert.equal((await failure(db, 'run', sql, 1)).sql, sql);
    const statement = db.prepare(sql);
    assert.equal((await failure(statement, 'run', 1)).sql, sql);
    assert.equal((await failure(statement, 'run', 1, 2)).sql, sql);
    await answer(statement, 'finalize');
    assert.equal((await failure(db, 'prepare', 'select nope')).sql, 'select nope');
  });
});

describe('the offset of an error', () => {
  const at = async (db: sqlite3.Database, sql: string): Promise<unknown> => (await failure(db, 'get', sql)).offset;

  test('points at the token that is wrong', async (t) => {
    const db = await open(t);
    assert.equal(await at(db, 'selct 1'), 0);
    assert.equal(await at(db, 'select 1 frm t'), 9 + 'frm '.length);
    assert.equal(await at(db, 'select  nope'), 8);
  });

  test('counts as JavaScript counts, behind characters of any width', async (t) => {
    const db = await open(t);
    for (const text of ['ü', '漢', '😀', 'ü漢😀x']) {
      const sql = `select '${text}' as a, nope`;
      assert.equal(await at(db, sql), sql.indexOf('nope'), text);
    }
  });

  test('is not there when SQLite has none', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v unique); insert into t values(1)');
    assert.equal((await failure(db, 'run', 'insert into t values(1)')).offset, undefined);
    assert.equal((await failure(db, 'get', 'select ?', 1, 2)).offset, undefined);
  });
});

describe('a constraint', () => {
  const schema = `
    pragma foreign_keys = on;
    create table p(id integer primary key, v not null, u unique, c check (c > 0));
    create table w(id text primary key) without rowid;
    create table f(p references p(id));
    create table s(v int) strict;
    insert into p values(1, 1, 1, 1); insert into w values('a');
    create trigger r before insert on s when new.v = 5 begin select raise(abort, 'no fives'); end`;
  const cases: [string, string, string, number][] = [
    ['insert into p values(2, null, 2, 1)', 'NOT NULL constraint failed: p.v', 'NOTNULL', 1299],
    ['insert into p values(2, 1, 1, 1)', 'UNIQUE constraint failed: p.u', 'UNIQUE', 2067],
    ['insert into p values(2, 1, 2, 0)', 'CHECK constraint failed: c > 0', 'CHECK', 275],
    ['insert into p values(1, 1, 2, 1)', 'UNIQUE constraint failed: p.id', 'PRIMARYKEY', 1555],
    ["insert into w values('a')", 'UNIQUE constraint failed: w.id', 'PRIMARYKEY', 1555],
    ['insert into f values(99)', 'FOREIGN KEY constraint failed', 'FOREIGNKEY', 787],
    ["insert into s values('x')", 'cannot store TEXT value in INT column s.v', 'DATATYPE', 3091],
    ['insert into s values(5)', 'no fives', 'TRIGGER', 1811],
  ];
  for (const [sql, text, extended, extendedErrno] of cases) {
    test(`${extended} keeps the primary code and names the extended one: ${sql}`, async (t) => {
      const db = await open(t);
      await value(db, 'exec', schema);
      const error = await failure(db, 'run', sql);
      assertCode(error, 'SQLITE_CONSTRAINT', 19);
      assert.equal(error.message, `SQLITE_CONSTRAINT: ${text}`);
      assert.equal(error.extendedCode, `SQLITE_CONSTRAINT_${extended}`);
      assert.equal(error.extendedErrno, extendedErrno);
    });
  }

  test('that exec() violates has its extended code as well', async (t) => {
    const db = await open(t);
    await value(db, 'exec', schema);
    const error = await failure(db, 'exec', 'select 1; insert into p values(1, 1, 2, 1)');
    assert.equal(error.extendedCode, 'SQLITE_CONSTRAINT_PRIMARYKEY');
    assert.equal(error.message, 'SQLITE_CONSTRAINT: UNIQUE constraint failed: p.id');
  });

  test('that is deferred fails the commit', async (t) => {
    const db = await open(t);
    await value(db, 'exec', `${schema}; create table d(p references p(id) deferrable initially deferred)`);
    await value(db, 'exec', 'begin; insert into d values(77)');
    const error = await failure(db, 'run', 'commit');
    assert.equal(error.extendedCode, 'SQLITE_CONSTRAINT_FOREIGNKEY');
    await value(db, 'exec', 'rollback');
  });
});

describe('an error of the file', () => {
  test('that is missing has its extended code', async (t) => {
    const error = await openFailure(temporaryFile(t), sqlite3.OPEN_READONLY);
    assertCode(error, 'SQLITE_CANTOPEN', 14);
    assert.equal(error.extendedErrno % 256, 14);
    assert.ok(error.extendedCode.startsWith('SQLITE_CANTOPEN'));
  });

  test('that is damaged is SQLITE_CORRUPT', async (t) => {
    const file = temporaryFile(t);
    const writer = await open(t, file);
    await value(
      writer,
      'exec',
      'create table t(v); insert into t select hex(randomblob(2000)) from (values (1), (2), (3))',
    );
    await value(writer, 'close');
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(4096, 0xff), 0, 4096, 4096);
    closeSync(descriptor);
    const db = await open(t, file);
    assertCode(await failure(db, 'all', 'select * from t'), 'SQLITE_CORRUPT', 11);
    assert.equal(await single(db, 'select 1 as v'), 1);
  });

  test('that is cut short is SQLITE_CORRUPT', async (t) => {
    const file = temporaryFile(t);
    const writer = await open(t, file);
    await value(writer, 'exec', 'create table t(v); insert into t values(hex(randomblob(20000)))');
    await value(writer, 'close');
    truncateSync(file, 6000);
    const db = await open(t, file);
    assertCode(await failure(db, 'all', 'select * from t'), 'SQLITE_CORRUPT', 11);
  });

  test('that is no database comes with the first query, and close() works', async (t) => {
    const file = temporaryFile(t);
    writeFileSync(file, 'x'.repeat(4096));
    const db = await open(t, file);
    const error = await failure(db, 'run', 'create table t(v)');
    assertCode(error, 'SQLITE_NOTADB', 26);
    assert.equal(error.message, 'SQLITE_NOTADB: file is not a database');
    assert.deepEqual((await answer(db, 'close')).args, [null]);
    assert.ok(existsSync(file));
  });

  test('to attach is reported by the statement that attaches it', async (t) => {
    const db = await open(t);
    const error = await failure(db, 'exec', `attach '${temporaryFile(t)}/missing/x.db' as other`);
    assertCode(error, 'SQLITE_CANTOPEN', 14);
  });
});

describe('an error of use', () => {
  test('too long a text of SQL is SQLITE_TOOBIG', async (t) => {
    const db = await open(t);
    db.configure('limit', sqlite3.LIMIT_SQL_LENGTH, 100);
    assertCode(await failure(db, 'get', `select '${'x'.repeat(100)}'`), 'SQLITE_TOOBIG', 18);
    assert.equal(await single(db, 'select 1 as v'), 1);
  });

  test('a locked table is SQLITE_LOCKED', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(v); insert into t values(1), (2)');
    const statement = db.prepare('select v from t');
    await answer(statement, 'get');
    assertCode(await failure(db, 'run', 'drop table t'), 'SQLITE_LOCKED', 6);
    await answer(statement, 'finalize');
  });

  test('a mismatch is SQLITE_MISMATCH', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(id integer primary key)');
    assertCode(await failure(db, 'run', "insert into t values('x')"), 'SQLITE_MISMATCH', 20);
  });

  test('a misuse of our own has no extended code of its own', async (t) => {
    const db = await open(t);
    const statement = db.prepare('select 1');
    await answer(statement, 'finalize');
    const error = await failure(statement, 'get');
    assert.equal(error.extendedErrno, 21);
    assert.equal(error.extendedCode, 'SQLITE_MISUSE');
    assert.equal(error.offset, undefined);
    assert.deepEqual(Object.keys(error), ['errno', 'code']);
  });

  test('OPEN_EXRESCODE makes the extended code the code', async (t) => {
    const extendedResultCodes = 0x02000000;
    const db = await open(t, ':memory:', sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | extendedResultCodes);
    await value(db, 'exec', 'create table t(v unique); insert into t values(1)');
    const error = await failure(db, 'run', 'insert into t values(1)');
    assertCode(error, 'SQLITE_CONSTRAINT_UNIQUE', 2067);
    assert.equal(error.message, 'SQLITE_CONSTRAINT_UNIQUE: UNIQUE constraint failed: t.v');
  });

  test('opening has its codes too', async (t) => {
    const { args } = await once('open', (callback) => {
      new sqlite3.Database(`${temporaryFile(t)}/missing`, callback);
    });
    assert.deepEqual(Object.keys(args[0] as object), ['errno', 'code']);
  });

  test('an error with text beyond ASCII keeps it', async (t) => {
    const db = await open(t);
    assert.equal(
      (await failure(db, 'get', 'select * from größe_漢_😀')).message,
      'SQLITE_ERROR: no such table: größe_漢_😀',
    );
  });
});
