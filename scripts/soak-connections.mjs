// The connections of scripts/soak.mjs that use callbacks: owners, which change a file and know what is in it, and readers
// beside them.
import { createRequire } from 'node:module';
import { endless, mostRows, Worker } from './soak-work.mjs';

const sqlite3 = createRequire(import.meta.url)('../lib/index.js');

class Connection extends Worker {
  open() {
    return new Promise((done, failed) => {
      this.db = new sqlite3.Database(this.file, (error) => (error ? failed(error) : done()));
      this.db.configure('busyTimeout', 120_000);
    });
  }

  /** What the callback of a call gets, or its error as the value. */
  answer(target, method, ...args) {
    return new Promise((done) => {
      target[method](...args, function (error, value) {
        done(error ?? { value, id: this?.lastID, changes: this?.changes });
      });
    });
  }

  async value(target, method, ...args) {
    const got = await this.answer(target, method, ...args);
    if (got instanceof Error) throw got;
    return got.value;
  }

  /** Dropped statements keep the database open until they are collected, which `collect` hastens. */
  async finish(collect) {
    this.check(await this.value(this.db, 'get', 'pragma integrity_check'), { integrity_check: 'ok' }, 'integrity');
    let closed = await this.answer(this.db, 'close');
    for (let i = 0; i < 100 && closed.code === 'SQLITE_BUSY'; i++) {
      collect();
      await new Promise((done) => setImmediate(done));
      closed = await this.answer(this.db, 'close');
    }
    this.check(closed instanceof Error, false, 'closed');
  }
}

/** Alone changes its file; the model maps ids to texts. Changes come in pairs that cancel out, for the readers. */
export class Owner extends Connection {
  model = new Map();

  constructor(file, random, journal) {
    super(file, random);
    this.journal = journal;
  }

  async open() {
    await super.open();
    await this.value(
      this.db,
      'exec',
      `pragma journal_mode = ${this.journal}; pragma synchronous = off;
       create table if not exists t(id integer primary key autoincrement, text, sign int)`,
    );
  }

  async compare() {
    const rows = await this.value(this.db, 'all', 'select id, text from t order by id');
    this.check(new Map(rows.map(({ id, text }) => [id, text])), this.model, 'rows');
  }

  /** Inserts pairs without waiting in between; `keep` says what of it is to stay. */
  async insertPairs(count) {
    const texts = Array.from({ length: count }, () => this.text());
    const answers = texts.map((text) =>
      this.answer(this.db, 'run', 'insert into t(text, sign) values (?, 1), (?, -1)', text, text),
    );
    const found = new Map();
    for (const [i, answer] of (await Promise.all(answers)).entries()) {
      if (answer instanceof Error) throw answer;
      this.check(answer.changes, 2, 'changes');
      found.set(answer.id - 1, texts[i]).set(answer.id, texts[i]);
    }
    this.check(found.size, 2 * count, 'ids');
    return found;
  }

