// Rows about the order of calls, what holds the process, and asynchronous context.
import { better, same, section } from './row.mjs';

const calls = 'api/order: the calls of a database > ';
const serialize = 'api/order: serialize() and parallelize() > ';
const jobs = 'api/order: jobs of process.nextTick and of promises > ';
const property =
  'property/order: any calls in any order are answered once, in their order, and each sees what came before it';

export default section('Order', [
  same(
    'calls before the database is open',
    'Are queued, and run in their order.',
    `${calls}keep their order before the database is open`,
  ),
  better(
    'calls side by side',
    'Start at the same time; callbacks come in any order.',
    'Run and call back in the order of the calls.',
    [
      `${calls}run and answer in order, the slow before the fast`,
      `${calls}answer in order when some of them fail`,
      property,
    ],
  ),
  better('calls behind exec, close, wait or loadExtension', 'May overtake it while it waits.', 'Run behind it.', [
    property,
    'api/close: close() > waits for the calls before it',
    `${calls}keep their order between the database and several prepared statements`,
  ]),
  better(
    'prepared statements',
    'Start beside exec and wait, and are not ordered by serialize().',
    'Take their turn like all calls.',
    [
      `${calls}keep their order between the database and several prepared statements`,
      `${serialize}keep the order of prepared statements`,
    ],
  ),
  better(
    'serialized and parallel calls',
    'A serialized call waits for those before it; parallel calls behind it may overtake it.',
    'Order holds with and without.',
    [`${serialize}nest, and calls after them go on`, property],
  ),
  same(
    'serialize(function), parallelize(function)',
    'Call it at once; they nest, and hold up to the first await of an async function. Without a function they hold on.',
    [
      `${serialize}…() returns the database and calls its function at once, on the database, without arguments`,
      `${serialize}nest, and calls after them go on`,
      'compatibility/object-mappers: sequelize: > serialize() calls an async function, whose calls keep their order',
    ],
  ),
  better(
    'serialize() with a function that throws',
    'The exception comes out, and the database stays serialized.',
    'The exception comes out, and nothing changes.',
    `${serialize}…() lets an exception of its function through, and the database goes on`,
  ),
  better(
    'calls made in a callback',
    'Run ahead of what is queued, or behind it, as it happens.',
    'Run behind what was called before.',
    [
      `${calls}made in a callback come behind those made before`,
      'api/reentrancy: a callback > may make many calls, which are answered in order',
    ],
  ),
  same('jobs of process.nextTick and promises', 'Run between two callbacks; the rows of each() come in groups.', [
    `${jobs}run between the callbacks of two calls`,
    `${jobs}run between the callbacks of different methods and statements`,
    `${jobs}let a chain of promises see each answer before the next callback`,
  ]),
  same(
    'jobs at the end of each()',
    'Run after the complete callback, before the next answer.',
    `${jobs}of the complete callback of each() run before the next call is answered`,
  ),
  better(
    'AsyncLocalStorage',
    'Wrong for queued calls, lost in row callbacks and in events.',
    'In each callback and listener that of the call it comes from.',
    [
      'api/context: the async context > in each callback is that of its call, for queued calls of all kinds',
      'api/context: the async context > of each() is that of its call in all row callbacks and in complete',
      'api/events: events > are emitted in the async context of the call that caused them',
    ],
  ),
  better(
    'what keeps the process alive',
    'Calls that run, and listeners of trace, profile and change.',
    'Calls that are unanswered, and nothing else.',
    [
      'life/exit: a process > stays until all calls are answered',
      'life/exit: a process > stays until calls without a callback are done',
      'life/exit: a process > is not held by open databases, statements, listeners and finished each() calls',
    ],
  ),
  better(
    'threads',
    'The four of libuv: a slow query holds up files and DNS.',
    'One thread of its own for each database.',
    ["life/pool: libuv's thread pool > serves files while many queries of one database are queued"],
  ),
]);
