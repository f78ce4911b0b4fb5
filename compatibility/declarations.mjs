// Rows about the TypeScript declarations.
import { better, same, section } from './row.mjs';

const tells = 'compatibility/types: the declarations > ';

export default section('TypeScript declarations', [
  better(
    'what close, serialize, parallelize and configure return',
    'Nothing, they say.',
    'The database, as is true.',
    `${tells}say that close(), serialize(), parallelize() and configure() return the database`,
  ),
  better(
    '`this` in the callback of exec()',
    'A statement, they say.',
    'The database, as is true.',
    `${tells}say that \`this\` is the database in the callback of exec()`,
  ),
  better("map, sql, filename, mode, open, configure('trace', ...)", 'Are missing.', 'Are there.', [
    `${tells}know map(), sql, filename, mode and open`,
    `${tells}say that close(), serialize(), parallelize() and configure() return the database`,
  ]),
  better(
    'Backup, backup(), cached.objects',
    'Are missing.',
    'Are there.',
    `${tells}know Backup, backup() and cached.objects`,
  ),
  same(
    'RunResult, get<T>, all<T>, each<T>, on()',
    'Results, rows and listeners have types.',
    `${tells}give a RunResult, typed rows and typed listeners`,
  ),
  better(
    'names',
    'Named exports are declared that do not exist at run time.',
    'What is declared exists, and the other way round.',
    'package/exports: the types > declare every exported name with the type it has, and no other name',
  ),
]);
