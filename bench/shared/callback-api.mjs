// Promises around the callback API for what a workload does before and after its measured part.

const settle = (resolve, reject, value) => (error) => (error ? reject(error) : resolve(value));

export const open = (sqlite3, file) =>
  new Promise((resolve, reject) => {
    const db = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(db)));
  });

export const exec = (db, sql) => new Promise((resolve, reject) => db.exec(sql, settle(resolve, reject)));

export const close = (db) => new Promise((resolve, reject) => db.close(settle(resolve, reject)));

export const prepare = (db, sql) =>
  new Promise((resolve, reject) => {
    const statement = db.prepare(sql, (error) => (error ? reject(error) : resolve(statement)));
  });

export const finalize = (statement) => new Promise((resolve) => statement.finalize(() => resolve()));

/** `get` of a database with its SQL and values, or of a statement with values only. */
export const get = (target, ...values) =>
  new Promise((resolve, reject) => target.get(...values, (error, row) => (error ? reject(error) : resolve(row))));