  work = {
    async 'queued writes'() {
      for (const [id, text] of await this.insertPairs(1 + this.random(20))) this.model.set(id, text);
      if (this.model.size <= mostRows) return;
      this.check((await this.answer(this.db, 'run', 'delete from t')).changes, this.model.size, 'deleted');
      this.model.clear();
    },
    async update() {
      const id = this.anyID();
      const text = this.text();
      const { changes } = await this.answer(this.db, 'run', 'update t set text = ? where id = ?', text, id);
      this.check(changes, this.model.has(id) ? 1 : 0, 'updated');
      if (this.model.has(id)) this.model.set(id, text);
    },
    compare: this.compare,
    async get() {
      const id = this.anyID();
      const row = await this.value(this.db, 'get', 'select text from t where id = ?', id);
      this.check(row?.text, this.model.get(id), 'text');
    },
    async each() {
      const seen = new Map();
      const onRow = (_error, { id, text }) => seen.set(id, text);
      this.check(await this.value(this.db, 'each', 'select id, text from t', onRow), this.model.size, 'count');
      this.check(seen, this.model, 'streamed');
    },
    async 'throwing callback'() {
      await new Promise((done) => {
        this.db.get('select 1', () => {
          setImmediate(done);
          throw new Error('thrown on purpose');
        });
      });
    },
    async 'rolled back transaction'() {
      await this.value(this.db, 'exec', 'begin immediate');
      await this.insertPairs(1 + this.random(20));
      this.check(
        (await this.answer(this.db, 'run', 'delete from t where id % 3 = 0')) instanceof Error,
        false,
        'delete',
      );
      await this.value(this.db, 'exec', 'rollback');
      await this.compare();
    },
    async 'committed transaction'() {
      await this.value(this.db, 'exec', 'begin');
      const added = await this.insertPairs(1 + this.random(20));
      await this.value(this.db, 'exec', 'commit');
      for (const [id, text] of added) this.model.set(id, text);
    },
    async 'interrupted query'() {
      const error = await new Promise((done) => {
        let interrupted = false;
        this.db.each(
          endless,
          () => {
            if (!interrupted) this.db.interrupt();
            interrupted = true;
          },
          (failure) => done(failure),
        );
      });
      this.check(error?.code, 'SQLITE_INTERRUPT', 'interrupted');
    },
    async 'interrupted write'() {
      const sql = `insert into t(text, sign) select v, 1 from (${endless})`;
      const answer = this.answer(this.db, 'run', sql);
      // Until it runs there is nothing to interrupt.
      let answered = false;
      answer.then(() => {
        answered = true;
      });
      while (!answered) {
        this.db.interrupt();
        await new Promise((done) => setTimeout(done, 1));
      }
      this.check((await answer).code, 'SQLITE_INTERRUPT', 'interrupted');
      await this.compare();
    },
    async 'bad SQL'() {
      this.check((await this.answer(this.db, 'run', 'insert into nowhere values(?)', 1)).code, 'SQLITE_ERROR', 'bad');
      this.check((await this.answer(this.db, 'all', 'select ?', 1, 2)).code, 'SQLITE_RANGE', 'too many');
      const id = this.anyID();
      if (id === 0) return;
      const twice = await this.answer(this.db, 'run', 'insert into t(id) values(?)', id);
      this.check(twice.code, 'SQLITE_CONSTRAINT', 'twice');
    },
    async 'big blob'() {
      const blob = Buffer.alloc(1 + this.random(3_000_000), this.random(256));
      const row = await this.value(this.db, 'get', 'select ? as blob, length(?1) as length', blob);
      this.check(row.length, blob.length, 'length');
      this.check(blob.equals(row.blob), true, 'blob');
    },
    async 'prepared statement'() {
      const statement = this.db.prepare('select count(*) as n from t where id <= ?');
      const ids = [...this.model.keys()];
      const limits = [0, this.anyID(), Number.MAX_SAFE_INTEGER];
      const rows = await Promise.all(limits.map((limit) => this.value(statement, 'get', limit)));
      const expected = limits.map((limit) => ids.filter((id) => id <= limit).length);
      this.check(
        rows.map(({ n }) => n),
        expected,
        'counts',
      );
      // Others are left to the garbage collector.
      if (this.random(2) === 0) await new Promise((done) => statement.finalize(done));
    },
    async 'close and reopen'() {
      const last = this.answer(this.db, 'all', 'select id from t');
      const closed = await this.answer(this.db, 'close');
      this.check((await last).value.length, this.model.size, 'before the end');
      // A statement that waits for the garbage collector keeps the database open.
      if (closed instanceof Error) return this.check(closed.code, 'SQLITE_BUSY', 'closed');
      this.check((await this.answer(this.db, 'run', 'select 1')).code, 'SQLITE_MISUSE', 'after the end');
      await this.open();
      await this.compare();
    },
  };
}

/** Reads a file that another connection changes: what is committed always cancels out. */
export class Reader extends Connection {
  work = {
    async sum() {
      const row = await this.value(this.db, 'get', 'select coalesce(sum(sign), 0) as sum from t');
      this.check(row, { sum: 0 }, 'sum');
    },
    async stream() {
      let sum = 0;
      await this.value(this.db, 'each', 'select sign from t', (_error, { sign }) => {
        sum += sign;
      });
      this.check(sum, 0, 'streamed');
    },
    async snapshot() {
      await this.value(this.db, 'exec', 'begin');
      const first = await this.value(this.db, 'all', 'select id, text from t');
      await new Promise((done) => setImmediate(done));
      this.check(await this.value(this.db, 'all', 'select id, text from t'), first, 'the same again');
      await this.value(this.db, 'exec', 'commit');
    },
    async 'close and reopen'() {
      await this.value(this.db, 'close');
      await this.open();
    },
  };
}
