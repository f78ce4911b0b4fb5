// Recipe: tests with a database in memory, each with one of its own.
import assert from 'node:assert/strict';
import { open } from 'sqlite-tandem/promises';

/** What is tested. */
class Accounts {
  #db;

  constructor(db) {
    this.#db = db;
  }

  async transfer(from, to, amount) {
    await this.#db.transaction(async (tx) => {
      await tx.run('UPDATE account SET balance = balance - ? WHERE name = ?', [amount, from]);
      await tx.run('UPDATE account SET balance = balance + ? WHERE name = ?', [amount, to]);
    });
  }

  balances() {
    return this.#db.all('SELECT balance FROM account ORDER BY name', [], { rowMode: 'value' });
  }
}

/** A new database for each test: they share nothing. */
async function withAccounts(test) {
  const db = await open(':memory:');
  await db.exec(`
    CREATE TABLE account (name TEXT PRIMARY KEY, balance INTEGER CHECK (balance >= 0));
    INSERT INTO account VALUES ('a', 10), ('b', 0)`);
  try {
    await test(new Accounts(db));
  } finally {
    await db.close();
  }
}

const tests = {
  'a transfer moves money': async (accounts) => {
    await accounts.transfer('a', 'b', 4);
    assert.deepEqual(await accounts.balances(), [6, 4]);
  },
  'a transfer of too much moves nothing': async (accounts) => {
    await assert.rejects(accounts.transfer('b', 'a', 1), { extendedCode: 'SQLITE_CONSTRAINT_CHECK' });
    assert.deepEqual(await accounts.balances(), [10, 0]);
  },
};

for (const [name, test] of Object.entries(tests)) {
  await withAccounts(test);
  console.log('passed:', name);
}
// -> passed: a transfer moves money
// -> passed: a transfer of too much moves nothing
