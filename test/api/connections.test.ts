// Several connections to one file: what each of them sees, and when.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sqlite3 from 'sqlite-tandem';
import { answer, assertCode, each, failure, once, rows, single, value } from '../support/calls.js';
import { numbers, open, temporaryFile } from '../support/database.js';

describe('two connections to one file', () => {
  test('see what the other has committed as soon as its callback has come', async (t) => {
    const file = temporaryFile(t);
    const [one, other] = [await open(t, file), await open(t, file)];
    await value(one, 'exec', 'create table t(v)');
    for (let at = 0; at < 20; at += 1) {
      await value(at % 2 === 0 ? one : other, 'run', 'insert into t values(?)', at);
      assert.equal(await single(at % 2 === 0 ? other : one, 'select count(*) as v from t'), at + 1);
    }
  });

  test('in WAL mode: a reader sees the old state during a write and the new one after it', async (t) => {
    const file = temporaryFile(t);
    const [writer, reader] = [await open(t, file), await open(t, file)];
    await value(writer, 'exec', 'pragma journal_mode = wal; create table t(v); insert into t values(1)');
    await value(writer, 'exec', 'begin; insert into t values(2)');
    assert.equal(await single(reader, 'select count(*) as v from t'), 1);
    await value(writer, 'exec', 'commit');
    assert.equal(await single(reader, 'select count(*) as v from t'), 2);
  });

  test('in WAL mode: rows of each() come from one state, whatever is written meanwhile', async (t) => {
    const file = temporaryFile(t);
    const [writer, reader] = [await open(t, file), await open(t, file)];
    await value(writer, 'exec', `pragma journal_mode = wal; create table t(v); insert into t ${numbers(5000)}`);
    let sum = 0;
    let written = false;
    const { args } = await once('each', (complete) => {
      reader.each<{ v: number }>(
        'select v from t order by rowid desc',
        (_error, row) => {
          if (!written) {
            written = true;
            writer.run('update t set v = 0');
          }
          sum += row.v;
        },
        complete,
      );
    });
    assert.deepEqual(args, [null, 5000]);
    assert.equal(sum, (5000 * 5001) / 2);
    await answer(writer, 'wait');
    assert.equal(await single(reader, 'select sum(v) as v from t'), 0);
  });

  test('hold no lock for each other once their callbacks have come', async (t) => {
    const file = temporaryFile(t);
    const [one, other] = [await open(t, file), await open(t, file)];
    other.configure('busyTimeout', 1);
    await value(one, 'exec', `create table t(v); insert into t ${numbers(5000)}`);
    const statement = one.prepare('select v from t');
    await value(statement, 'run');
    await rows(statement);
    await each(statement);
    await value(statement, 'map');
    await failure(one, 'all', 'select abs(-9223372036854775807 - v) from t');
    assert.deepEqual((await answer(other, 'exec', 'drop table t; create table t(v)')).args, [null]);
    await answer(statement, 'finalize');
  });

  test('an open transaction of one makes the other wait, then fail', async (t) => {
    const file = temporaryFile(t);
    const [one, other] = [await open(t, file), await open(t, file)];
    other.configure('busyTimeout', 20);
    await value(one, 'exec', 'create table t(v); begin exclusive');
    assertCode(await failure(other, 'all', 'select * from t'), 'SQLITE_BUSY', 5);
    assertCode(await failure(other, 'exec', 'begin immediate'), 'SQLITE_BUSY', 5);
    await value(one, 'exec', 'rollback');
    assert.deepEqual(await rows(other, 'select * from t'), []);
  });
});

describe('many calls in one turn', () => {
  test('with large parameters are all executed, in order', async (t) => {
    const db = await open(t);
    db.run('create table t(id integer primary key, v)');
    const statement = db.prepare('insert into t(v) values(?)');
    const count = 4000;
    for (let at = 0; at < count; at += 1) {
      statement.run(String(at).padStart(5000, '.'));
    }
    statement.finalize();
    const got = await rows(db, "select id, ltrim(v, '.') as v, length(v) as n from t order by id");
    assert.equal(got.length, count);
    got.forEach((one, at) => {
      assert.deepEqual(one, { id: at + 1, v: String(at), n: 5000 });
    });
  });

  test('with one parameter larger than all others together', async (t) => {
    const db = await open(t);
    const large = Buffer.alloc(20_000_000, 'abc');
    const got = await Promise.all([
      single(db, 'select ? as v', 1),
      single(db, 'select ? as v', large),
      single(db, 'select length(?) as v', 'ü'.repeat(5_000_000)),
      single(db, 'select ? as v', 2),
    ]);
    assert.equal(got[0], 1);
    assert.ok(Buffer.isBuffer(got[1]) && got[1].equals(large));
    assert.equal(got[2], 5_000_000);
    assert.equal(got[3], 2);
  });

  test('of many statements at once', async (t) => {
    const db = await open(t);
    const statements = Array.from({ length: 1000 }, (_, at) => db.prepare(`select ${at} + ? as v`));
    const got = await Promise.all(statements.map((statement) => single(statement, 1)));
    assert.deepEqual(
      got,
      statements.map((_, at) => at + 1),
    );
    await Promise.all(statements.map((statement) => answer(statement, 'finalize')));
    assert.deepEqual((await answer(db, 'close')).args, [null]);
  });

  test('of many databases at once', async (t) => {
    const databases = await Promise.all(Array.from({ length: 20 }, () => open(t)));
    const got = await Promise.all(databases.map((db, at) => single(db, 'select ? as v', at)));
    assert.deepEqual(
      got,
      databases.map((_, at) => at),
    );
  });
});

describe('two connections that share a cache', () => {
  const mode = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_URI;
  const uri = 'file:shared-by-the-connections-test?mode=memory&cache=shared';

  test('wait for the lock of the other, for the busy timeout at most', async (t) => {
    const [one, other] = [await open(t, uri, mode), await open(t, uri, mode)];
    await value(one, 'exec', 'create table t(v); begin; insert into t values(1)');
    other.configure('busyTimeout', 1);
    assertCode(await failure(other, 'run', 'insert into t values(2)'), 'SQLITE_LOCKED', 6);
    other.configure('busyTimeout', 60_000);
    const waiting = answer(other, 'run', 'insert into t values(3)');
    await value(one, 'exec', 'commit');
    assert.equal((await waiting).args[0], null);
    assert.deepEqual(await rows(one, 'select v from t order by v'), [{ v: 1 }, { v: 3 }]);
  });
});
