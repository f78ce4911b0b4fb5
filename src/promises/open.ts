// open(): checks the options, and opens a connection that is set up when the promise is fulfilled.

import { fileURLToPath } from 'node:url';
import { constants } from '../constants.js';
import { layout } from '../native/layout.js';
import type { Connection } from '../request/connection.js';
import { attempt } from './attempt.js';
import { Call } from './call.js';
import { abortError } from './cancel.js';
import { Database } from './database.js';
import { checkOpen, limitsOf, type OpenOptions, pragmaScript, settingsOf } from './options.js';
import type { Scope } from './scope.js';
import { CommandCall } from './script.js';
import { Quiet, Session } from './session.js';

const defaultBusyTimeout = 5000;

class OpenCall extends Call<void> {
  readonly #filename: string;
  readonly #mode: number;

  constructor(scope: Scope, filename: string, mode: number) {
    super(scope);
    this.#filename = filename;
    this.#mode = mode;
  }

  protected override write(connection: Connection): void {
    connection.send(
      this,
      layout.operationOpen,
      0,
      0,
      (writer) => {
        writer.uint32(this.#mode);
        writer.terminatedText(this.#filename);
      },
      true,
    );
  }

  override fail(failure: Parameters<Call<void>['fail']>[0]): void {
    this.scope.session.connection.endWhenIdle(failure);
    super.fail(failure);
  }

  protected override result(): void {}
}

/** Takes the file for hostile. Not a quiet request: without it the database must not be used. */
class DistrustCall extends Call<void> {
  protected override write(connection: Connection): void {
    connection.configure(this, layout.optionUntrusted, 0, 1);
  }

  protected override result(): void {}
}

const modeOf = ({ readOnly = false, create = !readOnly, uri = false }: OpenOptions): number => {
  if (readOnly && create) throw new TypeError('option create must be false when readOnly is true');
  const access = readOnly ? constants.OPEN_READONLY : constants.OPEN_READWRITE;
  return access | (create ? constants.OPEN_CREATE : 0) | (uri ? constants.OPEN_URI : 0);
};

const nameOf = (file: unknown): string => {
  if (typeof file === 'string') return file;
  if (file instanceof URL) return fileURLToPath(file);
  throw new TypeError('the file must be a string or a file: URL');
};

const scriptOf = ({ foreignKeys = true, pragmas = {} }: OpenOptions): string =>
  `PRAGMA foreign_keys = ${foreignKeys ? 1 : 0};\n${pragmaScript(pragmas)}`;

const configure = (connection: Connection, options: OpenOptions, busyTimeout: number): void => {
  const set = (option: number, value: number): void => connection.configure(new Quiet(), option, 0, value);
  set(layout.optionBusyTimeout, busyTimeout);
  if (options.statementCacheSize !== undefined) set(layout.optionStatementCacheSize, options.statementCacheSize);
  if (options.highWaterMark !== undefined) set(layout.optionHighWaterMark, options.highWaterMark);
};

const openChecked = async (filename: string, options: OpenOptions): Promise<Database> => {
  const mode = modeOf(options);
  const script = scriptOf(options);
  const limits = limitsOf(options.limits ?? {});
  const { integers = 'mixed', types, signal, busyTimeout = defaultBusyTimeout } = options;
  const settings = settingsOf({ integers, types }, { rowMode: 'object', integers: 0, converters: undefined });
  if (signal?.aborted) throw abortError(signal)();
  const session = new Session(settings, busyTimeout);
  const { root, connection } = session;
  const opening = new OpenCall(root, filename, mode).enter({ signal });
  const distrusted = options.untrusted === true ? new DistrustCall(root).enter({ signal }) : undefined;
  configure(connection, options, busyTimeout);
  const setUp = new CommandCall(root, script).enter({ signal });
  // Behind the script, which is not the caller's.
  for (const [id, value] of limits) connection.configure(new Quiet(), layout.optionLimit, id, value);
  // All are awaited, so none of their errors is unhandled.
  const results = await Promise.allSettled([opening, distrusted, setUp]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    const [opened] = results;
    if (opened.status === 'fulfilled') session.end();
    throw failed.reason;
  }
  return new Database(session, filename);
};

export const open = (file: string | URL, options: OpenOptions = {}): Promise<Database> =>
  attempt(() => openChecked(nameOf(file), checkOpen(options)));
