// The connections of scripts/soak.mjs that use the promise API: cursors that are left and cancelled, transactions of every
// end, signals at random moments, backups.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { endless, mostRows, Worker } from './soak-work.mjs';

const { open, AbortError, SqliteError, ParameterError } = createRequire(import.meta.url)('../lib/promises.js');

const turn = () => new Promise((done) => setImmediate(done));
const thrown = new Error('thrown on purpose, and caught');

class PromiseConnection extends Worker {
  async open() {
    this.db = await open(this.file, { busyTimeout: 120_000, ...this.options });
  }

  /** The error of a call, which has to fail. */
  async failure(promise, type, code) {
    const error = await promise.then(
      () => undefined,
      (rejection) => rejection,
    );
    this.check(error instanceof type && (code === undefined || error.code === code), true, `${error?.stack}`);
    return error;
  }

  /** A signal that is aborted after some turns of the loop, perhaps before anything has begun. */
  signal() {
    const controller = new AbortController();
    const abort = async (turns) => {
      for (let i = 0; i < turns; i++) await turn();
      controller.abort(thrown);
    };
    abort(this.random(8));
    return controller.signal;
  }

  async finish() {
    this.check(await this.db.get('pragma integrity_check', [], { rowMode: 'value' }), 'ok', 'integrity');
    await this.db.close();
    this.check(this.db.stats().undeliveredBytes, 0, 'undelivered');
  }
}

/** Alone changes its file; the model maps ids to texts. Changes come in pairs that cancel out, for the readers. */
export class PromiseOwner extends PromiseConnection {
  model = new Map();

  constructor(file, random, journal) {
    super(file, random);
    this.options = { pragmas: { journal_mode: journal, synchronous: 'off' } };
  }

  async open() {
    await super.open();
    await this.db.exec('create table if not exists t(id integer primary key autoincrement, text, sign int)');
  }

  /** Inserts pairs at once, on the database or in a transaction, and tells which rows were added. */
  async insertPairs(target, options) {
    const texts = Array.from({ length: 1 + this.random(20) }, () => this.text());
    const sql = 'insert into t(text, sign) values (:text, 1), (:text, -1)';
    const settled = await Promise.allSettled(texts.map((text) => target.run(sql, { text }, options)));
    const added = new Map();
    for (const [i, { status, value, reason }] of settled.entries()) {
      if (status === 'rejected') {
        if (options?.signal === undefined || !(reason instanceof AbortError)) throw reason;
        continue;
      }
      this.check(value.changes, 2, 'changes');
      added.set(value.lastID - 1, texts[i]).set(value.lastID, texts[i]);
    }
    return added;
  }

  keep(added) {
    for (const [id, text] of added) this.model.set(id, text);
  }

  async compare(target = this.db, model = this.model) {
    const rows = await target.all('select id, text from t order by id', [], { rowMode: 'array' });
    this.check(new Map(rows), model, 'rows');
  }

