// Rows about crashes and silent losses that were not taken over.
import { better, section } from './row.mjs';

const wrong = 'api/arguments: a wrong argument is a TypeError, and everything goes on > ';

export default section('Crashes and losses', [
  better(
    'SQL that is no text',
    'TypeError "SQL query expected", then a segmentation fault.',
    'The TypeError alone.',
    `${wrong}for SQL, in every method and every form`,
  ),
  better(
    'wrong arguments of Statement and Backup',
    'A TypeError ("Database object expected", "SQL query expected", "Callback expected"), then a segmentation fault.',
    'The TypeError alone.',
    [
      `${wrong}of the constructor of Statement`,
      'life/backup: a wrong argument > is a TypeError and does no harm, to garbage collection neither',
    ],
  ),
  better(
    'exec(), loadExtension() without text; a callback that is no function',
    'TypeErrors "Argument 0 must be a string", "Argument N must be a function"; undefined is allowed.',
    'The same TypeErrors.',
    [
      `${wrong}of exec(), close(), wait(), serialize(), parallelize(), reset() and finalize()`,
      'api/load-extension: loadExtension() > takes nothing but text and a function',
    ],
  ),
  better(
    'a detached method',
    'A segmentation fault.',
    'A TypeError.',
    'api/arguments: a wrong receiver is a TypeError > of every method, detached or borrowed',
  ),
  better('worker.terminate() in the middle of a query', 'Aborts the process.', 'Ends the worker alone.', [
    'life/worker: a worker > that is terminated while queries run and results are delivered ends alone',
    'life/worker: a worker > that is terminated before its database is open ends alone',
  ]),
  better('process.exit() in the middle of a query', 'May abort the process.', 'Ends it with its code.', [
    'life/exit: process.exit() > … ends the process with its code while more is queued',
    'life/exit: process.exit() > in the middle of endless queries of many databases ends the process',
  ]),
  better('garbage collection of a database, statement or backup', 'May abort the process.', 'Closes and finalizes.', [
    'life/collect: databases that were dropped > are closed',
    'life/collect: databases that were dropped > with statements that are still held keep working',
    'life/collect: statements that were dropped > in the middle of their rows hold no lock after they were collected',
    'life/backup: a backup that was dropped before its end > is collected, so that the database closes',
  ]),
]);
