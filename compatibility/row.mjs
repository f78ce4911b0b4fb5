// How a row is written: what it is about, what node-sqlite3 does, what happens here, and the tests that hold it.
//
// What a row is about is a member, such as `sqlite3.OK`, `Database#run` or `cached.objects`, or words. A test is
// written 'folder/file: title > title', with the titles as they stand in test/folder/file.test.ts.

const list = (one) => (Array.isArray(one) ? one : [one]);

const row = (verdict) => (about, there, here, tests) => ({
  verdict,
  about: list(about),
  there,
  here,
  tests: list(tests),
});

/** A part of the page. */
export const section = (title, rows) => ({ title, rows });

/** The same here. */
export const same = (about, there, tests) => row('same')(about, there, '', tests);

/** Changed on purpose: `here` says to what. */
export const better = row('better');

/** Not taken over: `here` says why. */
export const refused = row('refused');

/** What node-sqlite3 does not have. */
export const beyond = (about, here, tests) => row('beyond')(about, '', here, tests);

/** Whether that is the name of a member. */
export const isMember = (about) => /^(sqlite3\.|cached\.|(Database|Statement|Backup)#)\w+$/.test(about);