  work = {
    async 'promise: writes at once'() {
      this.keep(await this.insertPairs(this.db));
      if (this.model.size <= mostRows) return;
      this.check((await this.db.run('delete from t')).changes, this.model.size, 'deleted');
      this.model.clear();
    },
    async 'promise: cancelled writes'() {
      this.keep(await this.insertPairs(this.db, { signal: this.signal() }));
      await this.compare();
    },
    async 'promise: cancelled call'() {
      const { db } = this;
      const signal = this.signal();
      const error = await this.failure(
        db.run(`insert into t(text, sign) select v, 1 from (${endless})`, [], { signal }),
        AbortError,
      );
      this.check(error.cause, thrown, 'cause');
      await this.failure(db.run('delete from t', [], { signal }), AbortError);
      await this.compare();
    },
    async 'promise: timeout'() {
      const error = await this.failure(this.db.get(`${endless} limit -1 offset 1e15`, [], { timeout: 1 }), Error);
      this.check(error.name, 'TimeoutError', 'name');
    },
    async 'promise: iteration'() {
      const seen = new Map();
      for await (const [id, text] of this.db.iterate('select id, text from t', [], { rowMode: 'array' })) {
        seen.set(id, text);
      }
      this.check(seen, this.model, 'iterated');
    },
    async 'promise: iteration that is left'() {
      const wanted = 1 + this.random(5000);
      let sum = 0;
      for await (const v of this.db.iterate(endless, [], { rowMode: 'value' })) {
        sum += v;
        // Between two chunks other calls have their turn.
        if (v % 1000 === 0) this.keep(await this.insertPairs(this.db));
        if (v === wanted) break;
      }
      this.check(sum, (wanted * (wanted + 1)) / 2, 'sum');
    },
    async 'promise: iteration that is cancelled'() {
      let last = 0;
      const signal = this.signal();
      const iterate = async () => {
        for await (const v of this.db.iterate(endless, [], { rowMode: 'value', signal })) {
          assert.equal(v, ++last);
          if (v % 100 === 0) await turn();
        }
      };
      this.check((await this.failure(iterate(), AbortError)).cause, thrown, 'cause');
    },
    async 'promise: iteration that is returned'() {
      const rows = this.db.iterate(`select v from (${endless}) where v % 50000 = 0`, [], { rowMode: 'value' });
      const step = rows.next();
      if (this.random(2) === 0) await turn();
      const [{ done, value }, returned] = await Promise.all([step, rows.return()]);
      this.check(done ? undefined : 50_000, value, 'step');
      this.check(returned.done, true, 'returned');
    },
    async 'promise: cursor that is dropped'() {
      // It is left to the garbage collector.
      this.check(await this.db.iterate(endless).next(), { done: false, value: { v: 1 } }, 'first row');
    },
    async 'promise: committed transaction'() {
      const mode = ['deferred', 'immediate', 'exclusive'][this.random(3)];
      const beside = [];
      const added = await this.db.transaction(
        async (transaction) => {
          // Waits until this one has ended; called from outside of it.
          beside.push(this.outside(() => this.insertPairs(this.db)));
          const inside = await this.insertPairs(transaction);
          await this.compare(transaction, new Map([...this.model, ...inside]));
          return inside;
        },
        { mode },
      );
      this.keep(added);
      for (const call of beside) this.keep(await call);
    },
    async 'promise: rolled back transaction'() {
      const error = await this.failure(
        this.db.transaction(async (transaction) => {
          await this.insertPairs(transaction);
          await transaction.run('delete from t where id % 3 = 0');
          throw thrown;
        }),
        Error,
      );
      this.check(error, thrown, 'the same error');
      await this.compare();
    },
    async 'promise: nested transaction that is rolled back'() {
      this.keep(
        await this.db.transaction(async (outer) => {
          const added = await this.insertPairs(outer);
          await this.failure(
            outer.transaction(async (inner) => {
              await inner.run('delete from t');
              throw thrown;
            }),
            Error,
          );
          return added;
        }),
      );
      await this.compare();
    },
    async 'promise: cancelled transaction'() {
      const signal = this.signal();
      const transaction = this.db.transaction(
        async (given) => {
          const added = new Map();
          for (let i = this.random(4); i >= 0; i--) {
            for (const [id, text] of await this.insertPairs(given)) added.set(id, text);
          }
          for await (const v of given.iterate(endless, [], { rowMode: 'value' })) if (v === 100) break;
          return added;
        },
        { signal },
      );
      try {
        this.keep(await transaction);
      } catch (error) {
        this.check(error instanceof AbortError && error.cause === thrown, true, `${error.stack}`);
      }
      await this.compare();
    },
    async 'promise: transaction that forgets to await'() {
      const forgotten = [];
      const error = await this.failure(
        this.db.transaction((transaction) => {
          forgotten.push(transaction.run('delete from t'));
        }),
        SqliteError,
        'SQLITE_MISUSE',
      );
      this.check(/an await is missing/.test(error.message), true, error.message);
      await Promise.allSettled(forgotten);
      await this.compare();
    },
    async 'promise: bad calls'() {
      await this.failure(this.db.run('insert into nowhere values(?)', [1]), SqliteError, 'SQLITE_ERROR');
      await this.failure(this.db.run('insert into t(id) values(?)', []), ParameterError);
      const id = this.anyID();
      if (id !== 0)
        await this.failure(this.db.run('insert into t(id) values(?)', [id]), SqliteError, 'SQLITE_CONSTRAINT');
    },
    async 'promise: prepared statement'() {
      const ids = [...this.model.keys()];
      const statement = await this.db.prepare('select count(*) as n from t where id in carray(?)');
      const lists = [[], ids.slice(0, 5), ids];
      const found = await Promise.all(lists.map((list) => statement.get([list], { rowMode: 'value' })));
      this.check(
        found,
        lists.map(({ length }) => length),
        'lists',
      );
      this.check(
        await statement.columns(),
        [{ name: 'n', type: null, database: null, table: null, column: null }],
        'n',
      );
      // Others are left to the garbage collector.
      if (this.random(2) === 0) await statement.finalize();
    },
    async 'promise: big blob'() {
      const blob = Buffer.alloc(1 + this.random(3_000_000), this.random(256));
      const row = await this.db.get('select ?1 as blob, length(?1) as length', [blob]);
      this.check(row.length, blob.length, 'length');
      this.check(blob.equals(row.blob), true, 'blob');
    },
    async 'promise: backup'() {
      const copy = `${this.file}-copy`;
      const { pageCount } = await this.db.backup(copy, { pages: 1 + this.random(20) });
      this.check(pageCount > 0, true, 'pages');
      const copied = await open(copy, { readOnly: true });
      await this.compare(copied);
      await copied.close();
      rmSync(copy);
    },
    async 'promise: cancelled backup'() {
      const copy = `${this.file}-copy`;
      try {
        await this.db.backup(copy, { pages: 1, signal: this.signal() });
      } catch (error) {
        this.check(error instanceof AbortError && error.cause === thrown, true, `${error.stack}`);
      }
      // Behind the end of the backup, which is nobody's answer.
      await this.compare();
      rmSync(copy, { force: true });
    },
    async 'promise: close and reopen'() {
      const { db } = this;
      const last = db.transaction((transaction) => this.insertPairs(transaction));
      const closed = db.close();
      await this.failure(db.run('select 1'), SqliteError, 'SQLITE_MISUSE');
      await closed;
      this.keep(await last);
      await this.open();
      await this.compare();
    },
  };
}

/** Reads a file that another connection changes: what is committed always cancels out. */
export class PromiseReader extends PromiseConnection {
  options = { readOnly: false };

  work = {
    async 'promise: sum'() {
      const sum = await this.db.get('select coalesce(sum(sign), 0) from t', [], { rowMode: 'value' });
      this.check(sum, 0, 'sum');
    },
    async 'promise: stream'() {
      let sum = 0;
      for await (const sign of this.db.iterate('select sign from t', [], { rowMode: 'value' })) sum += sign;
      this.check(sum, 0, 'streamed');
    },
    async 'promise: snapshot'() {
      await this.db.transaction(async (transaction) => {
        const first = await transaction.all('select id, text from t');
        await turn();
        this.check(await transaction.all('select id, text from t'), first, 'the same again');
      });
    },
    async 'promise: reader closes and reopens'() {
      await this.db.close();
      await this.open();
    },
  };
}
