// configure(): checks an option and its values, and queues the change.

import { layout } from '../native/layout.js';
import type { Request } from '../request/request.js';
import { isInt32 } from './arguments.js';
import type { DatabaseState } from './state.js';

/** A checked option: queued by apply(), it holds for what is called after it. */
export class Setting {
  readonly #option: number;
  readonly #value: number;
  readonly #id: number;

  constructor(option: number, value: number, id = 0) {
    this.#option = option;
    this.#value = value;
    this.#id = id;
  }

  apply(state: DatabaseState, request: Request): void {
    const event = eventNames[this.#option];
    if (event !== undefined) state.events[event] = this.#value !== 0;
    state.connection.configure(request, this.#option, this.#id, this.#value);
  }
}

export type EventName = keyof DatabaseState['events'];

const eventNames: Readonly<Record<number, EventName>> = {
  [layout.optionTrace]: 'trace',
  [layout.optionProfile]: 'profile',
  [layout.optionChange]: 'change',
};

const integerModes: Readonly<Record<string, number>> = {
  number: layout.integersNumber,
  bigint: layout.integersBigint,
  mixed: layout.integersMixed,
};

const needArguments = (args: readonly unknown[], count: number): void => {
  // The texts are node-sqlite3's, the missing blank included.
  if (args.length < count) throw new TypeError(`Expected ${count}arguments`);
};

const busyTimeout = (args: readonly unknown[]): Setting => {
  if (typeof args[1] !== 'number') throw new TypeError('Value must be an integer');
  return new Setting(layout.optionBusyTimeout, args[1] | 0);
};

const limit = (args: readonly unknown[]): Setting => {
  needArguments(args, 3);
  const [, id, value] = args;
  if (!isInt32(id)) throw new TypeError('limit id must be an integer');
  if (!isInt32(value)) throw new TypeError('limit value must be an integer');
  return new Setting(layout.optionLimit, value, id);
};

const flag =
  (option: number) =>
  (args: readonly unknown[]): Setting =>
    new Setting(option, args[1] ? 1 : 0);

const integers = (args: readonly unknown[]): Setting => {
  const value = typeof args[1] === 'string' && Object.hasOwn(integerModes, args[1]) ? integerModes[args[1]] : undefined;
  if (value === undefined) throw new TypeError("integers must be 'number', 'bigint' or 'mixed'");
  return new Setting(layout.optionIntegers, value);
};

const highWaterMark = (args: readonly unknown[]): Setting => {
  const [, value] = args;
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new TypeError('highWaterMark must be a number of bytes');
  return new Setting(layout.optionHighWaterMark, value as number);
};

/** More kept statements would take longer to look through than preparing one. */
const mostStatements = 1024;

const statementCacheSize = (args: readonly unknown[]): Setting => {
  const [, value] = args;
  if (!isInt32(value) || value < 0 || value > mostStatements) {
    throw new TypeError(`statementCacheSize must be an integer from 0 to ${mostStatements}`);
  }
  return new Setting(layout.optionStatementCacheSize, value);
};

const untrusted = (args: readonly unknown[]): Setting => {
  // Nothing that runs later, such as a library that was handed the database, can take it back.
  if (args[1] !== true) throw new TypeError('untrusted must be true: it cannot be taken back');
  return new Setting(layout.optionUntrusted, 1);
};

const options: Readonly<Record<string, (args: readonly unknown[]) => Setting>> = {
  busyTimeout,
  limit,
  eager: flag(layout.optionEager),
  integers,
  highWaterMark,
  statementCacheSize,
  untrusted,
  trace: flag(layout.optionTrace),
  profile: flag(layout.optionProfile),
  change: flag(layout.optionChange),
};

/** Checks the arguments of configure(). Throws a TypeError for an unknown option or a wrong value. */
export const settingOf = (args: readonly unknown[]): Setting => {
  needArguments(args, 2);
  const [name] = args;
  const read = typeof name === 'string' && Object.hasOwn(options, name) ? options[name] : undefined;
  if (read === undefined) throw new TypeError(`${String(name)} is not a valid configuration option`);
  return read(args);
};
