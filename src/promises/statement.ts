// Statement: prepared once, executed often; its calls take their turn among those of its database or transaction.

import { layout } from '../native/layout.js';
import type { ColumnDescription } from '../request/request.js';
import { attempt } from './attempt.js';
import type { CancelOptions } from './cancel.js';
import { disposeBy } from './dispose.js';
import { misuseError } from './errors.js';
import { ColumnsCall, ExpandedCall, FinalizeCall } from './inspect.js';
import { Rows } from './iterate.js';
import { type CallOptions, checkCall, checkCancelOnly, type Settings, settingsOf } from './options.js';
import { bindableValues } from './parameters.js';
import type { Scope } from './scope.js';
import { parametersOf, type SqlParameters } from './sql-text.js';
import { AllCall, GetCall, type Prepared, RunCall, type RunResult, type StatementCall } from './statement-calls.js';

type Kind<T> = new (...args: ConstructorParameters<typeof RunCall>) => StatementCall<T>;

export class Statement {
  readonly #scope: Scope;
  readonly #sql: string;
  readonly #prepared: Prepared;
  readonly #settings: Settings;
  #parameters: SqlParameters | undefined;
  #finalized: Promise<void> | undefined;

  /** @internal */
  constructor(scope: Scope, sql: string, prepared: Prepared, settings: Settings) {
    this.#scope = scope;
    this.#sql = sql;
    this.#prepared = prepared;
    this.#settings = settings;
  }

  get sql(): string {
    return this.#sql;
  }

  /** Names of the parameters by position, with their prefix; null for those without a name. */
  get parameters(): readonly (string | null)[] {
    return this.#prepared.description.parameters.map((name) => (name === '' ? null : name));
  }

  /** Whether it leaves the database file as it is. */
  get readOnly(): boolean {
    return this.#prepared.description.readOnly;
  }

  #execute<T>(Kind: Kind<T>, operation: number, parameters: unknown, options?: CallOptions): Promise<T> {
    try {
      const checked = checkCall(options);
      const settings = settingsOf(checked, this.#settings);
      this.#parameters ??= parametersOf(this.#sql);
      const values = bindableValues(this.#sql, parameters, settings.converters, this.#parameters);
      return new Kind(this.#scope, this.#sql, this.#prepared, operation, values, settings).enter(checked);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  run(parameters?: unknown, options?: CallOptions): Promise<RunResult> {
    return this.#execute(RunCall, layout.operationRun, parameters, options);
  }

  get(parameters?: unknown, options?: CallOptions): Promise<unknown> {
    return this.#execute(GetCall, layout.operationGet, parameters, options);
  }

  all(parameters?: unknown, options?: CallOptions): Promise<unknown[]> {
    return this.#execute(AllCall, layout.operationAll, parameters, options);
  }

  /** With a cursor of its own, so that other calls of this statement do not disturb it. */
  iterate(parameters?: unknown, options?: CallOptions): Rows {
    return Rows.of(this.#scope, options, this.#settings, () => {
      if (this.#prepared.handle.ended) throw misuseError('the statement has been finalized', this.#sql)();
      return [this.#sql, parameters];
    });
  }

  columns(options?: CancelOptions): Promise<readonly ColumnDescription[]> {
    return attempt(() => new ColumnsCall(this.#scope, this.#sql, this.#prepared).enter(checkCancelOnly(options)));
  }

  /** The text with the values in it, as SQLite writes it. */
  expandedSQL(parameters?: unknown, options?: CallOptions): Promise<string> {
    return this.#execute(ExpandedCall, layout.operationExpandedSql, parameters, options);
  }

  /** Waits for the calls before it; again and again it is the same promise. */
  finalize(): Promise<void> {
    return attempt(() => {
      // Calls of others that wait for the transaction would find the statement gone.
      if (this.#finalized === undefined) this.#scope.checkCaller(this.#sql);
      this.#finalized ??= new FinalizeCall(this.#scope, this.#sql, this.#prepared.handle).enter({}, true);
      return this.#finalized;
    });
  }
}

disposeBy(Statement.prototype, 'finalize');
