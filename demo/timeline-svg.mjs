// The two lanes of both modes as an SVG file, on one scale, readable on a light and on a dark page.

import { lanesOf, ticks } from './timeline-lanes.mjs';

const width = 1080;
const left = 120;
const right = 40;
const plot = width - left - right;
const laneHeight = 30;
const bothHeight = 8;
const panelHeight = 34 + laneHeight + bothHeight + laneHeight;
const panelGap = 22;

const style = `
    svg { --page: #ffffff; --text: #1d2430; --quiet: #5b6675; --line: #d8dee6; --idle: #f1f4f7;
      --sqlite: #2f6fd0; --loop: #e08a00; --both: #178a5b;
      background: var(--page); font-family: system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; font-size: 13px }
    @media (prefers-color-scheme: dark) {
      svg { --page: #12161c; --text: #e8ecf1; --quiet: #9aa6b5; --line: #343d49; --idle: #1b222b;
        --sqlite: #6ba4ff; --loop: #ffb547; --both: #41d69a } }
    text { fill: var(--text) } .quiet { fill: var(--quiet) } .title { font-size: 20px; font-weight: 600 }
    .heading { font-size: 15px; font-weight: 600 } .mode { font-weight: 600 } .right { text-anchor: end }
    .middle { text-anchor: middle } .page { fill: var(--page) } .idle { fill: var(--idle) }
    .grid { stroke: var(--line) } .done { stroke: var(--text); stroke-dasharray: 3 3 }
    .sqlite { fill: var(--sqlite) } .loop { fill: var(--loop) } .both { fill: var(--both) }
    .next { fill-opacity: 0.72 } .queueing { fill: var(--loop); fill-opacity: 0.35 }`;

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
const n = (value) => Number(value.toFixed(2));
const text = (x, y, classes, content) => `<text x="${n(x)}" y="${n(y)}" class="${classes}">${escaped(content)}</text>`;
const rect = (x, y, w, h, classes) =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" class="${classes}"/>`;
const line = (x1, y1, x2, y2, classes) =>
  `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" class="${classes}"/>`;

/** The file's content for [heading, result of compare()] pairs. */
export function timelineSvg(groups) {
  const parts = [text(24, 38, 'title', 'SQLite and the event loop, side by side'), ...legend(62)];
  let y = 112;
  for (const [heading, result] of groups) {
    const drawn = group(y, heading, result);
    parts.push(...drawn.parts);
    y = drawn.bottom + 40;
  }
  const height = y - 8;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '  <title>When SQLite and the event loop were busy</title>',
    '  <desc>With eager off the two lanes take turns. With eager on they are busy at the same time and end sooner.</desc>',
    `  <style>${style}\n  </style>`,
    `  ${rect(0, 0, width, height, 'page')}`,
    ...parts.map((part) => `  ${part}`),
    '</svg>',
    '',
  ].join('\n');
}

function legend(y) {
  const entries = [
    ['sqlite', "SQLite's thread executes (shades: one query, the next)"],
    ['loop', 'event loop delivers results'],
    ['queueing', 'event loop queues the calls'],
    ['both', 'both at once'],
  ];
  let x = 24;
  return entries.flatMap(([kind, label]) => {
    const at = x;
    x += 46 + label.length * 6.6;
    return [rect(at, y - 11, 14, 14, kind), text(at + 20, y + 1, 'quiet', label)];
  });
}

/** Both modes of one result, one below the other, and their common axis. */
function group(top, heading, { off, on }) {
  const modes = [
    ['eager off', 'SQLite waits until JavaScript has handled the result before', lanesOf(off)],
    ['eager on', 'SQLite goes straight on to the next query', lanesOf(on)],
  ];
  const length = Math.max(...modes.map(([, , lanes]) => lanes.length));
  const x = (time) => left + (time / length) * plot;
  const bottom = top + 16 + modes.length * (panelHeight + panelGap);

  const parts = [text(24, top, 'heading', heading)];
  for (const tick of ticks(length, 12)) {
    parts.push(
      line(x(tick), top + 16, x(tick), bottom - 8, 'grid'),
      text(x(tick), bottom + 8, 'quiet middle', `${tick}`),
    );
  }
  parts.push(text(width - 24, bottom + 8, 'quiet right', 'ms'));
  modes.forEach(([mode, meaning, lanes], i) => {
    parts.push(...panel(top + 16 + i * (panelHeight + panelGap), mode, meaning, lanes, x));
  });
  return { parts, bottom };
}

function panel(top, mode, meaning, lanes, x) {
  const sqliteTop = top + 34;
  const bothTop = sqliteTop + laneHeight;
  const loopTop = bothTop + bothHeight;
  const end = x(lanes.length);
  const spans = (list, y, height, kind) =>
    list.map((span, i) => {
      // Spans touch where one query follows the other at once: two shades keep them apart.
      const classes = kind === 'sqlite' && i % 2 === 1 ? `${kind} next` : kind;
      return rect(x(span.start), y, x(span.end) - x(span.start), height, classes);
    });
  return [
    `<g class="${mode.replace(' ', '-')}">`,
    text(left, top + 24, 'mode', mode),
    text(left + 72, top + 24, 'quiet', meaning),
    text(left - 12, sqliteTop + 20, 'right', 'SQLite'),
    text(left - 12, loopTop + 20, 'right', 'event loop'),
    rect(left, sqliteTop, end - left, laneHeight, 'idle'),
    rect(left, loopTop, end - left, laneHeight, 'idle'),
    rect(left, loopTop, x(Math.min(lanes.queued, lanes.length)) - left, laneHeight, 'queueing'),
    ...spans(lanes.sqlite, sqliteTop, laneHeight, 'sqlite'),
    ...spans(lanes.both, bothTop, bothHeight, 'both'),
    ...spans(lanes.eventLoop, loopTop, laneHeight, 'loop'),
    line(end, top + 12, end, loopTop + laneHeight + 4, 'done'),
    text(end - 6, top + 24, 'right', `${lanes.queries} queries in ${lanes.length.toFixed(1)} ms`),
    '</g>',
  ];
}
