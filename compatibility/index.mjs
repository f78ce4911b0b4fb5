// All rows, in the order in which COMPATIBILITY.md shows them.
import backup from './backup.mjs';
import beyond from './beyond.mjs';
import database from './database.mjs';
import declarations from './declarations.mjs';
import defects from './defects.mjs';
import errors from './errors.mjs';
import events from './events.mjs';
import libraries from './libraries.mjs';
import module from './module.mjs';
import order from './order.mjs';
import parameters from './parameters.mjs';
import rows from './rows.mjs';
import statement from './statement.mjs';
import values from './values.mjs';

export const sections = [
  ...module,
  database,
  statement,
  parameters,
  values,
  errors,
  order,
  rows,
  events,
  ...backup,
  declarations,
  defects,
  libraries,
  beyond,
];
