// Calls on a database that bring their SQL text: one request each, and a statement only where a callback can see it.

import { layout } from '../native/layout.js';
import { writeParameters } from '../request/parameters.js';
import type { Writer } from '../request/writer.js';
import { lastCallback } from './arguments.js';
import { Origin } from './calls.js';
import type { Database } from './database.js';
import type { DatabaseState } from './state.js';
import { eachCallbacks, Statement, spent } from './statement.js';
import * as calls from './statement-calls.js';

export type OnceMethod = 'run' | 'get' | 'all' | 'each' | 'map';

/** What the methods are when nobody has replaced them. */
const { run, get, all, each, map, finalize } = Statement.prototype;
const originals = { run, get, all, each, map };

const kinds = {
  run: { Call: calls.RunCall, operation: layout.operationRun },
  get: { Call: calls.GetCall, operation: layout.operationGet },
  all: { Call: calls.AllCall, operation: layout.operationAll },
  map: { Call: calls.MapCall, operation: layout.operationAll },
} as const;

/** Makes the statement that is `this` of the callback when the callback is called: programs queue such calls by the thousand. */
class OnceOrigin extends Origin {
  override get receiver(): Statement {
    this.object ??= new Statement(this.database as Database, this.sql as string, spent);
    return this.object as Statement;
  }
}

const write = (writer: Writer, sql: string, args: readonly unknown[], count: number): void => {
  writer.terminatedText(sql);
  writeParameters(writer, args, count);
};

/** Whether the program has replaced that method of Statement, or finalize(); then it expects to have them called. */
export const isReplaced = (method: OnceMethod): boolean =>
  Statement.prototype[method] !== originals[method] || Statement.prototype.finalize !== finalize;

/** Queues the call. Throws a TypeError for what can never be a call, and what reading the parameters throws. */
export const callOnce = (
  database: Database,
  state: DatabaseState,
  method: OnceMethod,
  sql: string,
  args: readonly unknown[],
): void => {
  const { connection } = state;
  const origin = new OnceOrigin(undefined, database, state, sql);
  if (method === 'each') {
    const { row, complete, count } = eachCallbacks(args);
    const request = new calls.EachCall(origin, row, complete, true);
    connection.send(request, layout.operationEach, layout.requestWithText, 0, write, false, sql, args, count);
    return;
  }
  const callback = lastCallback(args);
  const { Call, operation } = kinds[method];
  const count = callback === undefined ? args.length : args.length - 1;
  const quiet = method === 'run' && callback === undefined ? layout.requestQuiet : 0;
  const request = new Call(origin, callback);
  connection.send(request, operation, layout.requestWithText | quiet, 0, write, false, sql, args, count);
};
