// Programs that must compile against the types of the promise API and mistakes that must not: compiled, never run.

import {
  AbortError,
  type CallOptions,
  type Cell,
  Database,
  type NumberCell,
  type NumberRow,
  open,
  ParameterError,
  type Row,
  type Rows,
  type RunResult,
  type Sql,
  SqliteError,
  type Statement,
  sql,
  type Transaction,
  types,
} from 'sqlite-tandem/promises';

interface User {
  id: number;
  name: string;
}

/** Compiles only when A and B are the same type, so that neither may widen to unknown unseen. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function typeOf<A>(value: A): { is<B>(same: Same<A, B>): void };

export async function rows(db: Database): Promise<void> {
  typeOf(await db.get<User>('SELECT')).is<User | undefined>(true);
  typeOf(await db.all<User>('SELECT', [1])).is<User[]>(true);
  typeOf(db.iterate<User>('SELECT', { id: 1 })).is<Rows<User>>(true);
  typeOf(await db.run('DELETE')).is<RunResult>(true);
  typeOf(await db.exec('DELETE')).is<void>(true);
  for await (const user of db.iterate<User>('SELECT')) typeOf(user).is<User>(true);
  // @ts-expect-error a row may be missing
  (await db.get<User>('SELECT')).name;
  // @ts-expect-error no such column
  (await db.all<User>('SELECT'))[0]?.age;
  // @ts-expect-error a cell may be anything until the program says more
  (await db.all('SELECT'))[0]?.['name'].length;
}

export async function rowModes(db: Database): Promise<void> {
  typeOf(await db.get('SELECT')).is<Row | undefined>(true);
  typeOf(await db.get('SELECT', [], { rowMode: 'object' })).is<Row | undefined>(true);
  typeOf(await db.get('SELECT', [], { rowMode: 'array' })).is<Cell[] | undefined>(true);
  typeOf(await db.get('SELECT', [], { rowMode: 'value' })).is<Cell | undefined>(true);
  typeOf(await db.all('SELECT', [], { rowMode: 'array' })).is<Cell[][]>(true);
  typeOf(await db.all('SELECT', [], { rowMode: 'value' })).is<Cell[]>(true);
  typeOf(await db.all<[number, string]>('SELECT', [], { rowMode: 'array' })).is<[number, string][]>(true);
  typeOf(await db.all<string>('SELECT', [], { rowMode: 'value' })).is<string[]>(true);
  typeOf(db.iterate('SELECT', [], { rowMode: 'value' })).is<Rows<Cell>>(true);
  const either: CallOptions = { rowMode: Math.random() > 2 ? 'array' : 'value' };
  typeOf(await db.get('SELECT', [], either)).is<Row | Cell[] | Cell | undefined>(true);
  typeOf(await db.all('SELECT', [], either)).is<(Row | Cell[] | Cell)[]>(true);
  typeOf(db.iterate('SELECT', [], either)).is<Rows<Row | Cell[] | Cell>>(true);
  // @ts-expect-error no such mode
  await db.all('SELECT', [], { rowMode: 'list' });
  // @ts-expect-error no such option
  await db.all('SELECT', [], { rowmode: 'array' });
}

export async function integers(db: Database): Promise<void> {
  typeOf(await db.all('SELECT', [], { integers: 'number' })).is<NumberRow[]>(true);
  typeOf(await db.all('SELECT', [], { integers: 'mixed' })).is<Row[]>(true);
  typeOf(await db.all('SELECT', [], { integers: 'bigint', rowMode: 'array' })).is<Cell[][]>(true);
  typeOf(await db.get('SELECT', [], { integers: 'number', rowMode: 'value' })).is<NumberCell | undefined>(true);
  typeOf(db.iterate('SELECT', [], { integers: 'number', rowMode: 'array' })).is<Rows<NumberCell[]>>(true);
  const cell = await db.get('SELECT', [], { integers: 'number', rowMode: 'value' });
  // @ts-expect-error there are no bigints among numbers
  if (typeof cell === 'bigint') cell.toString();
  // @ts-expect-error no such mode
  await db.get('SELECT', [], { integers: 'text' });
}

export async function parameters(db: Database, user: User, bytes: Uint8Array): Promise<void> {
  await db.run('INSERT', [1, 2n, 'text', null, true, bytes, new Date(), [1, 2], { json: true }]);
  await db.run('INSERT', { id: 1, $name: 'x' });
  await db.run('INSERT', user);
  await db.run('INSERT', undefined, { timeout: 1 });
  // @ts-expect-error one value is no list
  await db.run('INSERT', 1);
  // @ts-expect-error undefined cannot be bound
  await db.run('INSERT', [undefined]);
  // @ts-expect-error symbols cannot be bound
  await db.run('INSERT', [Symbol('s')]);
  // @ts-expect-error bytes are one value, not a list of parameters
  await db.run('INSERT', bytes);
}

export async function statements(db: Database): Promise<void> {
  const byID = await db.prepare<User, [id: number]>('SELECT');
  typeOf(byID).is<Statement<User, [id: number]>>(true);
  typeOf(await byID.get([1])).is<User | undefined>(true);
  typeOf(await byID.all([1], { timeout: 1 })).is<User[]>(true);
  typeOf(byID.iterate([1])).is<Rows<User>>(true);
  typeOf(await byID.all<[number]>([1], { rowMode: 'array' })).is<[number][]>(true);
  // @ts-expect-error the parameters are missing
  await byID.get();
  // @ts-expect-error a wrong type
  await byID.get(['1']);
  // @ts-expect-error one too many
  await byID.run([1, 2]);
  const named = await db.prepare<User, { name: string }>('SELECT');
  await named.all({ name: 'x' });
  // @ts-expect-error a wrong name
  await named.all({ nam: 'x' });
  const plain = await db.prepare('SELECT', { rowMode: 'value', integers: 'number' });
  typeOf(await plain.get()).is<NumberCell | undefined>(true);
  typeOf(await (await db.prepare('SELECT', { rowMode: 'array' })).all()).is<Cell[][]>(true);
  typeOf((await plain.columns())[0]?.type).is<string | null | undefined>(true);
  typeOf(plain.parameters).is<readonly (string | null)[]>(true);
  typeOf(await byID.expandedSQL([1])).is<string>(true);
  // @ts-expect-error it cannot be changed
  plain.sql = '';
}

export async function transactions(db: Database): Promise<void> {
  const count = await db.transaction(
    async (tx) => {
      typeOf(tx).is<Transaction>(true);
      await tx.transaction(async (inner) => inner.run('DELETE'));
      return (await tx.all<User>('SELECT')).length;
    },
    { mode: 'immediate', signal: AbortSignal.timeout(1) },
  );
  typeOf(count).is<number>(true);
  // @ts-expect-error no such mode
  await db.transaction(() => 1, { mode: 'fast' });
  // @ts-expect-error a transaction is not closed
  await db.transaction((tx) => tx.close());
}

export async function tags(db: Database, ids: number[]): Promise<void> {
  const where = sql`WHERE ${sql.id('main', 'id')} IN ${ids}`;
  typeOf(where).is<Sql>(true);
  typeOf(await db.all<User>(db.sql`SELECT * FROM t ${where} ${sql.join([1, 2])}`)).is<User[]>(true);
  // @ts-expect-error anything could be in it
  await db.all({ text: 'SELECT', values: [] });
  // @ts-expect-error a name is a string
  sql.id(1);
}

export async function life(): Promise<void> {
  const db = await open(new URL('file:///x.db'), {
    readOnly: false,
    integers: 'bigint',
    pragmas: { journal_mode: 'wal', cache_size: 1, foreign_keys: true },
    limits: { sqlLength: 1 },
    types: { DATETIME: types.date, POINT: { read: String, accepts: () => true, write: () => 1 } },
  });
  typeOf(db).is<Database>(true);
  const { pageCount } = await db.backup('copy.db', { pages: 5, onProgress: ({ remaining }) => remaining.toFixed() });
  pageCount.toFixed();
  db.stats().sqliteBusyTime.toFixed();
  await db[Symbol.asyncDispose]();
  // @ts-expect-error only open() makes databases
  new Database();
  // @ts-expect-error no such option
  await open('x.db', { readonly: true });
  // @ts-expect-error no such limit
  await open('x.db', { limits: { columns: 1 } });
}

export function errors(error: unknown): string | number | undefined {
  if (error instanceof SqliteError) return error.extendedCode + (error.sql?.slice(error.offset) ?? '');
  if (error instanceof ParameterError) return error.parameter;
  if (error instanceof AbortError) return error.code;
  return undefined;
}
