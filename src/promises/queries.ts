// The calls that a database and a transaction have in common.

import { layout } from '../native/layout.js';
import { attempt } from './attempt.js';
import type { CancelOptions } from './cancel.js';
import { Rows } from './iterate.js';
import { type CallOptions, checkCall, checkCancelOnly, settingsOf, type TransactionOptions } from './options.js';
import { bindableValues } from './parameters.js';
import { PrepareCall } from './prepare.js';
import type { Scope } from './scope.js';
import { ExecCall } from './script.js';
import { type Sql, type SqlTag, sql, textAndParameters } from './sql-tag.js';
import { Statement } from './statement.js';
import { AllCall, GetCall, RunCall, type RunResult, type StatementCall } from './statement-calls.js';
import { runTransaction } from './transaction.js';

type Kind<T> = new (...args: ConstructorParameters<typeof RunCall>) => StatementCall<T>;

export abstract class Queries {
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  get sql(): SqlTag {
    return sql;
  }

  #execute<T>(
    Kind: Kind<T>,
    operation: number,
    query: unknown,
    parameters: unknown,
    options?: CallOptions,
  ): Promise<T> {
    try {
      const checked = checkCall(options);
      const [text, given] = textAndParameters(query, parameters);
      const settings = settingsOf(checked, this.#scope.session.settings);
      const values = bindableValues(text, given, settings.converters);
      return new Kind(this.#scope, text, undefined, operation, values, settings).enter(checked);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  run(query: string | Sql, parameters?: unknown, options?: CallOptions): Promise<RunResult> {
    return this.#execute(RunCall, layout.operationRun, query, parameters, options);
  }

  get(query: string | Sql, parameters?: unknown, options?: CallOptions): Promise<unknown> {
    return this.#execute(GetCall, layout.operationGet, query, parameters, options);
  }

  all(query: string | Sql, parameters?: unknown, options?: CallOptions): Promise<unknown[]> {
    return this.#execute(AllCall, layout.operationAll, query, parameters, options);
  }

  iterate(query: string | Sql, parameters?: unknown, options?: CallOptions): Rows {
    return Rows.of(this.#scope, options, this.#scope.session.settings, () => textAndParameters(query, parameters));
  }

  exec(script: string, options?: CancelOptions): Promise<void> {
    return attempt(() => {
      const checked = checkCancelOnly(options);
      if (typeof script !== 'string') throw new TypeError('SQL must be a string');
      return new ExecCall(this.#scope, script).enter(checked);
    });
  }

  prepare(query: string, options?: CallOptions): Promise<Statement> {
    return attempt(async () => {
      const checked = checkCall(options);
      if (typeof query !== 'string') throw new TypeError('SQL must be a string');
      const settings = settingsOf(checked, this.#scope.session.settings);
      const prepared = await new PrepareCall(this.#scope, query).enter(checked);
      return new Statement(this.#scope, query, prepared, settings);
    });
  }

  transaction<T>(work: (transaction: Transaction) => T | PromiseLike<T>, options: TransactionOptions = {}): Promise<T> {
    return attempt(() => runTransaction(this.#scope, work, options, (scope) => new Transaction(scope)));
  }
}

/** What the function of transaction() gets: its calls belong to the transaction. */
export class Transaction extends Queries {}
