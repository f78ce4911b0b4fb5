// A queue of requests in place of a connection, for tests of what answers them.

import { type Failure, type Happening, type Outcome, Request } from 'sqlite-tandem/lib/request/request.js';
import type { Answered } from 'sqlite-tandem/lib/result/decode.js';

/** Writes down everything that is handed to it. */
export class Asked extends Request {
  readonly name: string;
  readonly log: unknown[];
  readonly #streams: boolean;
  /** Called inside every delivery. */
  during: () => void = () => undefined;

  constructor(name: string, sequence: number, log: unknown[], streams = false) {
    super();
    this.name = name;
    this.sequence = sequence;
    this.quiet = true;
    this.log = log;
    this.#streams = streams;
  }

  override get streams(): boolean {
    return this.#streams;
  }

  override succeed(outcome: Outcome): void {
    this.log.push([this.name, outcome, this.takeRows()]);
    this.during();
  }

  override fail(failure: Failure): void {
    this.log.push([this.name, failure]);
    this.during();
  }

  override receive(rows: readonly unknown[]): void {
    this.log.push([this.name, rows]);
    this.during();
  }

  override happen(happening: Happening): void {
    this.log.push([this.name, happening]);
    this.during();
  }
}

export class Queue implements Answered {
  readonly log: unknown[] = [];
  readonly waiting: Asked[] = [];
  #sequence = 0;
  proceeded = 0;

  ask(streams = false): Asked {
    const asked = new Asked(`r${++this.#sequence}`, this.#sequence, this.log, streams);
    this.waiting.push(asked);
    return asked;
  }

  get head(): Asked | undefined {
    return this.waiting[0];
  }

  shift(): Asked | undefined {
    return this.waiting.shift();
  }

  proceed(): void {
    this.proceeded++;
  }
}
