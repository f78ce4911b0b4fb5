// Options of calls and of open(): checked, and completed with what holds otherwise.

import { constants } from '../constants.js';
import { layout } from '../native/layout.js';
import type { RowMode } from '../request/request.js';
import type { CancelOptions } from './cancel.js';
import { type Converter, type Converters, convertersOf } from './types.js';

export type Integers = 'number' | 'bigint' | 'mixed';
export type TransactionMode = 'deferred' | 'immediate' | 'exclusive';

/** How the rows of a call are to be. */
export interface Settings {
  readonly rowMode: RowMode;
  /** A number of layout.integers... */
  readonly integers: number;
  readonly converters: Converters | undefined;
}

export interface CallOptions extends CancelOptions {
  readonly rowMode?: RowMode | undefined;
  readonly integers?: Integers | undefined;
  readonly types?: Readonly<Record<string, Converter>> | undefined;
}

const integerModes: Readonly<Record<string, number>> = {
  number: layout.integersNumber,
  bigint: layout.integersBigint,
  mixed: layout.integersMixed,
};

/** setTimeout() takes no more. */
const longestTimeout = 2 ** 31 - 1;

const invalid = (name: string, expected: string): TypeError =>
  Object.assign(new TypeError(`option ${name} must be ${expected}`), { code: 'ERR_INVALID_ARG_VALUE' });

/** Whether names and values can be meant by it: an object of nobody or of a class of the caller, not an array or a Date. */
const isRecord = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  return (
    Object.getPrototypeOf(value) === Object.prototype || Object.prototype.toString.call(value) === '[object Object]'
  );
};

