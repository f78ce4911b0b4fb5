// Tagged templates: SQL text and values apart from each other, composed of fragments.

/** SQL with its values; made by the tag, and by nothing that could take a value for text. */
export class Sql {
  /** With `?` for each value. */
  readonly text: string;
  readonly values: readonly unknown[];

  /** @internal */
  constructor(text: string, values: readonly unknown[]) {
    this.text = text;
    this.values = values;
    Object.freeze(this);
  }
}

/** Where a list of values stands: it is inside parentheses already, or the argument of carray(), or neither. */
const listText = (before: string, after: string): string => {
  if (/\bcarray\s*\(\s*$/i.test(before)) return '?';
  return /\(\s*$/.test(before) && /^\s*\)/.test(after)
    ? 'SELECT value FROM carray(?)'
    : '(SELECT value FROM carray(?))';
};

/** An array is a list for IN, unless it stands where the SQL says carray() itself. */
const compose = (strings: readonly string[], values: readonly unknown[]): Sql => {
  const all: unknown[] = [];
  let text = strings[0] ?? '';
  for (const [i, value] of values.entries()) {
    const after = strings[i + 1] ?? '';
    if (value instanceof Sql) {
      text += value.text;
      all.push(...value.values);
    } else {
      text += Array.isArray(value) ? listText(text, after) : '?';
      all.push(value);
    }
    text += after;
  }
  return new Sql(text, all);
};

const quoted = (name: unknown): string => {
  if (typeof name !== 'string') throw new TypeError('an identifier must be a string');
  if (name.includes('\0')) throw new TypeError('an identifier must not contain a NUL character');
  return `"${name.replaceAll('"', '""')}"`;
};

export interface SqlTag {
  (strings: TemplateStringsArray, ...values: unknown[]): Sql;
  /** A quoted name; several are joined by dots, as in `id('main', 'user')`. */
  id(...names: string[]): Sql;
  /** The parts with a separator between them, ', ' unless said. */
  join(parts: Iterable<unknown>, separator?: Sql): Sql;
}

const tag = (strings: TemplateStringsArray, ...values: unknown[]): Sql => {
  // Called as a function, its text could be made of values.
  if (!Array.isArray(strings) || !Object.hasOwn(strings, 'raw')) {
    throw new TypeError('sql must be used as the tag of a template: sql`...`');
  }
  // A part with such an escape has no text; without it the rest might be valid SQL that means something else.
  if (strings.includes(undefined as never)) throw new TypeError('sql`...` has an invalid escape sequence');
  return compose(strings, values);
};

const id = (...names: string[]): Sql => {
  if (names.length === 0) throw new TypeError('an identifier must be a string');
  return new Sql(names.map(quoted).join('.'), []);
};

const comma = new Sql(', ', []);

const join = (parts: Iterable<unknown>, separator = comma): Sql => {
  if (!(separator instanceof Sql)) throw new TypeError('the separator must be made by sql`...`');
  const values = [...parts].flatMap((part, i) => (i === 0 ? [part] : [separator, part]));
  return compose(new Array<string>(values.length + 1).fill(''), values);
};

export const sql: SqlTag = Object.freeze(Object.assign(tag, { id, join }));

/** The text and parameters of a call, whose first argument is either. A Sql has its values with it. */
export const textAndParameters = (query: unknown, parameters: unknown): [sql: string, parameters: unknown] => {
  if (query instanceof Sql) {
    if (parameters !== undefined)
      throw new TypeError('the values of sql`...` come with it; give undefined as parameters');
    return [query.text, query.values.length === 0 ? undefined : query.values];
  }
  if (typeof query === 'string') return [query, parameters];
  throw new TypeError(`SQL must be a string or made by sql\`...\`, not ${query === null ? 'null' : typeof query}`);
};
