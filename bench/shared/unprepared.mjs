// Makes db.get(sql, ...) and db.run(sql, ...) look like a statement, so that both ways are measured by the same code.

/** For the callback API: every call hands the SQL text over again. */
export function unprepared(db, sql) {
  return {
    get: (key, callback) => db.get(sql, key, callback),
    run: (label, amount, price, callback) => db.run(sql, label, amount, price, callback),
    finalize: (callback) => callback(),
  };
}

/** For the synchronous API, which has no other way to run SQL with values than to prepare it. */
export function preparedEachTime(db, sql) {
  return {
    get: (key) => db.prepare(sql).get(key),
    run: (label, amount, price) => db.prepare(sql).run(label, amount, price),
  };
}