/** An object with no other keys than these. */
export const checkKeys = (options: unknown, keys: readonly string[]): void => {
  if (!isRecord(options)) {
    throw Object.assign(new TypeError('options must be an object'), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  const unknown = Object.keys(options).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw invalid(unknown, `one of ${keys.join(', ')}: there is no such option`);
};

export const checkBoolean = (name: string, value: unknown): void => {
  if (value !== undefined && typeof value !== 'boolean') throw invalid(name, 'a boolean');
};

export const checkInteger = (name: string, value: unknown, least: number, most: number): void => {
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
    throw invalid(name, `a whole number from ${least} to ${most}`);
  }
};

export const checkFunction = (name: string, value: unknown): void => {
  if (value !== undefined && typeof value !== 'function') throw invalid(name, 'a function');
};

export const checkCancel = ({ signal, timeout }: CancelOptions): void => {
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalid('signal', 'an AbortSignal');
  checkInteger('timeout', timeout, 0, longestTimeout);
};

const rowModes: readonly unknown[] = [undefined, 'object', 'array', 'value'];

const converters = (types: unknown): Converters => {
  if (!isRecord(types)) throw invalid('types', 'an object');
  for (const [type, converter] of Object.entries(types as Record<string, Partial<Converter> | null>)) {
    if (typeof converter?.read !== 'function') throw invalid(`types.${type}`, 'an object with a function read');
    if (typeof converter.write !== typeof converter.accepts) {
      throw invalid(`types.${type}`, 'an object with both of write and accepts, or none of them');
    }
  }
  return convertersOf(types as Record<string, Converter>);
};

/** Those of maps that were given before: programs give the same object again and again. */
const known = new WeakMap<object, Converters>();

const convertersOnce = (types: Readonly<Record<string, Converter>>): Converters => {
  let found = known.get(types);
  if (found === undefined) {
    found = converters(types);
    known.set(types, found);
  }
  return found;
};

/** The settings of a call; those it does not mention are the ones of its statement or database. */
export const settingsOf = (options: CallOptions, otherwise: Settings): Settings => {
  const { rowMode, integers, types } = options;
  if (rowMode === undefined && integers === undefined && types === undefined) return otherwise;
  if (!rowModes.includes(rowMode)) throw invalid('rowMode', "'object', 'array' or 'value'");
  if (integers !== undefined && !Object.hasOwn(integerModes, integers)) {
    throw invalid('integers', "'number', 'bigint' or 'mixed'");
  }
  return {
    rowMode: rowMode ?? otherwise.rowMode,
    integers: integers === undefined ? otherwise.integers : (integerModes[integers] ?? 0),
    converters: types === undefined ? otherwise.converters : convertersOnce(types),
  };
};

const callKeys = ['rowMode', 'integers', 'types', 'signal', 'timeout'];
const noOptions: CallOptions = {};

/** The options of a call that gives rows. */
export const checkCall = (options: CallOptions | undefined): CallOptions => {
  if (options === undefined) return noOptions;
  checkKeys(options, callKeys);
  checkCancel(options);
  return options;
};

/** Those of a call without rows. */
export const checkCancelOnly = (options: CancelOptions | undefined): CancelOptions => {
  if (options === undefined) return noOptions;
  checkKeys(options, ['signal', 'timeout']);
  checkCancel(options);
  return options;
};

export interface TransactionOptions extends CancelOptions {
  readonly mode?: TransactionMode | undefined;
}

const modes = ['deferred', 'immediate', 'exclusive'];

export const checkTransaction = (options: TransactionOptions, nested: boolean): TransactionOptions => {
  checkKeys(options, ['mode', 'signal', 'timeout']);
  checkCancel(options);
  if (options.mode !== undefined && !modes.includes(options.mode)) throw invalid('mode', `one of ${modes.join(', ')}`);
  if (options.mode !== undefined && nested) throw invalid('mode', 'left out: the outermost transaction has one');
  return options;
};

export type PragmaValue = string | number | boolean;

export interface OpenOptions {
  readonly readOnly?: boolean | undefined;
  readonly create?: boolean | undefined;
  readonly uri?: boolean | undefined;
  readonly busyTimeout?: number | undefined;
  readonly pragmas?: Readonly<Record<string, PragmaValue>> | undefined;
  readonly foreignKeys?: boolean | undefined;
  readonly integers?: Integers | undefined;
  readonly types?: Readonly<Record<string, Converter>> | undefined;
  readonly statementCacheSize?: number | undefined;
  readonly highWaterMark?: number | undefined;
  readonly limits?: Readonly<Record<string, number>> | undefined;
  readonly untrusted?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const openKeys = [
  'readOnly',
  'create',
  'uri',
  'busyTimeout',
  'pragmas',
  'foreignKeys',
  'integers',
  'types',
  'statementCacheSize',
  'highWaterMark',
  'limits',
  'untrusted',
  'signal',
];

/** SQLite's limits by the names of the option: LIMIT_SQL_LENGTH is sqlLength. */
const limitNames: ReadonlyMap<string, number> = new Map(
  Object.entries(constants)
    .filter(([name]) => name.startsWith('LIMIT_'))
    .map(([name, id]) => [
      name
        .slice('LIMIT_'.length)
        .toLowerCase()
        .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      id,
    ]),
);

/** The limits of the option by SQLite's numbers. */
export const limitsOf = (limits: Readonly<Record<string, number>>): [id: number, value: number][] =>
  Object.entries(limits).map(([name, value]) => {
    const id = limitNames.get(name);
    if (id === undefined) throw invalid(`limits.${name}`, `one of ${[...limitNames.keys()].join(', ')}`);
    checkInteger(`limits.${name}`, value, 0, longestTimeout);
    return [id, value];
  });

/** SQL that sets the pragmas in their order. */
export const pragmaScript = (pragmas: Readonly<Record<string, PragmaValue>>): string =>
  Object.entries(pragmas)
    .map(([name, value]) => {
      if (!/^[a-z_]\w*(\.[a-z_]\w*)?$/i.test(name)) throw invalid(`pragmas.${name}`, 'the name of a pragma');
      if (typeof value === 'boolean') return `PRAGMA ${name} = ${value ? 1 : 0};`;
      if (typeof value === 'number' && Number.isFinite(value)) return `PRAGMA ${name} = ${value};`;
      if (typeof value === 'string' && !value.includes('\0'))
        return `PRAGMA ${name} = '${value.replaceAll("'", "''")}';`;
      throw invalid(`pragmas.${name}`, 'a string, a number or a boolean');
    })
    .join('\n');

export const checkOpen = (options: OpenOptions): OpenOptions => {
  checkKeys(options, openKeys);
  checkCancel({ signal: options.signal });
  for (const name of ['readOnly', 'create', 'uri', 'foreignKeys', 'untrusted'] as const)
    checkBoolean(name, options[name]);
  checkInteger('busyTimeout', options.busyTimeout, 0, longestTimeout);
  checkInteger('statementCacheSize', options.statementCacheSize, 0, 1024);
  checkInteger('highWaterMark', options.highWaterMark, 0, Number.MAX_SAFE_INTEGER);
  for (const name of ['pragmas', 'limits'] as const) {
    if (options[name] !== undefined && !isRecord(options[name])) throw invalid(name, 'an object');
  }
  return options;
};
