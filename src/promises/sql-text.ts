// Which parameters an SQL text has, found by reading its tokens as SQLite does: so a wrong value is told at the call.

/** The parameters of one text; positions count from 1. */
export interface SqlParameters {
  /** The highest position. */
  readonly count: number;
  /** By position; undefined for a bare `?`, and for a position that the text skips. */
  readonly names: readonly (string | undefined)[];
  /** Positions by name, the name with its prefix. */
  readonly positions: ReadonlyMap<string, number>;
  /** Positions that do not occur in the text, because a `?5` skipped them. */
  readonly skipped: ReadonlySet<number>;
  /** Positions that are the argument of carray(). */
  readonly arrays: ReadonlySet<number>;
}

/** SQLite's default for the highest number; what lies beyond is an error that SQLite reports. */
const mostParameters = 32766;
const mostKept = 1000;

const code = (character: string): number => character.charCodeAt(0);
const [quote, doubleQuote, backtick, bracket, closing] = [code("'"), code('"'), code('`'), code('['), code(']')];
const [dash, slash, star] = [code('-'), code('/'), code('*')];
const [question, colon, at, dollar, hash] = [code('?'), code(':'), code('@'), code('$'), code('#')];
const [open, close, underscore] = [code('('), code(')'), code('_')];

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
const isSpace = (unit: number): boolean => unit === 32 || (unit >= 9 && unit <= 13);
/** SQLite's identifiers: letters, digits, `_`, `$`, and all that is not ASCII. */
const isIdentifier = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) ||
  (unit >= 65 && unit <= 90) ||
  isDigit(unit) ||
  unit === underscore ||
  unit === dollar ||
  unit >= 128;

class Scanner {
  readonly #sql: string;
  #at = 0;
  readonly #names: (string | undefined)[] = [undefined];
  readonly #seen = new Set<number>();
  readonly positions = new Map<string, number>();
  readonly arrays = new Set<number>();
  /** How far `carray(` has been read: 1 behind the name, 2 behind the parenthesis. */
  #carray = 0;

  constructor(sql: string) {
    this.#sql = sql;
  }

  scan(): SqlParameters {
    const { length } = this.#sql;
    while (this.#at < length) this.#token();
    const count = this.#names.length - 1;
    const skipped = new Set<number>();
    for (let i = 1; i <= count; i++) if (!this.#seen.has(i)) skipped.add(i);
    return { count, names: this.#names, positions: this.positions, skipped, arrays: this.arrays };
  }

  #unit(offset = 0): number {
    return this.#sql.charCodeAt(this.#at + offset);
  }

  #token(): void {
    const unit = this.#unit();
    if (isSpace(unit)) this.#at++;
    else if (unit === dash && this.#unit(1) === dash) this.#skipBehind('\n');
    else if (unit === slash && this.#unit(1) === star) this.#skipComment();
    else if (unit === question) this.#numbered();
    else if (unit === colon || unit === at || unit === dollar || unit === hash) this.#named();
    else if (isIdentifier(unit)) this.#word();
    else {
      this.#carray = unit === open && this.#carray === 1 ? 2 : 0;
      if (unit === quote || unit === doubleQuote || unit === backtick) this.#quoted(unit);
      else if (unit === bracket) this.#skipBehind(String.fromCharCode(closing));
      else this.#at++;
    }
  }

  #skipBehind(end: string, from = this.#at): void {
    const found = this.#sql.indexOf(end, from);
    this.#at = found < 0 ? this.#sql.length : found + end.length;
  }

  #skipComment(): void {
    this.#skipBehind('*/', this.#at + 2);
  }

  /** A quote inside is doubled; the second half then simply begins another quoted text. */
  #quoted(unit: number): void {
    this.#skipBehind(String.fromCharCode(unit), this.#at + 1);
  }

  #identifierEnd(from: number): number {
    let end = from;
    while (isIdentifier(this.#sql.charCodeAt(end))) end++;
    return end;
  }

  #word(): void {
    const start = this.#at;
    this.#at = this.#identifierEnd(start);
    const isCarray = this.#at - start === 6 && this.#sql.slice(start, this.#at).toLowerCase() === 'carray';
    this.#carray = isCarray ? 1 : 0;
  }

  #numbered(): void {
    const start = this.#at++;
    while (isDigit(this.#unit())) this.#at++;
    if (this.#at === start + 1) return this.#add(this.#names.length, undefined);
    const name = this.#sql.slice(start, this.#at);
    this.#add(Number(name.slice(1)), name);
  }

  #named(): void {
    const start = this.#at++;
    this.#at = this.#identifierEnd(this.#at);
    if (this.#at === start + 1) {
      this.#carray = 0;
      return;
    }
    while (this.#unit() === colon && this.#unit(1) === colon) this.#at = this.#identifierEnd(this.#at + 2);
    // As Tcl names elements of arrays: $a(b).
    if (this.#unit() === open) {
      let end = this.#at + 1;
      while (end < this.#sql.length && !isSpace(this.#sql.charCodeAt(end)) && this.#sql.charCodeAt(end) !== close)
        end++;
      if (this.#sql.charCodeAt(end) === close) this.#at = end + 1;
    }
    const name = this.#sql.slice(start, this.#at);
    this.#add(this.positions.get(name) ?? this.#names.length, name);
  }

  #add(position: number, name: string | undefined): void {
    const isArray = this.#carray === 2;
    this.#carray = 0;
    if (position < 1 || position > mostParameters) return;
    while (this.#names.length <= position) this.#names.push(undefined);
    if (name !== undefined) {
      this.#names[position] ??= name;
      this.positions.set(name, position);
    }
    this.#seen.add(position);
    if (isArray) this.arrays.add(position);
  }
}

const kept = new Map<string, SqlParameters>();

/** The parameters of a text; those of texts that were asked about lately are remembered. */
export const parametersOf = (sql: string): SqlParameters => {
  let found = kept.get(sql);
  if (found === undefined) {
    found = new Scanner(sql).scan();
    if (kept.size >= mostKept) kept.clear();
    kept.set(sql, found);
  }
  return found;
};
