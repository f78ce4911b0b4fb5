// The two lanes of both modes as lines of text, on one scale.

import { bold, dim, eventLoopColor, milliseconds, sqliteColor } from './format.mjs';
import { lanesOf, ticks } from './timeline-lanes.mjs';

const columns = 68;
const levels = ' ▁▂▃▄▅▆▇█';
const margin = '   ';
const labelWidth = 'event loop '.length;

/** Lines for a result of compare(). */
export function timelineText({ off, on }) {
  const modes = [
    ['eager off', lanesOf(off)],
    ['eager on', lanesOf(on)],
  ];
  const length = Math.max(...modes.map(([, lanes]) => lanes.length));
  const lines = [
    dim(`${margin}The first ${modes[0][1].queries} queries. A full block: busy all the time that it stands for.`),
  ];
  for (const [mode, lanes] of modes) {
    const done = `${milliseconds(lanes.length)} until result ${lanes.queries} was handled`;
    lines.push(`${margin}${bold(mode)}${dim(`, ${done}`)}`);
    lines.push(lane('SQLite', lanes.sqlite, length, sqliteColor));
    lines.push(lane('event loop', lanes.eventLoop, length, eventLoopColor));
  }
  return [...lines, ...axis(length)];
}

function lane(label, spans, length, color) {
  const text = shares(spans, length).map((share) => levels[share === 0 ? 0 : Math.max(1, Math.round(share * 8))]);
  return `${margin}${label.padEnd(labelWidth)}${color(text.join('').trimEnd())}`;
}

/** Which share of each column's time is covered by spans. */
function shares(spans, length) {
  const width = length / columns;
  const covered = new Array(columns).fill(0);
  for (const { start, end } of spans) {
    const last = Math.min(columns - 1, Math.floor(end / width));
    for (let i = Math.floor(start / width); i <= last; i++) {
      covered[i] += Math.max(0, Math.min(end, (i + 1) * width) - Math.max(start, i * width));
    }
  }
  return covered.map((time) => Math.min(1, time / width));
}

function axis(length) {
  const line = new Array(columns + 1).fill('─');
  let labels = '';
  for (const tick of ticks(length, 8)) {
    const column = Math.round((tick / length) * columns);
    line[column] = '┴';
    labels = labels.padEnd(column) + tick;
  }
  const blank = margin + ' '.repeat(labelWidth);
  return [dim(blank + line.join('')), dim(`${blank}${labels} ms`)];
}
