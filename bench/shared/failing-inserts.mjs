// A workload of inserts that fail: through callbacks wrapped into promises, the promise API, and a synchronous call.
import { startClock } from '../measure.mjs';
import * as callbackApi from './callback-api.mjs';
import * as promiseApi from './promise-api.mjs';

const create = 'CREATE TABLE item (label TEXT UNIQUE)';
const fill = "INSERT INTO item VALUES ('taken')";
const insert = 'INSERT INTO item VALUES (?)';
const label = 'taken';

const metrics = {
  perError: { label: 'an error, us', digits: 2 },
  processorTime: { label: 'processor time an error, us', digits: 2 },
  stackLines: { label: 'lines of its stack', digits: 0, ratio: false },
};

function check(error) {
  if (error?.code?.startsWith('SQLITE_CONSTRAINT')) return error.stack.split('\n').length;
  throw error ?? new Error('an insert that violates UNIQUE did not fail');
}

const runCallback = (statement) =>
  new Promise((resolve, reject) => {
    statement.run(label, (error) => (error ? reject(error) : resolve()));
  });

const runPromise = (statement) => statement.run([label]);

/** Two functions between the call and the loop, as a program has them: their lines are what a stack is for. */
const callers = (run) => {
  const save = async (statement) => {
    await run(statement);
  };
  return async function handleRequest(statement) {
    await save(statement);
  };
};

async function failAll(handleRequest, statement, count) {
  let lines = 0;
  for (let i = 0; i < count; i++) {
    lines = await handleRequest(statement).then(check, check);
  }
  return lines;
}

async function measure({ open, exec, prepare, finalize, close }, run, binding, count) {
  const db = await open(binding, ':memory:');
  await exec(db, create);
  await exec(db, fill);
  const statement = await prepare(db, insert);
  const handleRequest = callers(run);
  // One round that is not timed, as in the other workloads.
  await failAll(handleRequest, statement, count);
  const stop = startClock();
  const lines = await failAll(handleRequest, statement, count);
  const measured = stop();
  await finalize(statement);
  await close(db);
  return figures(measured, count, lines);
}

function measureSync(Database, count) {
  const db = new Database(':memory:');
  db.exec(create);
  db.exec(fill);
  const statement = db.prepare(insert);
  const fail = () => {
    let error;
    try {
      statement.run(label);
    } catch (thrown) {
      error = thrown;
    }
    return check(error);
  };
  for (let i = 0; i < count; i++) fail();
  const stop = startClock();
  let lines = 0;
  for (let i = 0; i < count; i++) lines = fail();
  const measured = stop();
  db.close();
  return figures(measured, count, lines);
}

function figures({ elapsed, processorTime }, count, stackLines) {
  return { perError: (elapsed * 1_000) / count, processorTime: (processorTime * 1_000) / count, stackLines };
}

/** A workload of `count` inserts, each of which fails. */
export function failingInserts({ about, count }) {
  return {
    about,
    metrics,
    callback: (sqlite3, { scaled }) => measure(callbackApi, runCallback, sqlite3, scaled(count)),
    promises: (promises, { scaled }) => measure(promiseApi, runPromise, promises, scaled(count)),
    sync: (Database, { scaled }) => measureSync(Database, scaled(count)),
  };
}
