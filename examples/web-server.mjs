// Recipe: a web server. One database for all requests; each request gives its signal to what it asks for.
import { createServer } from 'node:http';
import { open, SqliteError } from 'sqlite-tandem/promises';

const db = await open('shop.db', { pragmas: { journal_mode: 'wal', synchronous: 'normal' } });
await db.exec(`
  CREATE TABLE IF NOT EXISTS product (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, stock INTEGER NOT NULL);
  INSERT INTO product (name, stock) VALUES ('tea', 3), ('coffee', 0)`);

/** Aborted when the client goes away: a query that nobody waits for any more is not executed. */
const signalOf = (response) => {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
};

const routes = {
  'GET /products': (signal) => db.all('SELECT * FROM product ORDER BY id', [], { signal, timeout: 2000 }),

  // Between the check and the change no other request's query slips in.
  'POST /buy': (signal, { searchParams }) =>
    db.transaction(
      async (tx) => {
        const name = searchParams.get('name') ?? '';
        const product = await tx.get('SELECT id, stock FROM product WHERE name = $name', { name });
        if (product === undefined) return { error: 'unknown' };
        if (product.stock === 0) return { error: 'sold out' };
        await tx.run('UPDATE product SET stock = stock - 1 WHERE id = ?', [product.id]);
        return { left: product.stock - 1 };
      },
      { mode: 'immediate', signal, timeout: 2000 },
    ),
};

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const route = routes[`${request.method} ${url.pathname}`];
  try {
    const answer = route === undefined ? undefined : await route(signalOf(response), url);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'not found' }));
  } catch (error) {
    response.writeHead(error instanceof SqliteError && error.code === 'SQLITE_BUSY' ? 503 : 500).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

// What clients do.
const { port } = server.address();
const ask = async (path, method = 'GET') => (await fetch(`http://127.0.0.1:${port}${path}`, { method })).json();
console.log((await ask('/products')).map(({ name, stock }) => `${name} ${stock}`)); // -> [ 'tea 3', 'coffee 0' ]
const bought = await Promise.all(Array.from({ length: 5 }, () => ask('/buy?name=tea', 'POST')));
console.log(bought.filter(({ left }) => left !== undefined).length, 'bought'); // -> 3 bought
console.log(await ask('/buy?name=coffee', 'POST')); // -> { error: 'sold out' }
console.log(await ask('/nothing')); // -> { error: 'not found' }

// The order of the end: no new requests, then the database, which waits for what was asked for.
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
await db.close();
