// Prints how long require() of the binding named by the first argument takes in this new process, and until it is of use.
import { performance } from 'node:perf_hooks';
import { apiOf, load } from '../bindings.mjs';
import { close, open } from './callback-api.mjs';

const [name] = process.argv.slice(2);
const start = performance.now();
const binding = load(name);
const required = performance.now() - start;

// One of the rivals loads its native part only when the first database is opened.
const isSync = apiOf(name) === 'sync';
const db = isSync ? new binding(':memory:') : await open(binding, ':memory:');
const ready = performance.now() - start;
await (isSync ? db.close() : close(db));

process.stdout.write(JSON.stringify({ required, ready }));
