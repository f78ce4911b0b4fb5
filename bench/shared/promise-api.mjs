// The promise API by the names of callback-api.mjs, for what a workload does before and after its measured part.

export const open = (promises, file) => promises.open(file);

export const exec = (db, sql) => db.exec(sql);

export const close = (db) => db.close();

export const prepare = (db, sql) => db.prepare(sql);

export const finalize = (statement) => statement.finalize();

export const get = (db, sql) => db.get(sql);

/** Makes db.get(sql, ...) and db.run(sql, ...) look like a statement. */
export const unprepared = (db, sql) => ({
  get: (values) => db.get(sql, values),
  run: (values) => db.run(sql, values),
  finalize: () => {},
});
