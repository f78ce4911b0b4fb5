// How much of a test is done: a little in the suite, much when "npm run test:life" asks for it.

/** Whether the long form was asked for. */
export const isLong: boolean = process.env['SQLITE_TANDEM_LONG'] === '1';

/** A number of rounds, objects or calls. */
export function amount(inSuite: number, inLongForm: number): number {
  return isLong ? inLongForm : inSuite;
}
