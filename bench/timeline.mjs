// The two lanes of the origin's script as an SVG: when SQLite and the event loop were busy, with eager off and on.
import { origin } from '../demo/origin.mjs';
import { timelineSvg } from '../demo/timeline-svg.mjs';

/** Runs the script in this process, both ways in turn, and draws the beginning of the fastest run of each. */
export async function timeline(scale) {
  const result = await origin(Math.min(1, Number(scale)));
  return timelineSvg([['SELECTs with 500 rows queued at once, JSON.stringify of each result', result]]);
}
