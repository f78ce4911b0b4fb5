// Text and blobs: every length, every character, and memory that belongs to the receiver alone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failure, rows, single, value } from '../support/calls.js';
import { open } from '../support/database.js';

describe('text', () => {
  const texts: [string, string][] = [
    ['ASCII', 'plain text'],
    ['Latin letters', 'àéîõü ÀÉÎÕÜ ß'],
    ['letters beyond Latin', 'кириллица ελληνικά 漢字 かな עברית'],
    ['characters beyond 16 bits', '😀 𝒳 🏳️‍🌈 𠀋'],
    ['combining marks', 'e\u0301 a\u0308\u0323'],
    ['NUL', 'a\0b\0'],
    ['NUL alone', '\0'],
    ['control characters', '\u0001\u001f\u007f\u0080\u009f'],
    ['line ends', '\r\n\n\r\u2028\u2029'],
    ['a byte order mark', '\ufefftext'],
    ['characters that end 16 bits', '\ud7ff\ue000\uffff'],
    ['quotes and backslashes', '\'"`\\$\u007b}'],
  ];
  for (const [name, text] of texts) {
    test(`of ${name} comes back as it was`, async (t) => {
      const db = await open(t);
      assert.equal(await single(db, 'select ? as v', text), text);
      assert.equal(await single(db, 'select length(cast(? as blob)) as v', text), Buffer.byteLength(text));
    });
  }

  test('with a lone surrogate is stored with a replacement character', async (t) => {
    const db = await open(t);
    assert.equal(await single(db, 'select ? as v', 'a\ud800b'), 'a\ufffdb');
    assert.equal(await single(db, 'select ? as v', '\udc00'), '\ufffd');
  });

  test('that is no valid UTF-8 reads with replacement characters', async (t) => {
    const db = await open(t);
    assert.equal(await single(db, "select cast(x'61ff62' as text) as v"), 'a\ufffdb');
    assert.equal(await single(db, "select cast(x'e282' as text) as v"), '\ufffd');
    assert.equal(await single(db, "select cast(x'80' as text) as v"), '\ufffd');
  });

  const lengths = [0, 1, 11, 12, 13, 127, 128, 255, 256, 4095, 4096, 4097, 8191, 8192, 65_535, 65_536, 1_000_003];
  for (const [name, character] of [
    ['one byte', 'x'],
    ['two bytes', 'ü'],
    ['three bytes', '漢'],
    ['four bytes', '😀'],
  ] as const) {
    test(`of every length, of characters of ${name}`, async (t) => {
      const db = await open(t);
      const texts = lengths.map((length) => character.repeat(length));
      const got = await Promise.all(texts.map((text) => single(db, 'select ? as v', text)));
      got.forEach((text, at) => {
        assert.ok(text === texts[at], `length ${lengths[at]}`);
      });
    });
  }

  test('of many lengths in one result stays apart', async (t) => {
    const db = await open(t);
    await value(db, 'exec', 'create table t(id integer primary key, a, b)');
    const texts = Array.from({ length: 3000 }, (_, at) => `${at}${'xü漢😀'.charAt(at % 3).repeat((at * 37) % 700)}|`);
    const statement = db.prepare('insert into t(a, b) values(?, ?)');
    db.run('begin');
    for (const text of texts) {
      statement.run(text, text.length);
    }
    db.run('commit');
    statement.finalize();
    const got = await rows(db, 'select a, b from t order by id');
    assert.equal(got.length, texts.length);
    got.forEach(({ a, b }, at) => {
      assert.ok(a === texts[at], `row ${at}`);
      assert.equal(b, texts[at]?.length);
    });
  });

  test('of ASCII next to text that is none keeps both', async (t) => {
    const db = await open(t);
    const got = await rows(db, "select 'plain' as a, 'ünï' as b, 'plain again' as c, '漢' as d, '' as e, 'end' as f");
    assert.deepEqual(got, [{ a: 'plain', b: 'ünï', c: 'plain again', d: '漢', e: '', f: 'end' }]);
  });

  test('in a database of UTF-16 comes back as it was', async (t) => {
    const db = await open(t);
    await value(db, 'exec', "pragma encoding = 'UTF-16'; create table t(v)");
    // SQLite itself replaces U+FFFF when it converts between encodings.
    for (const text of texts.map(([, one]) => one.replace('\uffff', ''))) {
      await value(db, 'run', 'delete from t');
      await value(db, 'run', 'insert into t values(?)', text);
      assert.equal(await single(db, 'select v from t'), text);
    }
  });

  test('of SQL may hold any character', async (t) => {
    const db = await open(t);
    assert.equal(await single(db, "select 'ü漢😀' as v"), 'ü漢😀');
    assert.deepEqual(await rows(db, 'select 1 as "größe 漢 😀"'), [{ 'größe 漢 😀': 1 }]);
  });
});

describe('a blob', () => {
  for (const length of [0, 1, 7, 8, 255, 4096, 65_537, 3_000_000]) {
    test(`of ${length} bytes comes back as it was`, async (t) => {
      const db = await open(t);
      const bytes = Buffer.alloc(length, Buffer.from(Array.from({ length: 251 }, (_, at) => at)));
      const got = await single(db, 'select ? as v', bytes);
      assert.ok(Buffer.isBuffer(got));
      assert.ok(got.equals(bytes));
    });
  }

  test('is memory of its receiver: writing to it changes nothing else', async (t) => {
    const db = await open(t);
    const got = await rows(db, "select x'010203' as a, x'010203' as b union all select x'010203', x'010203'");
    const blobs = got.flatMap((row) => Object.values(row)) as Buffer[];
    assert.equal(blobs.length, 4);
    blobs[0]?.fill(9);
    for (const blob of blobs.slice(1)) {
      assert.deepEqual(blob, Buffer.from([1, 2, 3]));
    }
  });

  test('keeps its bytes while later results come', async (t) => {
    const db = await open(t);
    const kept = (await single(db, 'select randomblob(5000) as v')) as Buffer;
    const copy = Buffer.from(kept);
    for (let at = 0; at < 50; at += 1) {
      await single(db, 'select randomblob(5000) as v');
    }
    assert.ok(kept.equals(copy));
  });

  test('beyond the limit of length is refused, and the database goes on', async (t) => {
    const db = await open(t);
    db.configure('limit', 0, 1000);
    for (const tooLong of [Buffer.alloc(1001), 'x'.repeat(1001)]) {
      const error = await failure(db, 'get', 'select ? as v', tooLong);
      assert.equal(error.code, 'SQLITE_TOOBIG');
      assert.equal(error.errno, 18);
    }
    assert.equal((await failure(db, 'get', 'select zeroblob(1001) as v')).code, 'SQLITE_TOOBIG');
    assert.equal(await single(db, 'select ? as v', 'x'.repeat(900)), 'x'.repeat(900));
  });
});
