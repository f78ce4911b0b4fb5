// The only door to C++: finds and loads the addon, and declares every function it exports (addon/napi/addon.cc).

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What the addon exports. */
export interface Addon {
  /**
   * Gives the functions of the door. `deliver` is called, on the loop, when there are results; returning true asks for
   * another call. With `loopTellsIdleTime`, libuv is asked how long the loop was idle.
   */
  start(deliver: () => boolean, loopTellsIdleTime: boolean): Binding;
  /** The numbers of addon/core/layout.h by name, for a test. */
  layout(): Record<string, number>;
  readonly version: string;
  readonly versionNumber: number;
  readonly sourceId: string;
  /** How many processors this process may use: os.availableParallelism(), without the time that loading `os` takes. */
  readonly processors: number;
}

/** All functions return at once; none waits for SQLite. */
export interface Binding {
  /** Number of a new database with a thread of its own; 0 when the system has no thread or memory left. */
  open(): number;
  /** Queues the first `length` bytes, which are copied; false when there is no memory or the database has ended. */
  submit(database: number, bytes: Uint8Array, length: number): boolean;
  /**
   * Copies results of one database into `bytes`: how many bytes were written, 0 when there are none, or minus the bytes
   * that the next result needs. With `truncate` such a result is cut off and dropped. With `looksAgain`, returning 0 makes
   * it a promise to call wake() within a millisecond or two: until then, a database that has more requests to answer does
   * not wake the loop.
   */
  take(bytes: Uint8Array, truncate: boolean, looksAgain: boolean): number;
  /** Waits awake, for at most so many microseconds, until there are results; whether there are. */
  watch(microseconds: number): boolean;
  /** Asks for another call of `deliver`, in a turn of its own. */
  wake(): void;
  /** Whether pending work keeps the process alive. */
  hold(on: boolean): void;
  /** Aborts the request that runs now, and no other. */
  interrupt(database: number): void;
  /**
   * Cancels the submitted request of that sequence number and no other. One that waits is answered with SQLITE_INTERRUPT
   * and not executed, one that runs is aborted, and for one that has ended it is too late.
   */
  cancel(database: number, sequence: number): void;
  /** Lets a database go on that waits because of configure('eager', false). */
  proceed(database: number): void;
  /** Closes the connection and ends the thread, without waiting. */
  end(database: number): void;
  /** Makes an uncaught exception of it, at once. */
  raise(error: unknown): void;
  /**
   * Nanoseconds SQLite was busy, for how many of them the event loop was idle (-1 when that is not known), bytes not
   * delivered yet, and calls with SQL text that found a prepared statement, or did not; false when the database has ended.
   */
  stats(database: number, numbers: Float64Array): boolean;
  /** Starts or stops keeping the single spans in which SQLite was busy. */
  record(database: number, on: boolean): void;
  /** Moves kept spans (start and end in nanoseconds of process.hrtime()) into `numbers`; returns how many. */
  spans(database: number, numbers: Float64Array): number;
}

/** Asked only where a choice depends on it: the report takes milliseconds. */
const isMusl = (): boolean => {
  if (process.platform !== 'linux') return false;
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime === undefined;
};

const find = (): string => {
  // Bundlers and packagers move files about; they can say where the addon went.
  const override = process.env.SQLITE_TANDEM_BINDING;
  if (override !== undefined && override !== '') return resolve(override);
  const root = join(__dirname, '..', '..');
  const built = join(root, 'addon', 'build', 'Release', 'sqlite_tandem.node');
  if (existsSync(built)) return built;
  const folder = join(root, 'prebuilds', `${process.platform}-${process.arch}`);
  const prebuilt = join(folder, isMusl() ? 'node.napi.musl.node' : 'node.napi.node');
  if (existsSync(prebuilt)) return prebuilt;
  throw new Error(
    `sqlite-tandem has no binary for ${process.platform}-${process.arch}; looked for:\n${built}\n${prebuilt}\n` +
      'Build it with "npm run build:addon" in the folder of the package, or name the file in SQLITE_TANDEM_BINDING.',
  );
};

/** Absolute path of the loaded addon. */
export const bindingPath: string = find();

export const addon: Addon = require(bindingPath) as Addon;

let deliver = (): boolean => false;

/** Sets what is called when there are results. */
export const onResults = (callback: () => boolean): void => {
  deliver = callback;
};

/**
 * Only Node.js lets libuv wait for events, and tell for how long: Bun and Deno have functions of that name which do
 * nothing, or end the process, and in Electron and NW.js Chromium waits.
 */
const isNodeAlone = ['bun', 'deno', 'electron', 'nw'].every((other) => process.versions[other] === undefined);

export const binding: Binding = addon.start(() => deliver(), isNodeAlone);
