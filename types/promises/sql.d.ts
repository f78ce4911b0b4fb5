// Tagged templates: SQL whose values never become part of its text.

declare const made: unique symbol;

/** SQL text and the values for its parameters, made by {@link SqlTag}. */
export interface Sql {
  readonly [made]: true;
  /** With `?` for each value. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The tag. Each value becomes a parameter, an array of values a list for `IN`, and SQL made by the tag a part of the
 * text.
 */
export interface SqlTag {
  (strings: TemplateStringsArray, ...values: unknown[]): Sql;
  /**
   * A quoted identifier; several names are joined by dots.
   * @throws TypeError for anything but strings without NUL characters.
   */
  id(...names: [string, ...string[]]): Sql;
  /** Values or SQL, with SQL between them: a comma unless said. */
  join(parts: Iterable<unknown>, separator?: Sql): Sql;
}
