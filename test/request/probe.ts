// Requests that write down their answers, and the batches that cross the native door while a function runs.
import { setImmediate as turn } from 'node:timers/promises';
import { binding } from 'sqlite-tandem/lib/native/binding.js';
import { layout } from 'sqlite-tandem/lib/native/layout.js';
import { Connection } from 'sqlite-tandem/lib/request/connection.js';
import { type Failure, Request } from 'sqlite-tandem/lib/request/request.js';
import type { Writer } from 'sqlite-tandem/lib/request/writer.js';
import 'sqlite-tandem/lib/mailbox.js';

export interface Record {
  readonly operation: number;
  readonly sequence: number;
  readonly statement: number;
  readonly flags: number;
}

/** The records of a batch; damaged ones are refused. */
export const recordsOf = (batch: Buffer): Record[] => {
  const records: Record[] = [];
  for (let at = 0; at < batch.length; ) {
    const length = batch.readUInt32LE(at + layout.recordLengthAt);
    if (length < layout.requestBodyAt || length % layout.recordAlignment !== 0 || at + length > batch.length) {
      throw new Error(`record of ${length} bytes at ${at} of ${batch.length}`);
    }
    records.push({
      operation: batch.readUInt8(at + layout.recordKindAt),
      flags: batch.readUInt8(at + layout.recordFlagsAt),
      sequence: batch.readUInt32LE(at + layout.recordSequenceAt),
      statement: batch.readUInt32LE(at + layout.requestStatementAt),
    });
    at += length;
  }
  return records;
};

/** The batches submitted from now until stop() is called. */
export class Door {
  readonly batches: Buffer[] = [];
  readonly #submit = binding.submit;
  /** In place of what native answers. */
  refuses = false;

  constructor() {
    binding.submit = (database, bytes, length) => {
      this.batches.push(Buffer.from(bytes.subarray(0, length)));
      return this.refuses ? false : this.#submit(database, bytes, length);
    };
  }

  stop(): void {
    binding.submit = this.#submit;
  }

  /** Operations of each batch since the last look. */
  look(): number[][] {
    return this.batches.splice(0).map((batch) => recordsOf(batch).map(({ operation }) => operation));
  }
}

/** Writes its name into the log when it is answered. */
export class Probe extends Request {
  readonly answered: Promise<void>;
  readonly #name: string;
  readonly #log: string[];
  #done: () => void = () => undefined;

  constructor(name: string, log: string[]) {
    super();
    this.#name = name;
    this.#log = log;
    this.answered = new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  #answer(text: string): void {
    this.#log.push(text);
    this.#done();
  }

  override succeed(): void {
    this.#answer(this.#name);
  }

  override fail(failure: Failure): void {
    this.#answer(`${this.#name}: ${failure.code} ${failure.message}`);
  }
}

/** A connection whose requests are probes that share one log. */
export class Probes {
  readonly log: string[] = [];
  readonly connection = new Connection();
  #count = 0;

  /** Sends a request; its name is its number from 1. */
  send(operation: number, write?: (writer: Writer) => void, flags = 0, lazy = false): Probe {
    const probe = new Probe(String(this.#count + 1), this.log);
    this.connection.send(probe, operation, flags, 0, write, lazy);
    this.#count++;
    return probe;
  }

  wait(): Probe {
    return this.send(layout.operationWait);
  }

  exec(sql: string): Probe {
    return this.send(layout.operationExec, (writer) => writer.terminatedText(sql));
  }

  /** Opens a database in memory. */
  open(filename = ':memory:'): Probe {
    return this.send(layout.operationOpen, (writer) => {
      writer.uint32(6);
      writer.terminatedText(filename);
    });
  }

  /** Ends the thread, and waits for the turn in which JavaScript hears of that. */
  async end(): Promise<void> {
    this.connection.endWhenIdle();
    await turn();
  }
}
