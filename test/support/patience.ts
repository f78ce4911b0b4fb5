// How long tests wait before they say that something hangs: longer where scripts/test-sanitized.mjs slows all down.

const slowness = Number(process.env['SQLITE_TANDEM_SLOWNESS'] ?? 1);

/** Milliseconds, when so many are generous at full speed. A limit only turns a hang into a failure. */
export const patience = (milliseconds: number): number => milliseconds * slowness;
