// The events trace, profile and change: reported by the SQLite thread only while somebody listens.

import type { EventEmitter } from 'node:events';
import { type Happening, Request } from '../request/request.js';
import type { EventName } from './configure.js';
import { stateOf } from './state.js';

/** Node's own type of a listener. */
export type Listener = Parameters<EventEmitter['on']>[1];

const names: readonly EventName[] = ['trace', 'profile', 'change'];

// SQLite's numbers of the three kinds of change.
const operations: Readonly<Record<number, string>> = {
  18: 'insert',
  23: 'update',
  9: 'delete',
};

/** Switches an event on or off; nobody waits for it. */
class Switch extends Request {
  override succeed(): void {}
  override fail(): void {}
}

const turn = (database: EventEmitter, name: EventName, on: boolean): void => {
  const state = stateOf(database);
  if (state.closed !== undefined || state.events[name] === on) return;
  (require('./configure.js') as typeof import('./configure.js')).settingOf([name, on]).apply(state, new Switch());
};

/** A listener was added. */
export const listen = <T extends EventEmitter>(database: T, event: string | symbol): T => {
  const name = names.find((each) => each === event);
  if (name !== undefined) turn(database, name, true);
  return database;
};

/** Listeners were removed. */
export const unlisten = <T extends EventEmitter>(database: T): T => {
  for (const name of names) {
    if (database.listenerCount(name) === 0) turn(database, name, false);
  }
  return database;
};

/** Emits what happened while a request ran. */
export const emitHappening = (database: EventEmitter | undefined, happening: Happening): void => {
  if (database === undefined) return;
  if (happening.event === 'trace') database.emit('trace', happening.sql);
  else if (happening.event === 'profile') database.emit('profile', happening.sql, happening.milliseconds);
  else {
    const { operation, database: name, table, rowID } = happening;
    database.emit('change', operations[operation] ?? 'unknown', name, table, rowID);
  }
};
